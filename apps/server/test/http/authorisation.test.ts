import { consoleOperations, may, notFound, type Operation, type Role, roles } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { exampleInput } from '../exampleInput.ts'
import { type FurnishedProject, furnish } from '../furnishedProject.ts'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'

type Identifiers = Omit<FurnishedProject, 'newTrade'>
type Input = Record<string, unknown>

let souk: TestSouk
let own: Identifiers
let foreign: Identifiers
const missing: Identifiers = {
  projectId: 'f'.repeat(32),
  appid: 'zzzzzzzzzzzzzzz',
  tradeNo: 'f'.repeat(32),
  notifyId: 'f'.repeat(32),
  requestId: 'f'.repeat(32),
  feedbackId: 'f'.repeat(32),
  replayId: 'f'.repeat(32),
  providerAccountId: 'f'.repeat(32),
  reconciliationId: 'f'.repeat(32),
  accountId: 'f'.repeat(32),
  uid: 1,
}

const callers = [...roles, 'nonMember', 'administrator'] as const
let users: Record<(typeof callers)[number], ConsoleUser>

/** Identifiers that do not exist. */
const unknown = {
  releaseId: 'f'.repeat(32),
  invitationId: 'f'.repeat(32),
  changeId: 'f'.repeat(32),
  reviewId: 'f'.repeat(32),
  ruleId: 'f'.repeat(32),
  serviceAccountId: 'f'.repeat(32),
  token: 'x'.repeat(40),
}
const inputOf = (operation: Operation, identifiers: Identifiers) =>
  exampleInput(operation, {
    ...identifiers,
    ...unknown,
    uids: [identifiers.uid],
    // A built-in dataset, which cannot be removed.
    datasetId: `${identifiers.projectId}.trades`,
  })

beforeAll(async () => {
  souk = await startTestSouk()
  const administrator = await souk.setUp()
  const [mine, theirs, elsewhere] = await Promise.all(
    ['Mine', 'Theirs', 'Elsewhere'].map(
      async (name) => (await souk.console('POST', '/console/v1/projects', { name })).body.projectId as string,
    ),
  )
  users = {
    owner: await souk.join(mine!, 'owner'),
    editor: await souk.join(mine!, 'editor'),
    viewer: await souk.join(mine!, 'viewer'),
    nonMember: await souk.join(elsewhere!, 'viewer'),
    administrator,
  }
  own = await furnish(souk, mine!)
  foreign = await furnish(souk, theirs!)
})
afterAll(() => souk.stop())

/** Restores what the previous operation removed. */
beforeEach(async () => {
  const members = [
    ...roles.map((role) => [own.projectId, users[role].accountId, role] as const),
    ...[own, foreign].map(({ projectId, accountId }) => [projectId, accountId, 'owner'] as const),
  ]
  // Creating a project makes the caller an owner.
  await souk.context
    .sql`delete from project_members where project_id in (select project_id from projects where name = 'Shop')`
  for (const [projectId, accountId, role] of members) {
    await souk.context.sql`
      insert into project_members (project_id, account_id, role, ctime) values (${projectId}, ${accountId}, ${role}, 0)
      on conflict (project_id, account_id) do update set role = excluded.role`
  }
  await souk.context.sql`update users set erased_time = null, disabled_time = null`
  await souk.restoreAdminToken()
})

/** Returns `allowed`, or the code of an authorisation error. */
async function outcomeOf(headers: Record<string, string>, operation: Operation, input: Input): Promise<string> {
  let path = operation.path
  const rest: Input = {}
  for (const [name, value] of Object.entries(input)) {
    if (path.includes(`{${name}}`)) path = path.replace(`{${name}}`, String(value))
    else rest[name] = value
  }
  if (operation.stream || operation.media) {
    const leave = new AbortController()
    const answer = await fetch(`${souk.url}${path}?${new URLSearchParams(rest as Record<string, string>)}`, {
      headers,
      signal: leave.signal,
    })
    if (answer.ok) leave.abort()
    return answer.ok ? 'allowed' : ((await answer.json()) as { code: string }).code
  }
  if (operation.body) return outcome(await souk.raw(operation.method, path, headers, rest))
  const query = new URLSearchParams(rest as Record<string, string>).toString()
  return outcome(await souk.raw(operation.method, query ? `${path}?${query}` : path, headers))

  function outcome({ status, body }: { status: number; body: { code?: string } }): string {
    // The provider of an example is not reachable.
    if (status >= 500 && body.code !== 'issuer_unavailable') throw new Error(`${operation.id} answered ${status}`)
    const about = [
      'permission_denied',
      'session_invalid',
      'admin_token_invalid',
      'csrf_invalid',
      missingCode(operation),
    ]
    return about.find((code) => code === body.code) ?? 'allowed'
  }
}

const ofUser = ({ cookie, csrf }: ConsoleUser) => ({ Cookie: cookie, 'X-Souk-CSRF': csrf })

function missingCode({ access }: Operation): string | undefined {
  return typeof access === 'object' && access.by !== 'anyProject' ? notFound[access.by] : undefined
}

/** Error for a resource in a project of others; only projects and datasets are disclosed (open-api §5.1). */
function foreignCode(operation: Operation): string | undefined {
  const { access } = operation
  const isDisclosed = typeof access === 'object' && (access.by === 'projectId' || access.by === 'datasetId')
  return isDisclosed ? 'permission_denied' : missingCode(operation)
}

/** Returns the expected result of an operation by the table of rights. */
function expected(
  operation: Operation,
  caller: (typeof callers)[number] | 'adminToken',
  at: 'own' | 'foreign' | 'missing',
) {
  const { access } = operation
  const almighty = caller === 'administrator' || caller === 'adminToken'
  if (access === 'anyone' || access === 'signedIn') return 'allowed'
  if (access === 'account') return caller === 'adminToken' ? 'permission_denied' : 'allowed'
  if (access === 'administrator') return almighty ? 'allowed' : 'permission_denied'
  if (access?.by === 'anyProject') {
    const role = caller === 'nonMember' ? 'viewer' : caller
    return almighty || may(role as Role, access.action) ? 'allowed' : 'permission_denied'
  }
  if (at === 'missing') return missingCode(operation)
  if (almighty) return 'allowed'
  if (caller === 'nonMember' || at === 'foreign') return foreignCode(operation)
  return may(caller as Role, access!.action) ? 'allowed' : 'permission_denied'
}

test.each(Object.values(consoleOperations).map((operation): [string, Operation] => [operation.id, operation]))(
  '%s is allowed exactly as the table of rights says',
  async (id, operation) => {
    const places = { own, foreign, missing }
    const bound = typeof operation.access === 'object' && operation.access.by !== 'anyProject'
    const found: Record<string, string | undefined> = {}
    const right: Record<string, string | undefined> = {}
    for (const at of bound ? (['missing', 'foreign', 'own'] as const) : (['own'] as const)) {
      for (const caller of [...callers, 'adminToken', 'anonymous'] as const) {
        const key = `${caller}, ${at}`
        // The caller before may have replaced it.
        if (caller === 'adminToken') await souk.restoreAdminToken()
        // Signing out and leaving use a separate session and membership.
        const once = id === 'consoleSignOut' && caller !== 'adminToken' && caller !== 'anonymous'
        const headers: Record<string, string> =
          caller === 'anonymous'
            ? {}
            : caller === 'adminToken'
              ? { Authorization: `Bearer ${souk.adminToken}` }
              : ofUser(once ? await souk.signIn(users[caller]) : users[caller])
        const outcome = await outcomeOf(headers, operation, inputOf(operation, places[at]))
        found[key] = outcome
        right[key] =
          caller !== 'anonymous'
            ? expected(operation, caller, at)
            : operation.access === 'anyone'
              ? 'allowed'
              : 'session_invalid'
      }
    }
    expect(found).toEqual(right)
  },
)

test('refuses a mini app together with the id of another project', async () => {
  const { projectId } = own
  for (const path of [
    'trades',
    'callbacks',
    'requests',
    'feedback',
    'notifications',
    'activities',
    'trade-totals',
    'refunds',
    'ledger',
    'reconciliations',
  ]) {
    const answer = await users.owner.call('GET', `/console/v1/projects/${projectId}/${path}?appid=${foreign.appid}`)
    expect([path, answer.body.code]).toEqual([path, 'app_not_found'])
  }
  const replay = await users.owner.call('POST', `/console/v1/projects/${projectId}/replays`, { appid: foreign.appid })
  expect(replay.body.code).toBe('app_not_found')
})

test('lists across projects contain only what the caller may see', async () => {
  const appids = async (user: ConsoleUser) =>
    (await user.call('GET', '/console/v1/apps')).body.map(({ appid }: { appid: string }) => appid)
  expect(await appids(users.viewer)).toContain(own.appid)
  expect(await appids(users.viewer)).not.toContain(foreign.appid)
  expect(await appids(users.nonMember)).toEqual([])
  expect(await appids(users.administrator)).toContain(foreign.appid)
  expect((await users.viewer.call('GET', `/console/v1/apps?projectId=${foreign.projectId}`)).body.code).toBe(
    'permission_denied',
  )
  expect((await users.viewer.call('GET', '/console/v1/requests')).body.code).toBe('permission_denied')

  // One mock user has messages from both projects.
  for (const { appid } of [own, foreign]) {
    await souk.console('POST', `/console/v1/apps/${appid}/notifications`, {
      uids: [own.uid],
      ...consoleOperations.sendTestNotification.example,
    })
  }
  const inbox = (await users.editor.call('GET', `/console/v1/sandbox/users/${own.uid}/inbox`)).body
  expect(new Set(inbox.map(({ appid }: { appid: string }) => appid))).toEqual(new Set([own.appid]))
})

test('only those who manage all projects of an account may manage the account', async () => {
  const link = (user: ConsoleUser, accountId: string) =>
    user.call('POST', `/console/v1/accounts/${accountId}/password-reset`, {}).then(({ body }) => body.code ?? 'link')
  const { accountId } = await souk.join(own.projectId, 'editor')
  expect(await link(users.owner, accountId)).toBe('link')
  // Also a member of another project, which the new password would open.
  await souk.context.sql`
    insert into project_members (project_id, account_id, role, ctime) values (${foreign.projectId}, ${accountId}, 'viewer', 0)`
  expect(await link(users.owner, accountId)).toBe('permission_denied')
  expect(await link(users.nonMember, accountId)).toBe('account_not_found')
  expect(await link(users.administrator, accountId)).toBe('link')
  // An administrator who is a member, and an account without projects.
  const administrator = users.administrator.accountId
  await souk.context.sql`
    insert into project_members (project_id, account_id, role, ctime) values (${own.projectId}, ${administrator}, 'viewer', 0)`
  expect(await link(users.owner, administrator)).toBe('permission_denied')
  await souk.context.sql`delete from project_members where account_id = ${accountId}`
  expect(await link(users.owner, accountId)).toBe('account_not_found')
  expect(await link(users.administrator, accountId)).toBe('link')
})

test('an archived mini app is closed to its backend and to changes, while money and callbacks go on', async () => {
  const { projectId } = (await souk.console('POST', '/console/v1/projects', { name: 'Closing' })).body
  const { appid, newTrade, uid } = await furnish(souk, projectId)
  const app = `/console/v1/apps/${appid}`
  const post = async (path: string, body: Input = {}) => (await souk.console('POST', path, body)).body
  const get = async (path: string) => (await souk.console('GET', path)).body
  const { settings } = souk.context
  settings.approvals = 'required'
  await souk.console('PATCH', app, { name: 'Requested' })
  settings.approvals = 'automatic'
  const [{ changeId }] = (await get(`/console/v1/change-requests?appid=${appid}&state=pending`)).items
  const tradeNo = await newTrade()
  const { secret } = await post(`${app}/secrets`)
  const create = async (outTradeNo: string) =>
    (
      await souk.signed({ appid, secret }, 'POST', '/neuopenapi/pay/transactions/trade', {
        outTradeNo,
        amount: 100,
        currency: 'SAR',
        openId: 'f'.repeat(32),
        notifyUrl: 'http://127.0.0.1:9/paid',
      })
    ).code

  expect(await post(`${app}/restore`)).toMatchObject({ code: 'app_not_archived' })
  expect(await post(`${app}/archive`)).toBe(true)
  expect(await create('late')).toBe('app_archived')
  expect(await post(`/console/v1/sandbox/codes`, { appid, uid })).toMatchObject({ code: 'app_not_found' })
  for (const refused of [
    souk.console('PATCH', app, { name: 'Renamed' }),
    souk.console('POST', `${app}/releases/${unknown.releaseId}/publish`, {}),
    souk.console('POST', `${app}/notifications`, { uids: [uid], ...consoleOperations.sendTestNotification.example }),
    souk.console('POST', `/console/v1/change-requests/${changeId}/approve`, {}),
  ])
    expect((await refused).body).toMatchObject({ code: 'app_archived' })

  expect(await post('/console/v1/sandbox/payments', { tradeNo, uid })).toEqual({ status: 2 })
  expect(await post(`/console/v1/trades/${tradeNo}/refunds`, { note: 'Closed' })).not.toHaveProperty('code')
  const callbacks = await get(`/console/v1/projects/${projectId}/callbacks?appid=${appid}`)
  expect(callbacks.items.map((each: { tradeNo: string }) => each.tradeNo)).toContain(tradeNo)

  const appids = async (query: string) => (await get(`/console/v1/apps?${query}`)).map((each: Input) => each.appid)
  expect(await appids(`projectId=${projectId}`)).toEqual([])
  expect(await appids(`projectId=${projectId}&archived=true`)).toEqual([appid])
  expect((await get(`/console/v1/projects/${projectId}/search?text=${appid}`)).apps).toEqual([{ appid, name: 'Tea' }])

  expect(await post(`${app}/restore`)).toBe(true)
  expect(await create('again')).toBe('open_id_unknown')
  expect(await appids(`projectId=${projectId}`)).toEqual([appid])
})

test('the callback stream ends when the account is disabled', async () => {
  const { appid, notifyId, projectId } = own
  const heard = async (headers: Record<string, string>) => {
    const leave = new AbortController()
    const { body } = await fetch(`${souk.url}/console/v1/listen?appid=${appid}`, { headers, signal: leave.signal })
    let text = ''
    const reading = (async () => {
      for await (const chunk of body!.pipeThrough(new TextDecoderStream())) text += chunk
    })()
    return {
      count: () => text.split('event: callback').length - 1,
      end: async () => {
        leave.abort()
        await reading.catch(() => {})
      },
    }
  }
  const user = await souk.join(projectId, 'editor')
  const listener = await heard(ofUser(user))
  const witness = await heard({ Authorization: `Bearer ${souk.adminToken}` })
  souk.live.emit('callback', { notifyId, appid })
  await expect.poll(() => [listener.count(), witness.count()]).toEqual([1, 1])
  await souk.console('PATCH', `/console/v1/accounts/${user.accountId}`, { enabled: false })
  for (const number of [2, 3]) {
    souk.live.emit('callback', { notifyId, appid })
    await expect.poll(() => witness.count()).toBe(number)
  }
  expect(listener.count()).toBe(1)
  await Promise.all([listener.end(), witness.end()])
})

test('only administrators may allow private callback hosts', async () => {
  const change = (user: ConsoleUser, callbackHosts: string[]) =>
    user.call('PATCH', `/console/v1/apps/${own.appid}`, { callbackHosts })
  expect((await change(users.owner, ['pay.internal'])).body.code).toBe('permission_denied')
  expect((await change(users.administrator, ['pay.internal'])).status).toBe(200)
  for (const entry of ['169.254.169.254', '169.254.0.0/16', 'http://pay.internal', '*', '0.0.0.0']) {
    expect([entry, (await change(users.administrator, [entry])).body.code]).toEqual([entry, 'parameter_invalid'])
  }
})
