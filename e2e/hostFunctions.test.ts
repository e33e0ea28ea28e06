import { consoleOperations } from '@souk/contract'
import { expect, inject, test } from 'vitest'
import { archiveOf, build } from '../apps/server/test/archive.ts'
import { administrator, consoleCall, submitRelease } from './calls.ts'
import { consolePage, faults } from './console.ts'

const fixture = inject('fixture')
const { question, ...declared } = consoleOperations.putHostFunction.example as {
  question: Record<string, string>
} & Record<string, unknown>

/** Submits a release that asks for a function, and returns the path of its review in the console. */
async function submit(name: string): Promise<{ appid: string; releaseId: string; path: string }> {
  const { projectId } = await consoleCall<{ projectId: string }>('POST', '/projects', { name: 'Loyal Bakery' })
  const { appid } = await consoleCall<{ appid: string }>('POST', '/apps', { projectId, name: 'Loyal Bakery' })
  const files = build('Mini App')
  const manifest = { ...JSON.parse(String(files['souk-app.json'])), hostFunctions: [name] }
  const form = new FormData()
  form.append('version', '1.0.0')
  const archive = await archiveOf({ ...files, 'souk-app.json': JSON.stringify(manifest) })
  form.append('fileData', new Blob([new Uint8Array(archive)]), 'release.tar.gz')
  const uploaded = await fetch(`${fixture.url}/console/v1/apps/${appid}/releases`, {
    method: 'POST',
    headers: administrator,
    body: form,
  })
  const { releaseId } = (await uploaded.json()) as { releaseId: string }
  await submitRelease(appid, releaseId)
  return { appid, releaseId, path: `projects/${projectId}/apps/${appid}/releases/${releaseId}` }
}

test('an operator declares a function, grants it in the review of a release, and revokes it', async () => {
  const page = await consolePage()
  await page.goto('platform?view=users')
  await page.getByRole('button', { name: 'Add function' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Function', { exact: true }).fill('askedCard')
  for (const [language, key] of Object.entries({ English: 'en', Chinese: 'zh-Hans', Arabic: 'ar' }))
    await dialog.getByLabel(language).fill(question[key]!)
  const parts = { 'JSON Schema of the input': 'input', 'JSON Schema of the result': 'result', Examples: 'examples' }
  for (const [label, part] of Object.entries(parts)) await dialog.getByLabel(label).fill(JSON.stringify(declared[part]))
  // What the server refuses is shown, and can be corrected.
  await dialog.getByLabel('Failures').fill('[{ "reason": "noCard" }]')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Failures').fill(JSON.stringify(declared.failures))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { appid, releaseId, path } = await submit('askedCard')

  const review = await consolePage()
  await review.goto(`${path}/review`)
  await review.getByText('askedCard').waitFor()
  await review.getByRole('button', { name: 'Approve' }).click()
  await review.getByRole('dialog').getByRole('switch', { name: 'askedCard' }).check()
  await review.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await review.getByRole('dialog').waitFor({ state: 'detached' })
  const granted = () =>
    consoleCall<{ hostFunctions: { granted: string[] } }>('GET', `/apps/${appid}/releases/${releaseId}/review`)
  expect((await granted()).hostFunctions).toEqual({ requested: ['askedCard'], granted: ['askedCard'] })

  await page.reload()
  const revoke = page.getByRole('button', { name: 'Take askedCard from Loyal Bakery' })
  await revoke.waitFor()
  expect(await faults(page)).toEqual([])
  await revoke.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  // Behind a dialog, buttons have no role.
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await revoke.waitFor({ state: 'detached' })
  expect((await granted()).hostFunctions.granted).toEqual([])
})
