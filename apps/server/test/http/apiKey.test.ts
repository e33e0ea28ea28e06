import { day } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountByKey, accountByToken } from '../../src/domain/console/index.ts'
import { isApiKey, newApiKey } from '../../src/kernel/id.ts'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
/** A second process of the same installation. */
let other: TestSouk
let projectId: string

beforeAll(async () => {
  souk = await startTestSouk()
  other = await startTestSouk({ database: souk.database })
  projectId = (await souk.console('POST', '/console/v1/projects', { name: 'Keys' })).body.projectId
})
afterAll(async () => {
  for (const secret of souk.secrets) other.secrets.add(secret)
  await other.stop()
  await souk.stop()
})

const show = (user: ConsoleUser) => user.call('POST', '/console/v1/api-key/show', {})
const refresh = (user: ConsoleUser) => user.call('POST', '/console/v1/api-key/refresh', {})
const newUser = () => souk.join(projectId, 'editor')

test('the first Show generates the key and shows it in full, once', async () => {
  const user = await newUser()
  expect((await user.call('GET', '/console/v1/api-key')).body).toMatchObject({ exists: false, lastFour: null })
  const { key, state } = (await show(user)).body
  expect(isApiKey(key, 'test')).toBe(true)
  expect(state).toMatchObject({
    exists: true,
    lastFour: key.slice(-4),
    ageDays: 0,
    rotationDue: false,
    lastUsedAt: null,
  })
  const again = await show(user)
  expect(again.body).toEqual({ key: null, state })
  expect((await user.call('GET', '/console/v1/api-key')).body).toEqual(state)
})

test('only one of concurrent Show requests returns the key', async () => {
  const user = await newUser()
  const answers = await Promise.all(Array.from({ length: 20 }, () => show(user)))
  const keys = answers.flatMap(({ body }) => (body.key === null ? [] : [body.key as string]))
  expect(keys).toHaveLength(1)
  expect(await accountByKey(souk.context, keys[0]!)).toMatchObject({ accountId: user.accountId, via: 'apiKey' })
})

test('the key of a disabled account is refused immediately, on every server process', async () => {
  const user = await newUser()
  const { key } = (await show(user)).body
  const enable = (enabled: boolean) => souk.console('PATCH', `/console/v1/accounts/${user.accountId}`, { enabled })
  expect(await accountByKey(other.context, key)).toBeDefined()
  await enable(false)
  for (const { context } of [souk, other]) expect(await accountByKey(context, key)).toBeUndefined()
  await enable(true)
  for (const { context } of [souk, other]) expect(await accountByKey(context, key)).toBeDefined()
})

test('a refresh invalidates the old key immediately, on every server process', async () => {
  const user = await newUser()
  const { key: first } = (await show(user)).body
  expect(await accountByKey(other.context, first)).toBeDefined()
  const { key: second } = (await refresh(user)).body
  for (const { context } of [souk, other]) {
    expect(await accountByKey(context, first)).toBeUndefined()
    expect(await accountByKey(context, second)).toMatchObject({ accountId: user.accountId })
  }
})

test('concurrent refreshes leave one valid key', async () => {
  const user = await newUser()
  const keys = (await Promise.all(Array.from({ length: 10 }, () => refresh(user)))).map(
    ({ body }) => body.key as string,
  )
  const found = await Promise.all(keys.map((key) => accountByKey(other.context, key)))
  expect(found.filter((account) => account !== undefined)).toHaveLength(1)
})

test('the database stores one key hash per account', async () => {
  const user = await newUser()
  const { key } = (await show(user)).body
  const insert = souk.context.sql`
    insert into api_keys (account_id, key_hash, last_four, ctime) values (${user.accountId}, '\\x00', 'abcd', 0)`
  await expect(insert).rejects.toMatchObject({ code: '23505' })
  const [row] = await souk.context.sql`
    select (select json_agg(k) from api_keys k)::text || (select json_agg(l) from audit_log l)::text as everything`
  expect(row!.everything).not.toContain(key)
  expect(row!.everything).not.toContain(key.slice(10, 40))
})

test('records the last use to the minute with its IP address', async () => {
  const user = await newUser()
  const { key } = (await show(user)).body
  const state = async () => (await user.call('GET', '/console/v1/api-key')).body
  await accountByKey(souk.context, key, '192.0.2.7')
  await expect.poll(state).toMatchObject({ lastUsedFrom: '192.0.2.7' })
  const { lastUsedAt } = await state()
  await accountByKey(souk.context, key, '192.0.2.8')
  expect(await state()).toMatchObject({ lastUsedAt, lastUsedFrom: '192.0.2.7' })
  await souk.context.sql`update api_keys set last_used_at = last_used_at - 60000 where account_id = ${user.accountId}`
  await accountByKey(souk.context, key, '192.0.2.8')
  await expect.poll(state).toMatchObject({ lastUsedFrom: '192.0.2.8' })
})

test('reminds the owner after 90 days until the key is refreshed', async () => {
  const user = await newUser()
  await show(user)
  const age = async (days: number) => {
    const ctime = Date.now() - days * day
    await souk.context.sql`update api_keys set ctime = ${ctime} where account_id = ${user.accountId}`
    return (await user.call('GET', '/console/v1/api-key')).body
  }
  expect(await age(89.9)).toMatchObject({ ageDays: 89, rotationDue: false })
  expect(await age(90)).toMatchObject({ ageDays: 90, rotationDue: true })
  expect((await refresh(user)).body.state).toMatchObject({ ageDays: 0, rotationDue: false })
})

test('refuses a mistyped key or one of another environment without a database query', async () => {
  const key = newApiKey('test')
  const blind = { ...souk.context, sql: undefined as never }
  const slipped = `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`
  for (const text of [slipped, newApiKey('live'), '', 'souk_test_', `${key} `, key.toUpperCase()]) {
    expect(await accountByKey(blind, text)).toBeUndefined()
  }
})

test('a key does not authenticate at the console, in any header', async () => {
  const user = await newUser()
  const { key } = (await show(user)).body
  const { token } = (await user.call('POST', '/console/v1/tokens', {})).body
  const attempts: [Record<string, string>, string][] = [
    [{ Authorization: `Bearer ${key}` }, 'admin_token_invalid'],
    [{ Authorization: `Bearer ${token}` }, 'admin_token_invalid'],
    [{ Cookie: `souk_session=${key}` }, 'session_invalid'],
    [{ 'X-API-Key': key }, 'session_invalid'],
    // `Authorization` takes priority.
    [{ Cookie: user.cookie, Authorization: `Bearer ${key}` }, 'admin_token_invalid'],
  ]
  for (const [headers, code] of attempts) {
    expect(await souk.raw('GET', '/console/v1/projects', headers)).toMatchObject({ status: 401, body: { code } })
  }
})

test('a console session is neither a key nor a token', async () => {
  const user = await newUser()
  const session = user.cookie.split('=')[1]!
  expect(await accountByKey(souk.context, session)).toBeUndefined()
  expect(await accountByToken(souk.context, session)).toBeUndefined()
})

test('a token is valid for one hour', async () => {
  const user = await newUser()
  const { token, expire } = (await user.call('POST', '/console/v1/tokens', {})).body
  expect(expire).toBe(3600)
  expect(await accountByToken(other.context, token)).toMatchObject({ accountId: user.accountId, via: 'token' })
  await souk.context.sql`update account_tokens set valid_until = ${Date.now()} where account_id = ${user.accountId}`
  expect(await accountByToken(other.context, token)).toBeUndefined()
})
