import {
  consoleOperations,
  day,
  minute,
  type Operation,
  operations,
  platformOperations,
  scopesOf,
  serviceScopes,
} from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveOf, build } from '../archive.ts'
import { exampleInput, placeInput, unknownIds } from '../exampleInput.ts'
import { type FurnishedProject, furnish } from '../furnishedProject.ts'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'
import { foreignCode, missingCode } from './refusals.ts'

type Input = Record<string, unknown>

let souk: TestSouk
let owner: ConsoleUser
let own: FurnishedProject
let foreign: FurnishedProject

beforeAll(async () => {
  souk = await startTestSouk()
  const [mine, theirs] = await Promise.all(
    ['Mine', 'Theirs'].map(
      async (name) => (await souk.console('POST', '/console/v1/projects', { name })).body.projectId as string,
    ),
  )
  owner = await souk.join(mine!, 'owner')
  own = await furnish(souk, mine!)
  foreign = await furnish(souk, theirs!)
})
afterAll(() => souk.stop())

const path = () => `/console/v1/projects/${own.projectId}/service-accounts`
let count = 0

/** Adds a service account and returns its token. */
async function add(scopes: readonly string[], more: Input = {}) {
  const { status, body } = await owner.call('POST', path(), { name: `CI ${++count}`, scopes, ...more })
  expect(status).toBe(200)
  return body as { token: string; serviceAccount: { serviceAccountId: string; name: string; expires: number } }
}

/** Calls an operation in a project and returns `allowed`, or the code of an authorization error. */
async function outcomeOf(token: string, operation: Operation, project: FurnishedProject): Promise<string> {
  const { newTrade: _, ...identifiers } = project
  const input = exampleInput(operation, {
    ...identifiers,
    datasetId: `${project.projectId}.trades`,
    ...unknownIds,
    uids: [project.uid],
  })
  const { target, body } = placeInput(operation, input)
  const leave = new AbortController()
  const answer = await fetch(souk.url + target, {
    method: operation.method,
    headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: leave.signal,
  })
  if (answer.ok) {
    if (operation.stream || operation.media) leave.abort()
    else await answer.arrayBuffer()
    return 'allowed'
  }
  const { code } = (await answer.json()) as { code: string }
  const refusals = ['scope_missing', 'permission_denied', 'step_up_required', 'admin_token_invalid', 'session_invalid']
  return refusals.includes(code) || code === missingCode(operation) ? code : 'allowed'
}

const privileged = [...Object.values(consoleOperations), ...Object.values(platformOperations)].filter(
  ({ auth }) => auth !== 'none',
) as Operation[]
const named = (some: readonly Operation[]) => some.map((each): [string, Operation] => [each.id, each])
const open = privileged.filter((operation) => scopesOf(operation).length > 0)
const closed = privileged.filter((operation) => scopesOf(operation).length === 0)
const ofProject = open.filter(({ access }) => typeof access === 'object')

test('every scope permits an operation, and none permits one that shows secrets or manages the project', () => {
  for (const scope of serviceScopes)
    expect(open.some((operation) => scopesOf(operation).includes(scope as never))).toBe(true)
  expect(operations.filter((operation) => operation.stepUp && scopesOf(operation).length > 0)).toEqual([])
  const actions = new Set(open.map(({ access }) => (typeof access === 'object' ? access.action : access)))
  for (const action of ['project.manage', 'app.secret', 'app.manage', 'trade.refund', 'provider.manage'] as const) {
    expect([...actions]).not.toContain(action)
  }
})

const tokens = new Map<string, string>()
const tokenOf = async (scope: string) => {
  if (!tokens.has(scope)) tokens.set(scope, (await add([scope])).token)
  return tokens.get(scope)!
}

test.each(named(open))('%s is allowed with its scopes and no other', async (_, operation) => {
  const sufficient = scopesOf(operation)
  for (const scope of serviceScopes) {
    const isAllowed = sufficient === 'any' || sufficient.includes(scope)
    expect([scope, await outcomeOf(await tokenOf(scope), operation, own)]).toEqual([
      scope,
      isAllowed ? 'allowed' : 'scope_missing',
    ])
  }
})

test.each(named(ofProject))('%s does not reach another project with any scope', async (_, operation) => {
  tokens.set('all', tokens.get('all') ?? (await add(serviceScopes)).token)
  const code = foreignCode(operation) ?? expect.unreachable('it is of no project')
  expect(await outcomeOf(tokens.get('all')!, operation, foreign)).toBe(code)
})

test.each(named(closed))('%s is not for programs', async (_, operation) => {
  tokens.set('all', tokens.get('all') ?? (await add(serviceScopes)).token)
  expect(await outcomeOf(tokens.get('all')!, operation, own)).toBe('scope_missing')
})

const me = (token: string) => souk.json(token, 'GET', '/api/v1/me')
const codeOf = async (token: string) => (await me(token)).body.code

test('lists of all projects contain only the project of the account', async () => {
  const { token } = await add(['datasets:read', 'apps:read'])
  const datasets = (await souk.json(token, 'GET', '/api/v1/datasets')).body.items
  const apps = (await souk.json(token, 'GET', '/console/v1/apps')).body.items
  for (const { projectId } of [...datasets, ...apps]) expect(projectId).toBe(own.projectId)
  expect(apps.length).toBeGreaterThan(0)
})

test('with projects:read it lists and shows its project, and no scope creates or leaves projects', async () => {
  const { token } = await add(['projects:read'])
  const { body: listed } = await souk.json(token, 'GET', '/console/v1/projects')
  expect(listed).toMatchObject([{ projectId: own.projectId, role: 'viewer' }])
  expect((await souk.json(token, 'GET', `/console/v1/projects/${own.projectId}`)).body).toEqual(listed[0])
  const { items, next } = (await souk.json(token, 'GET', '/api/v1/projects')).body
  expect(items).toMatchObject([{ projectId: own.projectId }])
  expect(next).toBe(null)

  const { token: reader } = await add(['apps:read'])
  expect((await souk.json(reader, 'GET', '/console/v1/projects')).body).toMatchObject({
    code: 'scope_missing',
    detail: 'The service account lacks the scope. It needs projects:read; it has apps:read.',
    data: { scopes: ['projects:read'] },
  })
  const closed: [string, Input][] = [
    ['/console/v1/projects', { name: 'Shop' }],
    [`/console/v1/projects/${own.projectId}/leave`, {}],
  ]
  for (const [target, input] of closed) {
    expect((await souk.json(token, 'POST', target, input)).body).toMatchObject({
      code: 'scope_missing',
      detail: 'The service account lacks the scope. No scope permits this; use an account or the admin token.',
    })
  }
})

test('a token is shown once, stored hashed, and refused when wrong, expired or removed', async () => {
  const { token, serviceAccount } = await add(['apps:read'])
  expect(token).toMatch(/^souk_sa_[0-9a-f]{32}_[\w-]{43}$/)
  expect((await me(token)).body).toMatchObject({
    via: 'serviceAccount',
    name: serviceAccount.name,
    administrator: false,
  })
  const listed = (await owner.call('GET', path())).body
  expect(JSON.stringify(listed)).not.toContain(token.slice(-43))
  const [row] = await souk.context.sql`select service_accounts::text as row from service_accounts
    where service_account_id = ${serviceAccount.serviceAccountId}`
  expect(row!.row).not.toContain(token.slice(-43))

  const other = (await add(['apps:read'])).token
  for (const wrong of [
    'souk_sa_',
    `${token}x`,
    token.slice(0, 41) + other.slice(41),
    `souk_sa_${'f'.repeat(32)}_${token.slice(41)}`,
  ]) {
    expect(await codeOf(wrong)).toBe('service_token_invalid')
  }
  expect((await souk.json(`${token}x`, 'GET', '/console/v1/apps')).body.code).toBe('service_token_invalid')

  await souk.context
    .sql`update service_accounts set expires = ${Date.now()} where service_account_id = ${serviceAccount.serviceAccountId}`
  expect(await codeOf(token)).toBe('service_account_expired')
  const one = `${path()}/${serviceAccount.serviceAccountId}`
  expect((await owner.call('DELETE', one)).body).toBe(true)
  expect(await codeOf(token)).toBe('service_account_removed')
  expect((await owner.call('DELETE', one)).body.code).toBe('service_account_not_found')
})

test('it expires after 90 days unless told otherwise, and after a year at most', async () => {
  const { serviceAccount } = await add(['apps:read'])
  expect(Math.round((serviceAccount.expires - Date.now()) / day)).toBe(90)
  const year = (await add(['apps:read'], { days: 365 })).serviceAccount
  expect(Math.round((year.expires - Date.now()) / day)).toBe(365)
})

test('wrong scopes, lifetimes and names are refused', async () => {
  const { serviceAccount } = await add(['apps:read'])
  const codeOf = async (input: Input) => (await owner.call('POST', path(), { name: 'new', ...input })).body.code
  for (const scopes of [[], ['apps:write'], ['apps:read', 'apps:read'], 'apps:write', ['project.manage']]) {
    expect(await codeOf({ scopes })).toBe('parameter_invalid')
  }
  for (const days of [0, 366, 1.5]) expect(await codeOf({ scopes: ['apps:read'], days })).toBe('parameter_invalid')
  expect(await codeOf({ scopes: ['apps:read'], name: serviceAccount.name })).toBe('service_account_name_taken')
  await souk.context.sql`
    insert into service_accounts (service_account_id, project_id, name, scopes, token_hash, expires, ctime)
    select gen_random_uuid(), ${own.projectId}, 'full ' || n, '{}', '', 0, 0 from generate_series(1, 50) as n`
  expect(await codeOf({ scopes: ['apps:read'] })).toBe('service_account_limit_reached')
  await souk.context.sql`delete from service_accounts where name like 'full %'`
})

test('its last use is listed with the address', async () => {
  const { token, serviceAccount } = await add(['apps:read'])
  const use = async () =>
    (await owner.call('GET', path())).body.find(
      ({ serviceAccountId }: { serviceAccountId: string }) => serviceAccountId === serviceAccount.serviceAccountId,
    )
  expect(await use()).toMatchObject({ lastUsedAt: null, lastUsedFrom: null, createdBy: owner.username })
  await me(token)
  await expect.poll(async () => (await use()).lastUsedFrom, { timeout: minute }).toBe('127.0.0.1')
})

test('uploads carry its name, in the release, the audit log and the request for approval', async () => {
  const { token, serviceAccount } = await add(['releases:write', 'releases:publish', 'audit:read'])
  const form = new FormData()
  form.append('version', '9.0.0')
  form.append('fileData', new Blob([new Uint8Array(await archiveOf(build()))]), 'release.tar.gz')
  const headers = { Authorization: `Bearer ${token}` }
  const releases = `/console/v1/apps/${own.appid}/releases`
  const answer = await fetch(souk.url + releases, { method: 'POST', headers, body: form })
  expect(answer.status).toBe(200)
  const { releaseId } = (await answer.json()) as { releaseId: string }
  const listed = (await souk.json(token, 'GET', releases)).body
  const { name, serviceAccountId } = serviceAccount
  expect(listed.find((each: { releaseId: string }) => each.releaseId === releaseId).uploadedBy).toBe(name)
  const { items } = (await souk.json(token, 'GET', `/console/v1/audit?projectId=${own.projectId}`)).body
  expect(items[0]).toMatchObject({
    actor: `serviceAccount ${serviceAccountId}`,
    actorName: name,
    action: 'release.upload',
  })

  souk.context.rules.approvals = 'required'
  await souk.context.sql`update apps set publication_approved = false where appid = ${own.appid}`
  expect((await souk.json(token, 'POST', `${releases}/${releaseId}/publish`, {})).status).toBe(200)
  souk.context.rules.approvals = 'automatic'
  const requests = (await souk.console('GET', `/console/v1/change-requests?appid=${own.appid}&state=pending`)).body
    .items
  expect(requests[0]).toMatchObject({ kind: 'publication', requestedBy: name })
})
