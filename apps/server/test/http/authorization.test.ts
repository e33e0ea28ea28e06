import { consoleOperations, may, type Operation, type Role, roles } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { clearDataset } from '../../src/domain/miniApps/index.ts'
import { eraseApp, eraseProject } from '../../src/domain/operations/index.ts'
import { exampleInput, placeInput, unknownIds } from '../exampleInput.ts'
import { type FurnishedProject, furnish } from '../furnishedProject.ts'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'
import { foreignCode, missingCode } from './refusals.ts'

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
  recordingId: 'f'.repeat(32),
  replayId: 'f'.repeat(32),
  providerAccountId: 'f'.repeat(32),
  reconciliationId: 'f'.repeat(32),
  blockId: 'f'.repeat(32),
  accountId: 'f'.repeat(32),
  uid: 1,
}

const callers = [...roles, 'nonMember', 'administrator'] as const
let users: Record<(typeof callers)[number], ConsoleUser>

const inputOf = (operation: Operation, identifiers: Identifiers) =>
  exampleInput(operation, {
    ...identifiers,
    ...unknownIds,
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

/** Returns `allowed`, or the code of an authorization error. */
async function outcomeOf(headers: Record<string, string>, operation: Operation, input: Input): Promise<string> {
  const { target, body } = placeInput(operation, input)
  if (operation.stream || operation.media) {
    const leave = new AbortController()
    const answer = await fetch(souk.url + target, { headers, signal: leave.signal })
    if (answer.ok) leave.abort()
    return answer.ok ? 'allowed' : ((await answer.json()) as { code: string }).code
  }
  return outcome(await souk.raw(operation.method, target, headers, body))

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
    (await user.call('GET', '/console/v1/apps?limit=200')).body.items.map(({ appid }: { appid: string }) => appid)
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

test('an archived mini app rejects its backend and changes, while payments and callbacks continue', async () => {
  const { projectId } = (await souk.console('POST', '/console/v1/projects', { name: 'Closing' })).body
  const { appid, newTrade, uid } = await furnish(souk, projectId)
  const app = `/console/v1/apps/${appid}`
  const post = async (path: string, body: Input = {}) => (await souk.console('POST', path, body)).body
  const get = async (path: string) => (await souk.console('GET', path)).body
  const { rules } = souk.context
  rules.approvals = 'required'
  await souk.console('PATCH', app, { name: 'Requested' })
  rules.approvals = 'automatic'
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
    souk.console('POST', `${app}/releases/${unknownIds.releaseId}/publish`, {}),
    souk.console('POST', `${app}/notifications`, { uids: [uid], ...consoleOperations.sendTestNotification.example }),
    souk.console('POST', `/console/v1/change-requests/${changeId}/approve`, {}),
  ])
    expect((await refused).body).toMatchObject({ code: 'app_archived' })

  expect(await post('/console/v1/sandbox/payments', { tradeNo, uid })).toEqual({ status: 2 })
  expect(await post(`/console/v1/trades/${tradeNo}/refunds`, { note: 'Closed' })).not.toHaveProperty('code')
  const callbacks = await get(`/console/v1/projects/${projectId}/callbacks?appid=${appid}`)
  expect(callbacks.items.map((each: { tradeNo: string }) => each.tradeNo)).toContain(tradeNo)

  const appids = async (query: string) =>
    (await get(`/console/v1/apps?${query}`)).items.map((each: Input) => each.appid)
  expect(await appids(`projectId=${projectId}`)).toEqual([])
  expect(await appids(`projectId=${projectId}&archived=true`)).toEqual([appid])
  expect((await get(`/console/v1/search?text=${appid}`)).apps).toMatchObject([{ appid, name: 'Tea', projectId }])

  expect(await post(`${app}/restore`)).toBe(true)
  expect(await create('again')).toBe('open_id_unknown')
  expect(await appids(`projectId=${projectId}`)).toEqual([appid])
})

/** Tables with rows of a mini app, by what remains of them when it is deleted. New tables have to decide. */
const erased = [
  ...['activities', 'alert_rules', 'analytics_cohorts', 'analytics_counts', 'analytics_days', 'analytics_errors'],
  ...['analytics_error_users', 'custom_events', 'error_recordings', 'funnels', 'host_function_grants'],
  ...['analytics_events', 'analytics_trades', 'analytics_user_days', 'analytics_users', 'app_secrets', 'app_testers'],
  ...['callback_receivers', 'canaries', 'blocks', 'change_requests', 'consents', 'feedback', 'files', 'inbox'],
  ...[
    'inspections',
    'login_codes',
    'message_counts',
    'message_levels',
    'notifications',
    'open_ids',
    'release_reviews',
    'releases',
    'sandbox_callback_faults',
    'sandbox_cards',
  ],
]
const kept = [
  ...['all_trades', 'apps', 'callback_attempts', 'callbacks', 'ledger_entries', 'merchants', 'payment_attempts'],
  ...['reconciliation_differences', 'refunds', 'shadow_answers', 'trade_changes', 'trade_events'],
  ...['trade_sums'],
  // Removed by their age.
  ...['request_log', 'used_signs'],
]

test('each table with rows of mini apps declares what remains of a deleted one', async () => {
  const tables = await souk.context.sql<{ name: string }[]>`
    select relname as name from pg_class c
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace and (
      exists (select from pg_attribute where attrelid = c.oid and attname = 'appid')
      or exists (select from pg_constraint where conrelid = c.oid and confrelid = 'apps'::regclass))`
  expect(tables.map(({ name }) => name).sort()).toEqual([...erased, ...kept].sort())
})

test('erasing a mini app searches no table without an index', async () => {
  const unindexed = await souk.context.sql`
    select conrelid::regclass::text as table, confrelid::regclass::text as erased from pg_constraint
    where contype = 'f' and confrelid::regclass::text = any(${erased}) and not exists (
      select from pg_index
      where indrelid = conrelid and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey)`
  expect(unindexed).toEqual([])
})

test('a deleted mini app is unknown, and only its name and its payments remain', async () => {
  const { sql } = souk.context
  const { projectId } = (await souk.console('POST', '/console/v1/projects', { name: 'Ending' })).body
  const { appid, uid, tradeNo, notifyId, requestId, feedbackId } = await furnish(souk, projectId)
  const app = `/console/v1/apps/${appid}`
  const { secret } = (await souk.console('POST', `${app}/secrets`, {})).body
  const post = async (path: string, body: Input = {}) => (await souk.console('POST', path, body)).body
  const get = async (path: string) => (await souk.console('GET', path)).body
  const remove = async (name = 'Tea') => post(`${app}/delete`, { name })
  const { session } = (await souk.json('', 'POST', '/host/v1/sessions', { uid })).body
  const asUser = async (path: string) => (await souk.json(session, 'GET', `/host/v1/${path}`)).body
  await fillTables(appid, uid)
  await post(`${app}/inspections`)
  const countErased = async () => {
    const counts = await Promise.all(
      erased.map((table) => sql<[{ count: number }]>`select count(*)::int from ${sql(table)} where appid = ${appid}`),
    )
    return Object.fromEntries(erased.map((table, index) => [table, counts[index]![0].count]))
  }
  expect(Object.entries(await countErased()).filter(([, count]) => count === 0)).toEqual([])

  expect(await remove()).toMatchObject({ code: 'app_not_archived' })
  await post(`${app}/archive`)
  expect(await remove('Coffee')).toMatchObject({ code: 'parameter_invalid' })
  await sql`update callbacks set state = 'pending' where appid = ${appid}`
  expect(await remove()).toMatchObject({ code: 'app_unfinished', detail: expect.stringContaining('callbacks') })
  await sql`update callbacks set state = 'dead', next_attempt = null where appid = ${appid}`
  expect(await remove()).toBe(true)

  // Unknown immediately, before the job has run.
  const create = {
    outTradeNo: 'late',
    amount: 100,
    currency: 'SAR',
    openId: 'f'.repeat(32),
    notifyUrl: 'http://shop.test',
  }
  const refused = await souk.signed({ appid, secret }, 'POST', '/neuopenapi/pay/transactions/trade', create)
  expect(refused.code).toBe('appid_invalid')
  expect(await asUser('consents')).toEqual([])
  expect(await asUser('inbox')).toEqual([])
  expect(await asUser('home')).toEqual([])
  const operationsOfApp = Object.values(consoleOperations as Record<string, Operation>).filter(
    ({ access }) => typeof access === 'object' && access.by === 'appid',
  )
  const identifiers = { ...own, appid, tradeNo }
  for (const operation of operationsOfApp) {
    const outcome = await outcomeOf(ofUser(users.administrator), operation, inputOf(operation, identifiers))
    expect([operation.id, outcome]).toEqual([operation.id, 'app_not_found'])
  }
  expect((await get(`/console/v1/apps?projectId=${projectId}&archived=true`)).items).toEqual([])
  expect((await get(`/console/v1/search?text=${appid}`)).apps).toEqual([])

  // The first run fails half-way.
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before delete on releases for each row execute function refuse()`)
  await expect(eraseApp(souk.context, appid)).rejects.toThrow('refused')
  await sql`drop trigger refuse on releases`
  await eraseApp(souk.context, appid)
  expect(Object.entries(await countErased()).filter(([, count]) => count > 0)).toEqual([])
  expect(await sql`select from release_contents where content_hash = 'deletion'`).toHaveLength(0)

  // Its money can be read, but not moved.
  const story = await get(`/console/v1/trades/${tradeNo}/story`)
  expect(story).toMatchObject({ appName: 'Tea', appDeleted: true, projectId, trade: { tradeNo, merchantName: 'Tea' } })
  expect(story.ledger).toHaveLength(1)
  expect(await get(`/console/v1/callbacks/${notifyId}`)).toMatchObject({ notifyId })
  expect(await get(`/console/v1/requests/${requestId}`)).toMatchObject({ requestId })
  for (const list of ['trades', 'callbacks']) {
    const { items } = await get(`/console/v1/projects/${projectId}/${list}?appid=${appid}`)
    expect([list, items.length]).toEqual([list, 1])
  }
  expect(await post(`/console/v1/trades/${tradeNo}/refunds`, { note: 'Late' })).toMatchObject({
    code: 'trade_not_found',
  })
  expect(await post(`/console/v1/callbacks/${notifyId}/replay`)).toMatchObject({ code: 'callback_not_found' })
  expect(await get(`/console/v1/feedback/${feedbackId}`)).toMatchObject({ code: 'feedback_not_found' })
})

/** Stores something of a mini app in each table whose rows are erased, except for those that `furnish` fills. */
async function fillTables(appid: string, uid: number): Promise<void> {
  const { sql } = souk.context
  const [id, text, uids] = ['e'.repeat(32), 'x', [uid]]
  await souk.console('POST', `/console/v1/apps/${appid}/notifications`, {
    uids,
    ...consoleOperations.sendTestNotification.example,
  })
  await souk.console('POST', `/console/v1/apps/${appid}/activities`, {
    uids,
    ...consoleOperations.sendTestActivity.example,
  })
  await souk.console('POST', `/console/v1/apps/${appid}/callback-fault`, { fault: 'drop', count: 1 })
  const { example } = consoleOperations.putHostFunction
  await souk.console('POST', '/console/v1/host-functions', example)
  await sql`insert into host_function_grants values (${appid}, ${example.name}, 0)`
  await sql`insert into message_levels (uid, appid, level, mtime) values (${uid}, ${appid}, 'on', 0)`
  await sql`insert into message_counts (uid, appid, day, messages) values (${uid}, ${appid}, 0, 1)`
  await sql`
    insert into sandbox_cards (card_id, sender, recipient, appid, title, path, image_url, extra_data, ctime)
    values (${id}, ${uid}, ${uid}, ${appid}, 'T', 'pages/a/a', '', '', 0)`
  await sql`insert into custom_events values (${appid}, 'order', '', '{}', 'console', null, 0)`
  await sql`insert into funnels (funnel_id, appid, name, steps, ctime) values (${id}, ${appid}, 'F', '{order}', 0)`
  await sql`insert into app_testers values (${appid}, ${uid})`
  await sql`insert into error_recordings values (${id}, ${appid}, ${uid}, ${text}, ${id}, ${id}, 1, 'x', 0)`
  await sql`insert into files (file_id, appid, media_type, content, ctime) values (${id}, ${appid}, 'image/png', 'x', 0)`
  await sql`insert into callback_receivers values (${appid}, 'shop.example', 0, 0)`
  await sql`
    insert into change_requests (change_id, appid, kind, before, value, state, ctime)
    values (${id}, ${appid}, 'name', '"Tea"', '"Coffee"', 'pending', 0)`
  await sql`
    insert into alert_rules (rule_id, appid, metric, threshold, window_minutes, min_count, roles, account_ids, ctime, mtime)
    values (${id}, ${appid}, 'errors', 1, 60, 1, '{}', '{}', 0, 0)`
  await sql`insert into alerts values (${id}, ${id}, 2, 1, 0)`
  await sql`
    insert into releases (release_id, appid, platform, version, stage, pages, inline_scripts, files, size, ctime)
    values (${id}, ${appid}, 'H5', '1.0.0', 'published', '{}', '{}', 1, 1, 0)`
  await sql`insert into release_contents values ('deletion', false, 1)`
  await sql`insert into release_files values (${id}, 'index.html', 'deletion')`
  await sql`insert into release_source_maps values (${id}, 'index.js', 'deletion')`
  await sql`insert into release_reviews (review_id, release_id, appid, state, ctime, mtime) values (${id}, ${id}, ${appid}, 'approved', 0, 0)`
  await sql`
    insert into canaries (canary_id, release_id, appid, platform, state, share, uids, languages, systems, factor, min_openings, ctime, mtime)
    values (${id}, ${id}, ${appid}, 'H5', 'running', 10, '{}', '{}', '{}', 2, 20, 0, 0)`
  await sql`insert into canary_users values (${id}, 1, ${uid}, true, 1)`
  await sql`insert into analytics_cohorts values (${appid}, 0, 0, 1)`
  await sql`insert into analytics_counts values (${appid}, 'day', 'open', 0, ${id}, ${text}, 1)`
  await sql`insert into analytics_days values (${appid}, 0, 1, 1, 1, 1)`
  await sql`insert into analytics_errors values (${appid}, ${text}, ${text}, ${text}, ${text}, ${id}, 0, 0)`
  await sql`insert into analytics_error_users values (${appid}, ${text}, ${id})`
  await sql`insert into analytics_events values (0, ${appid}, ${id}, ${id}, 'open', ${text})`
  await sql`insert into analytics_trades values (${appid}, 0, 'SAR', 1, 1, 1, 1, 100) on conflict do nothing`
  await sql`insert into analytics_user_days values (${appid}, 0, ${id}, 1)`
  await sql`insert into analytics_users values (${appid}, ${id}, 0, 0)`
}

test('an archived project disables its mini apps and programs, and can be deleted after them', async () => {
  const { sql } = souk.context
  const { projectId } = (await souk.console('POST', '/console/v1/projects', { name: 'Moving' })).body
  const project = `/console/v1/projects/${projectId}`
  const post = async (path: string, body: Input = {}) => (await souk.console('POST', path, body)).body
  const get = async (path: string) => (await souk.console('GET', path)).body
  const { appid, tradeNo } = await furnish(souk, projectId)
  const earlier = (await post('/console/v1/apps', { name: 'Earlier', projectId })).appid
  await post(`/console/v1/apps/${earlier}/archive`)
  const owner = await souk.join(projectId, 'owner')
  const { key: apiKey } = (await owner.call('POST', '/console/v1/api-key/show', {})).body
  const { token } = await post(`${project}/service-accounts`, { name: 'ci', scopes: ['apps:read', 'datasets:read'] })
  const fields = [{ name: 'text', type: 'string' }]
  const { datasetId } = await post('/api/v1/datasets', { projectId, name: 'notes', fields })
  await post(`/api/v1/datasets/${datasetId}/records`, { records: [{ text: 'Tea' }] })
  const { token: invitation } = await post(`${project}/invitations`, { role: 'viewer' })
  const byKey = async () => (await souk.raw('GET', `/api/v1/datasets/${datasetId}`, { 'X-API-Key': apiKey })).body
  const byProgram = async () => (await souk.json(token, 'GET', `/console/v1/apps/${appid}`)).body
  const archivedApps = async () =>
    (await get(`/console/v1/apps?projectId=${projectId}&archived=true`)).items.map((each: Input) => each.appid).sort()
  const archivedTimeOf = async (user: ConsoleUser) =>
    (await user.call('GET', '/console/v1/projects')).body.map((each: Input) => typeof each.archivedTime)

  expect(await post(`${project}/restore`)).toMatchObject({ code: 'project_not_archived' })
  expect([await byKey(), await byProgram()]).toMatchObject([{ datasetId }, { appid }])
  expect(await post(`${project}/archive`)).toBe(true)
  expect(await archivedTimeOf(owner)).toEqual(['number'])
  expect(await archivedApps()).toEqual([appid, earlier].sort())
  for (const refused of [
    byKey(),
    byProgram(),
    post('/console/v1/apps', { name: 'New', projectId }),
    post(`/console/v1/apps/${appid}/restore`),
    post(`${project}/invitations`, { role: 'viewer' }),
    post(`/api/v1/datasets/${datasetId}/records`, { records: [{ text: 'Late' }] }),
  ])
    expect(await refused).toMatchObject({ code: 'project_archived' })
  const { status } = await souk.raw('POST', '/console/v1/invitations/show', {}, { token: invitation })
  expect(status).toBe(404)
  expect(await get(`/console/v1/trades/${tradeNo}/story`)).toMatchObject({ appName: 'Tea' })

  expect(await post(`${project}/restore`)).toBe(true)
  expect(await archivedApps()).toEqual([earlier])
  expect([await byKey(), await byProgram()]).toMatchObject([{ datasetId }, { appid }])

  const remove = (name = 'Moving') => post(`${project}/delete`, { name })
  expect(await remove()).toMatchObject({ code: 'project_not_archived' })
  await post(`${project}/archive`)
  expect(await remove('Staying')).toMatchObject({ code: 'parameter_invalid' })
  expect(await remove()).toMatchObject({ code: 'project_not_empty' })
  await sql`update callbacks set state = 'dead', next_attempt = null where appid = ${appid}`
  for (const [id, name] of [
    [appid, 'Tea'],
    [earlier, 'Earlier'],
  ])
    expect(await post(`/console/v1/apps/${id}/delete`, { name })).toBe(true)
  expect(await remove()).toBe(true)
  await eraseProject(souk.context, projectId)
  await clearDataset(souk.context, datasetId)

  expect(await archivedTimeOf(owner)).toEqual([])
  expect((await owner.call('GET', project)).body).toMatchObject({ code: 'project_not_found' })
  expect((await owner.call('GET', `${project}/trades`)).body).toMatchObject({ code: 'project_not_found' })
  expect(await byProgram()).toMatchObject({ code: 'service_account_removed' })
  expect(await get(project)).toMatchObject({ code: 'project_not_found' })
  expect(await post(`${project}/restore`)).toMatchObject({ code: 'project_not_found' })
  for (const table of ['project_members', 'invitations', 'datasets', 'union_ids'])
    expect([table, await sql`select from ${sql(table)} where project_id = ${projectId}`]).toEqual([table, []])
  expect(await sql`select from dataset_records where dataset_id = ${datasetId}`).toEqual([])
  // For administrators, the money stays.
  expect((await get(`${project}/trades`)).items).toMatchObject([{ tradeNo }])
  expect(await get(`/console/v1/trades/${tradeNo}`)).toMatchObject({ trade: { tradeNo } })
  const { items } = await get(`/console/v1/audit?projectId=${projectId}`)
  expect(items[0]).toMatchObject({ action: 'project.delete', detail: { name: 'Moving' } })
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
