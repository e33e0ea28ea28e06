import { createHash, generateKeyPairSync } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { consoleCall } from './calls.ts'
import { consolePage, faults, picture, settled } from './console.ts'

const { url, emptyProjectId } = inject('fixture')

async function statusWith(key: string): Promise<number> {
  return (await fetch(`${url}/api/v1/me`, { headers: { 'X-API-Key': key } })).status
}

test('Show generates the API key and displays it once; Refresh invalidates the old one immediately', async () => {
  const page = await consolePage()
  await page.goto('profile#api-key')
  const section = page.getByRole('region', { name: 'API Key Management' })
  await section.getByText('You have no key yet.').waitFor()
  await section.getByRole('button', { name: 'Show' }).click()
  const shown = section.getByRole('status', { name: 'API Key Management' })
  const first = await shown.innerText()
  expect(first).toMatch(/^souk_test_[0-9A-Za-z]+$/)
  await picture(page, 'profile-key.en.light.desktop')
  expect(await faults(page)).toEqual([])

  await section.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(first)
  expect(await statusWith(first)).toBe(200)
  // The server records the use after its answer.
  await expect.poll(() => consoleCall('GET', '/api-key')).toMatchObject({ lastUsedFrom: '127.0.0.1' })

  await page.reload()
  await settled(page)
  expect(await page.content()).not.toContain(first)
  await section.getByText(first.slice(-4)).waitFor()
  expect(await section.getByRole('button', { name: 'Show' }).count()).toBe(0)
  await section.getByText('127.0.0.1', { exact: true }).waitFor()

  await section.getByRole('button', { name: 'Refresh API Key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The old key stops working immediately').waitFor()
  await picture(page, 'profile-refresh.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Refresh API Key' }).click()
  const second = await shown.innerText()
  expect(second).not.toBe(first)
  expect(await statusWith(first)).toBe(401)
  expect(await statusWith(second)).toBe(200)
})

test('signing keys are registered, approved and revoked', async () => {
  const page = await consolePage()
  await page.goto('profile#signing-keys')
  const section = page.getByRole('region', { name: 'Signing keys' })
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  await section.getByLabel('Public key').fill('not a key')
  await section.getByRole('button', { name: 'Register key' }).click()
  await section.getByRole('alert').getByText('parameter_invalid').waitFor()
  await section.getByLabel('Public key').fill(x!)
  await section.getByRole('button', { name: 'Register key' }).click()
  const keyId = createHash('sha256').update(Buffer.from(x!, 'base64url')).digest('hex').slice(0, 32)
  const row = section.getByRole('row', { name: keyId })
  await row.getByText('Pending').waitFor()
  await row.getByRole('button', { name: `Approve: ${keyId}` }).press('Enter')
  await row.getByText('Approved').waitFor()
  await picture(page, 'profile-signing-keys.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await row.getByRole('button', { name: `Revoke: ${keyId}` }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await row.getByText('Revoked').waitFor()
  expect(await row.getByRole('button').count()).toBe(0)
})

test('a changed name is saved and shown in the account menu', async () => {
  // Not the administrator, whose name tests of other files read.
  const invitation = await consoleCall('POST', `/projects/${emptyProjectId}/invitations`, { role: 'viewer' })
  const joined = await fetch(`${url}/console/v1/invitations/join`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      token: invitation.token,
      username: 'salma',
      name: 'Salma',
      password: 'a rather long phrase',
    }),
  })
  const page = await consolePage({}, /souk_session=([^;]+)/.exec(joined.headers.get('set-cookie') ?? '')![1])
  await page.goto('profile')
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Salma H. Haddad')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'User Center: Salma H. Haddad' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'User Center: Salma H. Haddad' }).waitFor()
})

test('a wrong current password changes nothing', async () => {
  const page = await consolePage()
  await page.goto('profile')
  const section = page.getByRole('region', { name: 'Password' })
  await section.getByLabel('Current password').fill('not this one')
  await section.getByLabel('New password').fill('another long password')
  await section.getByRole('button', { name: 'Change password' }).click()
  await section.getByRole('alert').getByText('password_wrong').waitFor()
})
