import { consoleOperations, minute, type Operation } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { exampleInput, placeInput } from '../exampleInput.ts'
import { type FurnishedProject, furnish } from '../furnishedProject.ts'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
let layla: ConsoleUser
let project: FurnishedProject

beforeAll(async () => {
  souk = await startTestSouk()
  layla = await souk.setUp()
  const { projectId } = (await souk.console('POST', '/console/v1/projects', { name: 'Tea' })).body
  project = await furnish(souk, projectId)
  souk.clock.stop()
})
afterAll(() => souk.stop())
beforeEach(async () => {
  setSandbox(true)
  await souk.restoreAdminToken()
})

/** Payments of the furnished project need a sandbox, and a sandbox does not protect them. */
function setSandbox(sandbox: boolean): void {
  Object.assign(souk.context.settings, { sandbox })
}

/** Calls an operation with a valid input, and returns the status and the code of an error. */
async function call(operation: Operation, headers: Record<string, string>) {
  const input = exampleInput(operation, { ...project, uids: [project.uid] })
  const { target, body } = placeInput(operation, input)
  return (await souk.raw(operation.method, target, headers, body)).body as { code?: string; data?: unknown }
}
const bySession = ({ cookie, csrf }: ConsoleUser) => ({ Cookie: cookie, 'X-Souk-CSRF': csrf })
const confirm = (user: ConsoleUser, password = user.password) =>
  user.call('POST', '/console/v1/session/confirm', { password })

const operations: readonly Operation[] = Object.values(consoleOperations)
const marked = operations.filter(({ stepUp }) => stepUp).map((each): [string, Operation] => [each.id, each])

test.each(marked)('%s requires a confirmation of at most 10 minutes', async (_, operation) => {
  setSandbox(false)
  await confirm(layla)
  souk.clock.advance(10 * minute)
  const refusal = await call(operation, bySession(layla))
  expect(refusal).toMatchObject({ code: 'step_up_required', data: { methods: ['password'] } })
  await confirm(layla)
  souk.clock.advance(10 * minute - 1)
  expect((await call(operation, bySession(layla))).code).not.toBe('step_up_required')
  expect((await call(operation, { Authorization: `Bearer ${souk.adminToken}` })).code).not.toBe('step_up_required')
})

test('a sandbox asks only for what it has', async () => {
  souk.clock.advance(10 * minute)
  const asked: string[] = []
  for (const [id, operation] of marked) {
    if ((await call(operation, bySession(layla))).code === 'step_up_required') asked.push(id)
  }
  const isShared = ({ stepUp }: Operation) => stepUp === 'access' || stepUp === 'content'
  expect(asked).toEqual(marked.filter(([, operation]) => isShared(operation)).map(([id]) => id))
  expect(asked).not.toContain('createApp')
  expect(asked).toContain('createToken')
})

/** Redacted, but no secret of Souk: every session has a CSRF token, and reviewers need test accounts and previews. */
const notSecret = new Set(['csrfToken', 'testAccount', 'preview'])
/** The first requires the link that was mailed to the new address; the code of the other opens nothing on its own. */
const exempt = new Set(['confirmEmail', 'createInspection'])

test('every operation that shows a secret requires a confirmation, and so do refunds, accounts and issuers', () => {
  const showsSecret = ({ id, auth, method, redact, result, sandboxOnly }: Operation) =>
    !exempt.has(id) &&
    auth === 'console' &&
    method !== 'GET' &&
    !sandboxOnly &&
    redact.some(
      (name) =>
        !notSecret.has(name) && Object.hasOwn('properties' in result ? (result.properties as object) : {}, name),
    )
  const ids = marked.map(([id]) => id)
  expect(ids).toEqual(expect.arrayContaining(operations.filter(showsSecret).map(({ id }) => id)))
  const more = ['refundTrade', 'createProviderAccount', 'updateProviderAccount', 'addIssuer', 'removeIssuer']
  expect(ids).toEqual(expect.arrayContaining([...more, 'updatePlatformSettings']))
})

test('a sign-in is a confirmation, of its session only', async () => {
  const before = await souk.signIn(layla)
  souk.clock.advance(10 * minute)
  const after = await souk.signIn(layla)
  expect((await after.call('POST', '/console/v1/tokens', {})).status).toBe(200)
  expect((await before.call('POST', '/console/v1/tokens', {})).body.code).toBe('step_up_required')
})

test('a caller without permission gets that error, not a request for a confirmation', async () => {
  setSandbox(false)
  const omar = await souk.join(project.projectId, 'viewer')
  souk.clock.advance(10 * minute)
  const refund = await omar.call('POST', `/console/v1/trades/${project.tradeNo}/refunds`, { amount: 1, note: 'no' })
  expect(refund.body.code).toBe('permission_denied')
})

test('a wrong password confirms nothing, is audited, and delays further attempts of the session only', async () => {
  const omar = await souk.join(project.projectId, 'viewer')
  const again = await souk.signIn(omar)
  souk.clock.advance(10 * minute)
  for (let attempt = 0; attempt < 5; attempt++) {
    expect((await confirm(omar, 'not this one')).body.code).toBe('password_wrong')
  }
  await confirm(omar, 'not this one')
  const refused = await confirm(omar)
  expect(refused.body.code).toBe('rate_limited')
  expect(refused.body.data.retryAfter).toBeGreaterThan(0)
  expect((await omar.call('POST', '/console/v1/tokens', {})).body.code).toBe('step_up_required')
  expect((await confirm(again)).status).toBe(200)
  expect((await again.call('POST', '/console/v1/tokens', {})).status).toBe(200)
  const [row] = await souk.context.sql`
    select count(*)::int as count from audit_log where action = 'account.confirmFailed' and subject = ${omar.accountId}`
  expect(row!.count).toBe(6)
})
