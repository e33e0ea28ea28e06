import { capabilities, hour, noDomains } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createUser, signIn } from '../../src/domain/users/index.ts'
import { archiveOf, build } from '../archive.ts'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
let administrator: ConsoleUser
let projectId: string
let owner: ConsoleUser
let editor: ConsoleUser
let appid: string
let secret: string
let uid: number
let hostSession: string

beforeAll(async () => {
  souk = await startTestSouk({ approvals: 'required', projectCreation: 'allowed' })
  administrator = await souk.setUp()
  projectId = (await administrator.call('POST', '/console/v1/projects', { name: 'Coffee' })).body.projectId
  owner = await souk.join(projectId, 'owner')
  editor = await souk.join(projectId, 'editor')
  uid = (await createUser(souk.context, { kind: 'admin' }, { nickname: 'Layla' })).uid
  hostSession = (await signIn(souk.context, { kind: 'anyone' }, { uid })).session
  souk.secrets.add(hostSession)
})
afterAll(() => souk.stop())

beforeEach(async () => {
  const created = await owner.call('POST', '/console/v1/apps', { name: 'Souk Bank', projectId })
  ;({ appid, secret } = created.body)
})

const update = (user: ConsoleUser, change: object) => user.call('PATCH', `/console/v1/apps/${appid}`, change)
const settings = async () => (await owner.call('GET', `/console/v1/apps/${appid}`)).body
const decide = (user: ConsoleUser, changeId: string, verb: 'approve' | 'reject', input = {}) =>
  user.call('POST', `/console/v1/change-requests/${changeId}/${verb}`, input)

async function pending(kind: string): Promise<{ changeId: string } & Record<string, unknown>> {
  const { items } = (await administrator.call('GET', `/console/v1/change-requests?appid=${appid}&state=pending`)).body
  return items.find((item: { kind: string }) => item.kind === kind)
}

/** Approves the pending change of this kind. */
async function approve(kind: string): Promise<void> {
  expect((await decide(administrator, (await pending(kind)).changeId, 'approve')).status).toBe(200)
}

let uploads = 0
async function upload(): Promise<string> {
  const form = new FormData()
  form.append('version', `1.0.${uploads++}`)
  form.append('fileData', new Blob([new Uint8Array(await archiveOf(build()))]), 'release.tar.gz')
  const headers = { Cookie: owner.cookie, 'X-Souk-CSRF': owner.csrf }
  const answer = await fetch(`${souk.url}/console/v1/apps/${appid}/releases`, { method: 'POST', headers, body: form })
  return ((await answer.json()) as { releaseId: string }).releaseId
}
const publish = (releaseId: string) => owner.call('POST', `/console/v1/apps/${appid}/releases/${releaseId}/publish`, {})

/** Returns the mini app as a host user sees it. */
async function seen(): Promise<{ name: string; iconUrl: string | null; release: unknown } | undefined> {
  return (await souk.json(hostSession, 'GET', `/host/v1/apps?appids=${appid}`)).body.items[0]
}

const auditOf = async (action: string) =>
  (await administrator.call('GET', `/console/v1/audit?projectId=${projectId}&action=${action}`)).body.items

test('nothing of a mini app reaches host users or the open API before it is approved', async () => {
  expect(await update(owner, { capabilities, merchantName: 'National Bank' })).toMatchObject({
    status: 200,
    body: false,
  })
  await update(editor, { name: 'National Bank', iconUrl: 'https://bank.example/icon.png' })
  await update(editor, { merchantLogoUrl: 'https://bank.example/logo.png' })
  const releaseId = await upload()
  expect((await publish(releaseId)).body).toMatchObject({ stage: 'review', current: false })
  await owner.call('POST', `/console/v1/apps/${appid}/testers`, { uids: [uid] })

  expect(await seen()).toBeUndefined()
  const code = { code: 'x', grantType: 'authorization_code', scope: 'user.info' }
  const refused = await souk.signed({ appid, secret }, 'POST', '/neuopenapi/oauth/mini/accessToken', code)
  expect(refused.code).toBe('capability_missing')
  expect(await settings()).toMatchObject({
    name: 'Souk Bank',
    iconUrl: null,
    capabilities: [],
    merchantName: null,
    merchantLogoUrl: null,
  })
  expect((await owner.call('GET', `/console/v1/apps/${appid}/testers`)).body.uids).toEqual([])
  // Developers see what they have requested.
  const { changes } = await settings()
  expect(changes.map(({ kind, state }: Record<string, string>) => [kind, state])).toEqual(
    ['capabilities', 'iconUrl', 'merchantLogoUrl', 'merchantName', 'name', 'publication', 'testers'].map((kind) => [
      kind,
      'pending',
    ]),
  )

  for (const { kind } of changes) await approve(kind)
  expect(await seen()).toMatchObject({
    name: 'National Bank',
    iconUrl: 'https://bank.example/icon.png',
    release: { releaseId },
  })
  expect(await settings()).toMatchObject({
    capabilities: [...capabilities],
    merchantName: 'National Bank',
    merchantLogoUrl: 'https://bank.example/logo.png',
    changes: [],
  })
  expect((await owner.call('GET', `/console/v1/apps/${appid}/testers`)).body.uids).toEqual([uid])
})

test('a mini app without releases is not listed before its publication is approved', async () => {
  expect(await seen()).toBeUndefined()
})

describe('a change request', () => {
  test('is decided once, and audited with its requester and reviewer', async () => {
    await update(editor, { name: 'Bank' })
    const { changeId } = await pending('name')
    expect((await decide(administrator, changeId, 'reject')).body.code).toBe('parameter_missing')
    const reason = 'The name belongs to another company.'
    expect((await decide(administrator, changeId, 'reject', { reason })).body).toMatchObject({
      appid,
      appName: 'Souk Bank',
      projectName: 'Coffee',
      before: 'Souk Bank',
      value: 'Bank',
      state: 'rejected',
      requestedBy: editor.username,
      decidedBy: administrator.username,
      reason,
    })
    expect(await settings()).toMatchObject({
      name: 'Souk Bank',
      changes: [{ kind: 'name', state: 'rejected', reason }],
    })
    for (const verb of ['approve', 'reject'] as const) {
      expect((await decide(administrator, changeId, verb, verb === 'reject' ? { reason } : {})).body.code).toBe(
        'change_request_closed',
      )
    }
    expect((await auditOf('change.request'))[0]).toMatchObject({
      accountId: editor.accountId,
      subject: appid,
      detail: { kind: 'name', value: 'Bank', changeId },
    })
    expect((await auditOf('change.reject'))[0]).toMatchObject({
      accountId: administrator.accountId,
      detail: { kind: 'name', value: 'Bank', changeId, reason },
    })
  })

  test('is replaced by the next one of its kind, so that what was reviewed is what takes effect', async () => {
    await update(editor, { name: 'Tea House' })
    const reviewed = await pending('name')
    await update(editor, { name: 'National Bank' })
    expect((await decide(administrator, reviewed.changeId, 'approve')).body.code).toBe('change_request_closed')
    await update(editor, { name: 'National Bank' })
    const { items } = (await owner.call('GET', `/console/v1/change-requests?appid=${appid}`)).body
    expect(items.map(({ value, state }: Record<string, string>) => [value, state])).toEqual([
      ['National Bank', 'pending'],
      ['Tea House', 'withdrawn'],
    ])
  })

  test('takes effect once under concurrent decisions', async () => {
    await update(editor, { name: 'Tea House' })
    const { changeId } = await pending('name')
    const answers = await Promise.all([
      decide(administrator, changeId, 'approve'),
      decide(administrator, changeId, 'reject', { reason: 'No' }),
      owner.call('POST', `/console/v1/apps/${appid}/change-requests/${changeId}/withdraw`, {}),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('is withdrawn by its developers, or by saving the value in effect', async () => {
    await update(editor, { name: 'Tea House' })
    const { changeId } = await pending('name')
    const withdraw = (user: ConsoleUser, at = appid) =>
      user.call('POST', `/console/v1/apps/${at}/change-requests/${changeId}/withdraw`, {})
    const other = (await owner.call('POST', '/console/v1/apps', { name: 'Other', projectId })).body.appid
    expect((await withdraw(editor, other)).body.code).toBe('change_request_not_found')
    expect((await withdraw(editor)).body.state).toBe('withdrawn')

    await update(editor, { name: 'Tea House' })
    expect((await update(editor, { name: 'Souk Bank' })).body).toBe(true)
    expect(await settings()).toMatchObject({ name: 'Souk Bank', changes: [] })
  })

  test('is not needed to give something up', async () => {
    await update(owner, { capabilities: ['login', 'payment'], iconUrl: 'https://tea.example/icon.png' })
    await update(owner, { domains: { request: ['a.example.com', 'b.example.com'], upload: ['a.example.com'] } })
    for (const kind of ['capabilities', 'iconUrl', 'domains']) await approve(kind)
    expect((await update(owner, { capabilities: ['login'], iconUrl: null })).body).toBe(true)
    expect((await update(owner, { domains: { request: ['b.example.com'] } })).body).toBe(true)
    expect(await settings()).toMatchObject({
      capabilities: ['login'],
      iconUrl: null,
      domains: { ...noDomains, request: ['b.example.com'], upload: ['a.example.com'] },
      changes: [],
    })
  })

  test('about domains completes the lists that were requested before', async () => {
    await update(owner, { domains: { request: ['a.example.com'] } })
    await update(owner, { domains: { webView: ['*.example.com'] } })
    expect((await settings()).domains).toEqual(noDomains)
    await approve('domains')
    expect((await settings()).domains).toEqual({ ...noDomains, request: ['a.example.com'], webView: ['*.example.com'] })
  })

  test('does not hold up the settings that need no approval', async () => {
    expect((await update(owner, { name: 'Tea House', language: 'ar_SA', languages: ['ar_SA'] })).body).toBe(false)
    expect(await settings()).toMatchObject({ name: 'Souk Bank', language: 'ar_SA' })
  })
})

test('only the first publication needs an approval', async () => {
  const first = await upload()
  await publish(first)
  const { changeId } = await pending('publication')
  await decide(administrator, changeId, 'reject', { reason: 'The page is empty.' })
  const releases = async () => (await owner.call('GET', `/console/v1/apps/${appid}/releases`)).body
  expect(await releases()).toMatchObject([{ releaseId: first, stage: 'development' }])

  // A release that is moved back or deleted is not published later.
  await publish(first)
  await owner.call('POST', `/console/v1/apps/${appid}/releases/${first}/stage`, { stage: 'development' })
  expect(await pending('publication')).toBeUndefined()
  await publish(first)
  await owner.call('DELETE', `/console/v1/apps/${appid}/releases/${first}`)
  expect(await pending('publication')).toBeUndefined()

  const second = await upload()
  await publish(second)
  await approve('publication')
  const third = await upload()
  expect((await publish(third)).body).toMatchObject({ stage: 'published', current: true })
  expect((await seen())?.release).toMatchObject({ releaseId: third })
})

test('a release whose publication is withdrawn or replaced returns to development, unless it is under review', async () => {
  const first = await upload()
  const second = await upload()
  const withdraw = async () => {
    const { changeId } = await pending('publication')
    const path = `/console/v1/apps/${appid}/change-requests/${changeId}/withdraw`
    expect((await owner.call('POST', path, {})).body).toMatchObject({ state: 'withdrawn' })
  }
  const stages = async () => {
    const { body } = await owner.call('GET', `/console/v1/apps/${appid}/releases`)
    return [first, second].map((id) => body.find((each: { releaseId: string }) => each.releaseId === id).stage)
  }
  await publish(first)
  expect(await stages()).toEqual(['review', 'development'])
  await publish(second)
  expect(await stages()).toEqual(['development', 'review'])
  await withdraw()
  expect(await stages()).toEqual(['development', 'development'])

  await publish(first)
  const path = `/console/v1/apps/${appid}/releases/${first}`
  const { reviewId } = (await owner.call('POST', `${path}/submit`, {})).body
  await withdraw()
  expect(await stages()).toEqual(['review', 'development'])

  // The publication of a release that is scheduled after its review needs no decision.
  await publish(first)
  await administrator.call('POST', `/console/v1/reviews/${reviewId}/approve`, {})
  await owner.call('POST', `${path}/publish`, { publishTime: souk.context.clock.now() + hour })
  expect(await pending('publication')).toBeUndefined()
  expect(await stages()).toEqual(['review', 'development'])
})

test('administrators do not approve their own requests unless there is no other administrator', async () => {
  await update(administrator, { name: 'Tea House' })
  const { changeId } = await pending('name')
  const { accountId } = await souk.join(projectId, 'viewer')
  await souk.context.sql`update accounts set administrator = true where account_id = ${accountId}`
  expect((await decide(administrator, changeId, 'approve')).body.code).toBe('own_change_request')
  await souk.context.sql`update accounts set enabled = false where account_id = ${accountId}`
  expect((await decide(administrator, changeId, 'approve')).status).toBe(200)
})

test('only administrators see the requests of all mini apps, and decide them', async () => {
  await update(editor, { name: 'Tea House' })
  const { changeId } = await pending('name')
  const outsider = await souk.join(
    (await administrator.call('POST', '/console/v1/projects', { name: 'Elsewhere' })).body.projectId,
    'owner',
  )
  const all = '/console/v1/change-requests'
  expect((await administrator.call('GET', all)).body.items[0]).toMatchObject({ changeId })
  for (const user of [owner, editor, outsider]) {
    expect((await user.call('GET', all)).body.code).toBe('permission_denied')
    expect((await decide(user, changeId, 'approve')).body.code).toBe('permission_denied')
    expect((await decide(user, changeId, 'reject', { reason: 'No' })).body.code).toBe('permission_denied')
    const trust = await user.call('POST', `/console/v1/projects/${projectId}/trust`, { trusted: true })
    expect(trust.body.code).toBe('permission_denied')
  }
  expect((await outsider.call('GET', `${all}?appid=${appid}`)).body.code).toBe('app_not_found')
})

test('editors submit releases, administrators review them, and owners publish what is approved', async () => {
  const releaseId = await upload()
  const path = `/console/v1/apps/${appid}/releases/${releaseId}`
  const required = (requireReviews: boolean) =>
    administrator.call('PATCH', '/console/v1/platform-settings', { requireReviews })
  await required(true)
  try {
    expect((await publish(releaseId)).body.code).toBe('release_review_required')
    const { reviewId } = (await editor.call('POST', `${path}/submit`, { testAccount: 'layla, tea' })).body
    const review = (user: ConsoleUser, verb: string, input = {}) =>
      user.call('POST', `/console/v1/reviews/${reviewId}/${verb}`, input)
    const reasons = [{ item: 'payment', text: 'The price is not shown.' }]
    for (const user of [owner, editor]) {
      for (const verb of ['start', 'approve', 'reject']) {
        expect((await review(user, verb, verb === 'reject' ? { reasons } : {})).body.code).toBe('permission_denied')
      }
      expect((await user.call('GET', '/console/v1/reviews')).body.code).toBe('permission_denied')
      expect((await user.call('GET', `${path}/review`)).body.review).toMatchObject({ submittedBy: editor.username })
    }
    expect((await administrator.call('GET', '/console/v1/reviews?open=true')).body.items[0]).toMatchObject({ reviewId })
    expect((await review(administrator, 'reject', { reasons: [] })).body.code).toBe('parameter_invalid')
    expect((await review(administrator, 'approve')).body).toMatchObject({
      state: 'approved',
      changedBy: administrator.username,
    })
    expect((await editor.call('POST', `${path}/publish`, {})).body.code).toBe('permission_denied')
    expect((await editor.call('POST', `${path}/withdraw`, {})).body.code).toBe('permission_denied')
    // The review replaces the approval of the first publication.
    expect((await publish(releaseId)).body).toMatchObject({ stage: 'published', current: true })
    expect((await review(administrator, 'reject', { reasons })).body.code).toBe('release_stage_conflict')
    expect((await auditOf('release.approve'))[0]).toMatchObject({
      accountId: administrator.accountId,
      subject: appid,
      detail: { releaseId, reviewId },
    })
    expect((await owner.call('POST', `${path}/withdraw`, {})).body).toMatchObject({ stage: 'development' })
    expect(await seen()).toBeUndefined()
  } finally {
    await required(false)
  }
})

test('administrators do not approve releases that they submitted unless there is no other administrator', async () => {
  const path = `/console/v1/apps/${appid}/releases/${await upload()}`
  const { reviewId } = (await administrator.call('POST', `${path}/submit`, {})).body
  const approval = () => administrator.call('POST', `/console/v1/reviews/${reviewId}/approve`, {})
  const { accountId } = await souk.join(projectId, 'viewer')
  await souk.context.sql`update accounts set administrator = true where account_id = ${accountId}`
  expect((await approval()).body.code).toBe('own_change_request')
  await souk.context.sql`update accounts set enabled = false where account_id = ${accountId}`
  expect((await approval()).body).toMatchObject({ state: 'approved' })
})

test('requests of a trusted project are approved immediately, and audited', async () => {
  const trust = (trusted: boolean) => administrator.call('POST', `/console/v1/projects/${projectId}/trust`, { trusted })
  expect((await trust(true)).status).toBe(200)
  expect((await owner.call('GET', `/console/v1/projects/${projectId}`)).body.trusted).toBe(true)
  expect((await update(editor, { name: 'Tea House' })).body).toBe(true)
  expect((await auditOf('change.approve'))[0]).toMatchObject({
    accountId: editor.accountId,
    subject: appid,
    detail: { kind: 'name', value: 'Tea House', trusted: true },
  })
  expect((await auditOf('project.trust'))[0]).toMatchObject({ accountId: administrator.accountId })
  await trust(false)
  expect((await update(editor, { name: 'Souk Bank' })).body).toBe(false)
})

describe('who may create projects', () => {
  const create = async (user: ConsoleUser) =>
    (await user.call('POST', '/console/v1/projects', { name: 'Souk Official' })).status
  const allow = (user: ConsoleUser, allowed: boolean) =>
    administrator.call('POST', `/console/v1/accounts/${user.accountId}/projects`, { allowed })
  const may = async (user: ConsoleUser) => (await user.call('GET', '/console/v1/session')).body.mayCreateProjects

  test.each([
    ['everyone', 200, 200, 200],
    ['allowed', 403, 200, 200],
    ['operators', 403, 403, 200],
  ] as const)('%s: account %i, allowed account %i, administrator %i', async (projectCreation, ...expected) => {
    const { rules } = souk.context
    const before = rules.projectCreation
    rules.projectCreation = projectCreation
    try {
      const allowed = await souk.join(projectId, 'viewer')
      expect((await allow(allowed, true)).status).toBe(200)
      const users = [await souk.join(projectId, 'owner'), allowed, administrator]
      const found: number[] = []
      for (const user of users) {
        found.push(await create(user))
        expect(await may(user)).toBe(found.at(-1) === 200)
      }
      expect(found).toEqual(expected)
      expect((await souk.console('POST', '/console/v1/projects', { name: 'Shop' })).status).toBe(200)
    } finally {
      rules.projectCreation = before
    }
  })

  test('a permission can be taken back, and only administrators give it', async () => {
    const user = await souk.join(projectId, 'owner')
    const path = `/console/v1/accounts/${user.accountId}/projects`
    expect((await owner.call('POST', path, { allowed: true })).body.code).toBe('permission_denied')
    await allow(user, true)
    expect(await create(user)).toBe(200)
    await allow(user, false)
    expect(await create(user)).toBe(403)
    const accounts = (await administrator.call('GET', '/console/v1/accounts?limit=200')).body.items
    expect(accounts.find(({ accountId }: ConsoleUser) => accountId === user.accountId).mayCreateProjects).toBe(false)
  })
})
