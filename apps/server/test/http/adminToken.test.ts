import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FullContext } from '../../src/domain/context.ts'
import { prepareAdminToken } from '../../src/domain/installation/index.ts'
import { sha256 } from '../../src/kernel/crypto.ts'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
let administrator: ConsoleUser
beforeAll(async () => {
  souk = await startTestSouk()
})
afterAll(() => souk.stop())
beforeEach(() => souk.restoreAdminToken())

const path = '/console/v1/admin-token'
const codeOf = async (token: string, target = path) => {
  const { status, body } = await souk.json(token, 'GET', target)
  return status === 200 ? 'ok' : `${status} ${body.code}`
}
const actions = async () =>
  (await souk.context.sql`select action from audit_log where action like 'adminToken.%' order by audit_id`).map(
    ({ action }) => action,
  )

test('a rotated admin token is valid at once, and the old one no longer', async () => {
  const { status, body } = await souk.console('POST', `${path}/rotate`, {})
  expect(status).toBe(200)
  expect(body).toEqual({ token: expect.stringMatching(/^souk_admin_[\w-]{43}$/), file: 'admin-token' })
  expect(souk.context.adminToken.read()).toBe(body.token)
  expect(await codeOf(body.token)).toBe('ok')
  expect(await codeOf(souk.adminToken)).toBe('401 admin_token_invalid')
  expect(await codeOf(body.token, '/api/v1/whoami')).not.toContain('401')
  expect(await actions()).toEqual(['adminToken.rotate'])
})

test('the admin token cannot be disabled while there is no administrator', async () => {
  const refuse = async () => (await souk.console('POST', `${path}/disable`, {})).body
  expect(await refuse()).toMatchObject({ code: 'administrator_missing', status: 409 })
  administrator = await souk.setUp()
  await souk.context.sql`update accounts set enabled = false where account_id = ${administrator.accountId}`
  expect((await refuse()).code).toBe('administrator_missing')
  await souk.context.sql`update accounts set enabled = true`
  expect((await souk.console('GET', path)).body).toEqual({ enabled: true, file: 'admin-token' })
})

test('a disabled token is rejected, while accounts sign in as before', async () => {
  const { body } = await souk.console('POST', `${path}/disable`, {})
  expect(body).toEqual({ enabled: false, file: 'admin-token' })
  expect(souk.context.adminToken.read()).toBeUndefined()
  // Another process may still have the file.
  await souk.context.adminToken.write(souk.adminToken)
  for (const target of [path, '/api/v1/datasets']) {
    expect(await codeOf(souk.adminToken, target)).toBe('403 admin_token_disabled')
  }
  expect((await administrator.call('GET', path)).body.enabled).toBe(false)
  expect((await administrator.call('POST', `${path}/rotate`, {})).body.code).toBe('admin_token_disabled')
  expect(await actions()).toEqual(['adminToken.rotate', 'adminToken.disable'])
})

test.each([
  { stored: undefined, enabled: true, known: undefined, place: 'here', after: 'new' },
  { stored: 'souk_admin_own', enabled: true, known: undefined, place: 'here', after: 'souk_admin_own' },
  { stored: 'souk_admin_own', enabled: true, known: 'souk_admin_own', place: 'here', after: 'souk_admin_own' },
  { stored: undefined, enabled: true, known: 'souk_admin_other', place: 'elsewhere', after: undefined },
  { stored: 'souk_admin_old', enabled: true, known: 'souk_admin_other', place: 'elsewhere', after: undefined },
  { stored: '', enabled: true, known: 'souk_admin_other', place: 'here', after: 'new', action: 'adminToken.rotate' },
  { stored: undefined, enabled: false, known: undefined, place: 'disabled', after: undefined },
  { stored: 'souk_admin_old', enabled: false, known: undefined, place: 'disabled', after: undefined },
  { stored: '', enabled: false, known: undefined, place: 'here', after: 'new', action: 'adminToken.enable' },
])('at the start, the file $stored, the token $known and enabled $enabled lead to $after', async (given) => {
  const { sql } = souk.context
  await sql`
    update platform_settings set admin_token_enabled = ${given.enabled},
      admin_token_hash = ${given.known === undefined ? null : sha256(given.known)}`
  let file = given.stored
  const adminToken: FullContext['adminToken'] = {
    file: 'admin-token',
    read: () => file,
    async write(token) {
      file = token
    },
    async delete() {
      file = undefined
    },
  }
  const before = (await actions()).length
  expect(await prepareAdminToken({ ...souk.context, adminToken })).toBe(given.place)
  if (given.after === 'new') expect(file).toMatch(/^souk_admin_[\w-]{43}$/)
  else expect(file).toBe(given.after)
  if (given.place === 'here') expect(await codeOf(file!)).toBe('ok')
  expect((await actions()).slice(before)).toEqual(given.action === undefined ? [] : [given.action])
})

test('processes behind a balancer accept one token, which the database has as a hash only', async () => {
  const other = await startTestSouk({ database: souk.database })
  expect((await other.json(souk.adminToken, 'GET', path)).status).toBe(200)
  const { token } = (await souk.console('POST', `${path}/rotate`, {})).body
  expect((await other.json(token, 'GET', path)).status).toBe(200)
  expect((await other.json(souk.adminToken, 'GET', path)).status).toBe(401)
  const [row] = await souk.context.sql`select p::text as text from platform_settings p`
  expect(row!.text).toContain(sha256(token).toString('hex'))
  expect(row!.text).not.toContain(token)
  await other.stop()
})

test('of processes that start at the same time, one makes the token', async () => {
  await souk.context.sql`update platform_settings set admin_token_hash = null`
  const start = () => {
    const read = () => undefined
    const adminToken = { file: 'admin-token', read, write: async () => {}, delete: async () => {} }
    return prepareAdminToken({ ...souk.context, adminToken })
  }
  expect((await Promise.all([start(), start(), start()])).sort()).toEqual(['elsewhere', 'elsewhere', 'here'])
})
