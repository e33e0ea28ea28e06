import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { create } from '../../packages/create-miniapp/src/create.ts'
import { openApp } from './fixture.ts'
import { top } from './measure.ts'

// Runs an unchanged project created by `npm create @souk/miniapp`.

let parent: string
let project: string
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'souk-created-'))
  project = await create(join(parent, 'my-app'), 'http://localhost:7070/npm/')
})
afterAll(() => rm(parent, { recursive: true, force: true }))

const cases = [
  { platform: 'H5', mode: 'build' },
  { platform: 'Mini App', mode: 'serve' },
] as const
test.each(cases)('$platform, $mode: runs a new project without errors or warnings', async ({ platform, mode }) => {
  const app = await openApp({ project, platform, mode, path: 'pages/index/index' })
  const shown = (text: string) => app.app.locator(top).getByText(text, { exact: true })
  const title = app.host.locator('.neu-navbar-title').last()
  await shown('It works').waitFor()
  await shown(platform === 'H5' ? 'Running in a browser.' : 'Running in a host application.').waitFor()
  await app.screenshot(`created-${platform}-${mode}`)
  await app.app.getByRole('button', { name: 'Say hello' }).click()
  await app.host.getByText('Hello 1', { exact: true }).waitFor()
  await shown('Open a detail page').click()
  await shown('This is item 1.').waitFor()
  expect(await title.innerText()).toBe('Item 1')
  await app.neu('navigateBack')
  await app.host.getByText('List', { exact: true }).click()
  await shown('Item 20').waitFor()
  await shown('Item 7').focus()
  await app.page.keyboard.press('Enter')
  await shown('This is item 7.').waitFor()
  expect(app.faults()).toEqual([])
  await app.close()
})
