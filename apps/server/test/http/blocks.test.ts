import {
  type BlockState,
  blockStates,
  consoleOperations,
  mayLift,
  minute,
  type Operation,
  scopesOf,
  serviceScopes,
  states,
} from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishScheduledReleases, watchCanaries } from '../../src/domain/miniApps/index.ts'
import { createUser } from '../../src/domain/users/index.ts'
import { archiveOf, build } from '../archive.ts'
import { deliverMails, type MailServer, startMailServer } from '../mailServer.ts'
import { type ConsoleUser, type JsonAnswer, startTestSouk, type TestSouk } from '../souk.ts'

type Call = ConsoleUser['call']
/** A caller of the console, by a name for failures. */
type Callers = Record<string, Call>

/** A project with a mini app that has a published release and a further one, and a member. */
interface Place {
  projectId: string
  appid: string
  current: string
  next: string
  providerAccountId: string
  member: ConsoleUser
  uid: number
  owner: ConsoleUser
  /** Members and a program of the project. */
  members: Callers
}

let souk: TestSouk
let mail: MailServer
let administrator: ConsoleUser
/** Members of all projects of this test, and one whose account is disabled. */
let accounts: Record<'owner' | 'editor' | 'viewer' | 'member', ConsoleUser>

beforeAll(async () => {
  mail = await startMailServer()
  souk = await startTestSouk({ mail: mail.url, approvals: 'required' })
  administrator = await souk.setUp()
  const { projectId } = await ok(administrator.call('POST', '/console/v1/projects', { name: 'First' }))
  accounts = {
    owner: await souk.join(projectId, 'owner'),
    editor: await souk.join(projectId, 'editor'),
    viewer: await souk.join(projectId, 'viewer'),
    member: await souk.join(projectId, 'viewer'),
  }
})
afterAll(async () => {
  await souk.stop()
  await mail.stop()
})

const ok = async (answer: Promise<JsonAnswer>) => {
  const { status, body } = await answer
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

let uploads = 0
async function upload({ cookie, csrf }: ConsoleUser, appid: string, content = String(uploads)): Promise<string> {
  const form = new FormData()
  form.append('version', `1.0.${uploads++}`)
  const archive = await archiveOf(build('Mini App', { 'content.txt': content }))
  form.append('fileData', new Blob([new Uint8Array(archive)]), 'release.tar.gz')
  const headers = { Cookie: cookie, 'X-Souk-CSRF': csrf }
  const answer = await fetch(`${souk.url}/console/v1/apps/${appid}/releases`, { method: 'POST', headers, body: form })
  return ((await answer.json()) as { releaseId: string }).releaseId
}

/**
 * Creates a project that is trusted: none of its changes waits for an approval, which alone could prevent a lift. Of
 * releases, only scenes of releases need some.
 */
async function createPlace({ releases = true } = {}): Promise<Place> {
  const { owner, editor, viewer, member } = accounts
  const { projectId } = await ok(administrator.call('POST', '/console/v1/projects', { name: 'Tea' }))
  await ok(administrator.call('POST', `/console/v1/projects/${projectId}/trust`, { trusted: true }))
  await joinAll(projectId)
  const { token } = await ok(
    owner.call('POST', `/console/v1/projects/${projectId}/service-accounts`, {
      name: 'CI',
      scopes: [...serviceScopes],
    }),
  )
  const { appid } = await ok(owner.call('POST', '/console/v1/apps', { name: 'Tea House', projectId }))
  const domains = { request: ['api.tea.example'] }
  await ok(owner.call('PATCH', `/console/v1/apps/${appid}`, { capabilities: ['login', 'payment'], domains }))
  const account = { appid, provider: 'sandbox', name: 'Tea', settings: {}, secrets: {} }
  const { providerAccountId } = await ok(owner.call('POST', '/console/v1/provider-accounts', account))
  const current = releases ? await upload(owner, appid) : ''
  if (releases) await ok(owner.call('POST', `/console/v1/apps/${appid}/releases/${current}/publish`, {}))
  const next = releases ? await upload(owner, appid) : ''
  const { uid } = await createUser(souk.context, { kind: 'admin' }, { nickname: 'Layla' })
  const program: Call = (method, path, input) => souk.json(token, method, path, input)
  const members = { owner: owner.call, editor: editor.call, viewer: viewer.call, program }
  return { projectId, appid, current, next, providerAccountId, member, uid, owner, members }
}

/** Adds the accounts to a project; `member` leaves its other ones and is enabled. */
async function joinAll(projectId: string): Promise<void> {
  const { sql } = souk.context
  const { accountId } = accounts.member
  await sql`delete from project_members where account_id = ${accountId}`
  await sql`update blocks set answer_time = 0, lifted_time = 0 where subject = ${accountId} and lifted_time is null`
  await sql`update accounts set enabled = true where account_id = ${accountId}`
  const roles = { owner: 'owner', editor: 'editor', viewer: 'viewer', member: 'viewer' } as const
  for (const [name, role] of Object.entries(roles)) {
    const { accountId } = accounts[name as keyof typeof roles]
    await sql`
      insert into project_members (project_id, account_id, role, ctime) values (${projectId}, ${accountId}, ${role}, 0)`
  }
}

/** How a state is set, whether it is in force, and every attempt to end it or to get around it. */
interface Scene {
  /** Brings the subject out of the state in which a new place is. */
  prepare?(place: Place): Promise<unknown>
  set(call: Call, place: Place): Promise<JsonAnswer>
  isInForce(place: Place): Promise<boolean>
  /** Attempts by the operation that decides them. Their last call is the decisive one. */
  attempts: Record<string, (call: Call, place: Place) => Promise<JsonAnswer>>
  /** Attempts that members may make and that are of no use. */
  detours?: Record<string, (call: Call, place: Place) => Promise<unknown>>
}

const reason = 'It sells what is not there.'
const app = ({ appid }: Place) => `/console/v1/apps/${appid}`
const release = (place: Place, releaseId: string) => `${app(place)}/releases/${releaseId}`
const getApp = (place: Place) => ok(administrator.call('GET', app(place)))
const update = (input: object) => (call: Call, place: Place) => call('PATCH', app(place), input)
const post =
  (path: (place: Place) => string, input: object = {}) =>
  (call: Call, place: Place) =>
    call('POST', path(place), input)

const archiveAndRestore: Scene['detours'] = {
  async archiveAndRestoreApp(call, place) {
    await call('POST', `${app(place)}/archive`, {})
    await call('POST', `${app(place)}/restore`, {})
  },
  async archiveAndRestoreProject(call, { projectId }) {
    await call('POST', `/console/v1/projects/${projectId}/archive`, {})
    await call('POST', `/console/v1/projects/${projectId}/restore`, {})
  },
}

/** Returns whether users get a release, as current one or as canary, or can open it as testers. */
async function reachesUsers({ appid, uid }: Place, releaseId: string): Promise<boolean> {
  const canary = await souk.context.sql`
    select from canaries where release_id = ${releaseId} and state = 'running'`
  const { session } = (await souk.json('', 'POST', '/host/v1/sessions', { uid })).body
  souk.secrets.add(session)
  const { items }: { items: { releases: { releaseId: string }[] }[] } = await ok(
    souk.json(session, 'GET', `/host/v1/apps?appids=${appid}`),
  )
  const opened = items[0]?.releases ?? []
  return canary.length > 0 || opened.some((each) => each.releaseId === releaseId)
}

/** Attempts to give a release to users. */
const publications = (releaseOf: (place: Place) => string): Pick<Scene, 'attempts' | 'detours'> => {
  const of = (place: Place) => release(place, releaseOf(place))
  return {
    attempts: {
      publishRelease: post((place) => `${of(place)}/publish`),
      startCanary: post((place) => `${of(place)}/canary`, { share: 100 }),
      resumeCanary: post((place) => `${of(place)}/canary/resume`),
      rollBack: post((place) => `${of(place)}/roll-back`),
      deleteRelease: (call, place) => call('DELETE', of(place)),
    },
    detours: {
      async submitAndPublish(call, place) {
        await call('POST', `${of(place)}/submit`, {})
        await call('POST', `${of(place)}/publish`, {})
        await call('POST', `${of(place)}/withdraw`, {})
      },
      async stages(call, place) {
        await call('POST', `${of(place)}/stage`, { stage: 'review' })
        await call('POST', `${of(place)}/stage`, { stage: 'development' })
        await call('POST', `${of(place)}/publish`, {})
      },
      schedule: (call, place) => call('POST', `${of(place)}/publish`, { publishTime: souk.clock.now() + minute }),
      ...archiveAndRestore,
    },
  }
}

const startCanary = (place: Place) =>
  ok(place.owner.call('POST', `${release(place, place.next)}/canary`, { share: 100 }))

const scenes: Record<BlockState, Scene> = {
  appDisabled: {
    set: update({ enabled: false, reason }),
    isInForce: async (place) => !(await getApp(place)).enabled,
    attempts: { updateApp: update({ enabled: true }) },
    detours: {
      disableAndEnable: async (call, place) => {
        await call('PATCH', app(place), { enabled: false })
        await call('PATCH', app(place), { enabled: true, name: 'Tea Palace' })
      },
      ...archiveAndRestore,
    },
  },
  appArchived: {
    set: post((place) => `${app(place)}/archive`, { reason }),
    isInForce: async (place) => (await getApp(place)).archivedTime !== null,
    attempts: {
      restoreApp: post((place) => `${app(place)}/restore`),
      deleteApp: post((place) => `${app(place)}/delete`, { name: 'Tea House' }),
    },
    detours: archiveAndRestore,
  },
  capabilityRemoved: {
    set: update({ capabilities: ['login'], reason }),
    isInForce: async (place) => !(await getApp(place)).capabilities.includes('payment'),
    attempts: { updateApp: update({ capabilities: ['payment'] }) },
    detours: archiveAndRestore,
  },
  hostsRemoved: {
    set: update({ domains: { request: [] }, reason }),
    isInForce: async (place) => (await getApp(place)).domains.request.length === 0,
    attempts: { updateApp: update({ domains: { request: ['*.tea.example'] } }) },
    detours: archiveAndRestore,
  },
  projectArchived: {
    set: post(({ projectId }) => `/console/v1/projects/${projectId}/archive`, { reason }),
    isInForce: async (place) => {
      const project = await ok(administrator.call('GET', `/console/v1/projects/${place.projectId}`))
      return project.archivedTime !== null && (await getApp(place)).archivedTime !== null
    },
    attempts: {
      restoreProject: post(({ projectId }) => `/console/v1/projects/${projectId}/restore`),
      restoreApp: post((place) => `${app(place)}/restore`),
    },
    detours: archiveAndRestore,
  },
  analyticsOff: {
    set: (call, { projectId }) =>
      call('PATCH', `/console/v1/projects/${projectId}/analytics`, { enabled: false, reason }),
    isInForce: async ({ projectId }) => {
      const rows = await souk.context.sql`select from projects where project_id = ${projectId} and not analytics`
      return rows.length > 0
    },
    attempts: {
      switchAnalytics: (call, { projectId }) =>
        call('PATCH', `/console/v1/projects/${projectId}/analytics`, { enabled: true }),
    },
    detours: archiveAndRestore,
  },
  releaseWithdrawn: {
    set: post((place) => `${release(place, place.current)}/withdraw`, { reason }),
    isInForce: async (place) => !(await reachesUsers(place, place.current)),
    ...publications(({ current }) => current),
    detours: {
      ...publications(({ current }) => current).detours,
      async testers(call, place) {
        await call('POST', `${app(place)}/testers`, { uids: [place.uid] })
      },
    },
  },
  releaseRejected: {
    async prepare(place) {
      await ok(place.owner.call('POST', `${release(place, place.next)}/submit`, {}))
    },
    async set(call, place) {
      const { items } = await ok(administrator.call('GET', `/console/v1/reviews?appid=${place.appid}`))
      return call('POST', `/console/v1/reviews/${items[0].reviewId}/reject`, {
        reasons: [{ item: 'content', text: reason }],
      })
    },
    isInForce: async (place) => !(await reachesUsers(place, place.next)),
    attempts: (({ deleteRelease: _, ...attempts }) => attempts)(publications(({ next }) => next).attempts),
    detours: publications(({ next }) => next).detours!,
  },
  canaryPaused: {
    prepare: startCanary,
    set: post((place) => `${release(place, place.next)}/canary/pause`, { reason }),
    isInForce: async (place) => !(await reachesUsers(place, place.next)),
    ...publications(({ next }) => next),
    detours: {
      ...publications(({ next }) => next).detours,
      async widen(call, place) {
        await call('POST', `${release(place, place.next)}/canary/widen`, { uids: [place.uid] })
      },
      async endAndStart(call, place) {
        await call('POST', `${release(place, place.next)}/canary/roll-back`, {})
        await call('POST', `${release(place, place.next)}/canary`, { share: 100 })
      },
    },
  },
  accountDisabled: {
    set: (call, { member }) => call('PATCH', `/console/v1/accounts/${member.accountId}`, { enabled: false, reason }),
    isInForce: async ({ member }) => {
      const rows = await souk.context.sql`select from accounts where account_id = ${member.accountId} and not enabled`
      return rows.length > 0
    },
    attempts: {
      updateAccount: (call, { member }) => call('PATCH', `/console/v1/accounts/${member.accountId}`, { enabled: true }),
    },
    detours: {
      async invite(call, { projectId, member }) {
        await call('DELETE', `/console/v1/projects/${projectId}/members/${member.accountId}`)
      },
      reset: (call, { member }) => call('POST', `/console/v1/accounts/${member.accountId}/password-reset`, {}),
    },
  },
  providerAccountDisabled: {
    set: (call, { providerAccountId }) =>
      call('PATCH', `/console/v1/provider-accounts/${providerAccountId}`, { enabled: false, reason }),
    isInForce: async ({ appid }) => {
      const accounts = await ok(administrator.call('GET', `/console/v1/provider-accounts?appid=${appid}`))
      return accounts.every(({ enabled }: { enabled: boolean }) => !enabled)
    },
    attempts: {
      updateProviderAccount: (call, { providerAccountId }) =>
        call('PATCH', `/console/v1/provider-accounts/${providerAccountId}`, { enabled: true }),
      createProviderAccount: (call, { appid }) =>
        call('POST', '/console/v1/provider-accounts', {
          appid,
          provider: 'sandbox',
          name: 'Again',
          settings: {},
          secrets: {},
        }),
    },
    detours: {
      rename: (call, { providerAccountId }) =>
        call('PATCH', `/console/v1/provider-accounts/${providerAccountId}`, { name: 'Renamed', settings: {} }),
      ...archiveAndRestore,
    },
  },
  userDisabled: {
    set: (call, { uid }) => call('POST', `/console/v1/users/${uid}/disable`, { reason }),
    isInForce: async ({ uid }) =>
      (await ok(administrator.call('GET', `/console/v1/users/${uid}`))).state === 'disabled',
    attempts: { enableHostUser: (call, { uid }) => call('POST', `/console/v1/users/${uid}/enable`, {}) },
    detours: {
      signIn: (_call, { uid }) => souk.json('', 'POST', '/host/v1/sessions', { uid }),
    },
  },
}

/** Runs the jobs that change states. */
async function runJobs(): Promise<void> {
  souk.clock.offset += 2 * minute
  await publishScheduledReleases(souk.context)
  await watchCanaries(souk.context)
}

const operationOf = (id: string): Operation => (consoleOperations as Record<string, Operation>)[id]!
const subjectBlock = async ({ projectId }: Place, state: BlockState) => {
  const { items } = await ok(administrator.call('GET', `/console/v1/blocks?state=${state}&lifted=false`))
  return items.find((block: { projectId: string | null }) => block.projectId === projectId || block.projectId === null)
}

describe.each(blockStates)('%s', (state) => {
  const scene = scenes[state]
  const releases = states[state].subject === 'release'
  const { undo } = states[state]

  test('is tried by every operation of the table that members can call', () => {
    const callable = undo.filter((id) => operationOf(id).access !== 'administrator')
    // Deleting a project needs that its mini apps are deleted, which an archived project does not prevent.
    const tried = [...Object.keys(scene.attempts), 'restoreProject', 'deleteProject']
    expect(callable.filter((id) => !tried.includes(id))).toEqual([])
  })

  test('stays if an operator has set it, whatever members, programs and jobs do', async () => {
    const place = await createPlace({ releases })
    await scene.prepare?.(place)
    await ok(scene.set(administrator.call, place))
    expect(await scene.isInForce(place)).toBe(true)

    const listed =
      state === 'userDisabled' ? [] : [expect.objectContaining({ state, reason, blockedBy: administrator.username })]
    const blocks = await ok(place.owner.call('GET', `/console/v1/projects/${place.projectId}/blocks`))
    expect(blocks).toEqual(listed)

    const codes: string[] = []
    for (const [name, attempt] of Object.entries(scene.attempts)) {
      for (const [role, call] of Object.entries(place.members)) {
        const { body } = await attempt(call, place)
        if (role === 'owner') codes.push(body.code ?? 'allowed')
        expect([name, role, await scene.isInForce(place)]).toEqual([name, role, true])
      }
    }
    // A capability or host that was removed can be requested, and users are not shown to owners.
    if (!['capabilityRemoved', 'hostsRemoved', 'userDisabled'].includes(state)) {
      expect(codes).toContain('blocked_by_operator')
    }
    for (const [name, detour] of Object.entries(scene.detours ?? {})) {
      for (const [role, call] of Object.entries(place.members)) {
        await detour(call, place)
        expect([name, role, await scene.isInForce(place)]).toEqual([name, role, true])
      }
    }
    await runJobs()
    expect(await scene.isInForce(place)).toBe(true)
  })

  test('is lifted by an operator', async () => {
    const place = await createPlace({ releases })
    await scene.prepare?.(place)
    await ok(scene.set(administrator.call, place))
    const { blockId } = await subjectBlock(place, state)
    await ok(administrator.call('POST', `/console/v1/blocks/${blockId}/lift`, { answer: 'Thank you.' }))
    const again = await administrator.call('POST', `/console/v1/blocks/${blockId}/lift`, {})
    expect(again.body.code).toBe('block_lifted')
    // Releases are published, and capabilities requested, by their owners again.
    const first = Object.values(scene.attempts)[0]!
    if (await scene.isInForce(place)) await ok(first(place.owner.call, place))
    expect(await scene.isInForce(place)).toBe(false)
  })

  test.runIf(mayLift(state, 'member', 'member'))(
    'is lifted by an owner or an operator if an owner has set it',
    async () => {
      for (const by of ['owner', 'operator'] as const) {
        const place = await createPlace({ releases })
        await scene.prepare?.(place)
        await ok(scene.set(place.owner.call, place))
        expect(await scene.isInForce(place)).toBe(true)
        expect(await ok(place.owner.call('GET', `/console/v1/projects/${place.projectId}/blocks`))).toEqual([])
        const first = state === 'canaryPaused' ? scene.attempts.resumeCanary! : Object.values(scene.attempts)[0]!
        await ok(first(by === 'owner' ? place.owner.call : administrator.call, place))
        expect([by, await scene.isInForce(place)]).toEqual([by, false])
      }
    },
  )

  test.runIf(mayLift(state, 'member', 'member') && state !== 'canaryPaused')(
    'is taken over by an operator who sets it after an owner',
    async () => {
      const place = await createPlace({ releases })
      await scene.prepare?.(place)
      await ok(scene.set(place.owner.call, place))
      const { status } = await scene.set(administrator.call, place)
      // What is already gone cannot be removed again.
      if (state === 'capabilityRemoved' || state === 'hostsRemoved') return
      expect(status).toBe(200)
      for (const attempt of Object.values(scene.attempts)) await attempt(place.owner.call, place)
      expect(await scene.isInForce(place)).toBe(true)
    },
  )
})

test('every operation that lifts a state is for operators only, or checks who has set it', () => {
  for (const [state, { undo, lift }] of Object.entries(states)) {
    const byMembers = Object.values(lift).some((sides) => (sides as readonly string[]).includes('member'))
    for (const id of undo) {
      const { access, errors } = operationOf(id)
      const checks = (errors as readonly string[]).includes('blocked_by_operator')
      const isTakenFromMembers = (lift as { operator?: readonly string[] }).operator?.includes('member') === false
      if (!byMembers && !checks) expect([state, id, access]).toEqual([state, id, 'administrator'])
      if (isTakenFromMembers && access !== 'administrator') expect([state, id, checks]).toEqual([state, id, true])
    }
  }
})

test('approvals that were requested before a block do not lift it unnoticed', async () => {
  const { projectId } = await ok(administrator.call('POST', '/console/v1/projects', { name: 'Cake' }))
  const { owner } = accounts
  await joinAll(projectId)
  const { appid } = await ok(owner.call('POST', '/console/v1/apps', { name: 'Cake', projectId }))
  const releaseId = await upload(owner, appid)
  await ok(owner.call('POST', `/console/v1/apps/${appid}/releases/${releaseId}/publish`, {}))
  await ok(owner.call('PATCH', `/console/v1/apps/${appid}`, { name: 'Cake Shop', capabilities: ['payment'] }))
  const path = `/console/v1/change-requests?appid=${appid}&state=pending`
  const { items } = await ok(administrator.call('GET', path))
  expect(items.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['capabilities', 'name', 'publication'])

  await ok(administrator.call('POST', `/console/v1/apps/${appid}/releases/${releaseId}/withdraw`, { reason }))
  await ok(administrator.call('PATCH', `/console/v1/apps/${appid}`, { enabled: false, reason }))
  const left = (await ok(administrator.call('GET', path))).items
  expect(left.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['capabilities', 'name'])
  for (const { changeId } of left)
    await ok(administrator.call('POST', `/console/v1/change-requests/${changeId}/approve`))
  const settings = await ok(administrator.call('GET', `/console/v1/apps/${appid}`))
  expect(settings).toMatchObject({ enabled: false, name: 'Cake Shop', capabilities: ['payment'] })
  expect((await owner.call('POST', `/console/v1/apps/${appid}/releases/${releaseId}/publish`, {})).body.code).toBe(
    'blocked_by_operator',
  )
})

test('a withdrawn release cannot be uploaded again under another version, even after it was deleted', async () => {
  const place = await createPlace()
  const { appid, owner } = place
  const first = await upload(owner, appid, 'same')
  await ok(owner.call('POST', `${release(place, first)}/publish`, {}))
  await ok(administrator.call('POST', `${release(place, first)}/withdraw`, { reason }))
  const copy = await upload(owner, appid, 'same')
  expect((await owner.call('POST', `${release(place, copy)}/publish`, {})).body.code).toBe('blocked_by_operator')
  await ok(administrator.call('DELETE', release(place, first)))
  expect((await owner.call('POST', `${release(place, copy)}/publish`, {})).body.code).toBe('blocked_by_operator')
  const corrected = await upload(owner, appid, 'corrected')
  expect(await ok(owner.call('POST', `${release(place, corrected)}/publish`, {}))).toMatchObject({ current: true })
})

test('an administrator who is also a member acts as operator', async () => {
  const place = await createPlace({ releases: false })
  const both = accounts.editor
  await souk.context.sql`update accounts set administrator = true where account_id = ${both.accountId}`
  await ok(both.call('PATCH', app(place), { enabled: false, reason }))
  expect((await place.owner.call('PATCH', app(place), { enabled: true })).body.code).toBe('blocked_by_operator')
  await ok(both.call('PATCH', app(place), { enabled: true }))
  await souk.context.sql`update accounts set administrator = false where account_id = ${both.accountId}`
})

test('what an owner had stopped before stays stopped when the block is lifted', async () => {
  const place = await createPlace({ releases: false })
  await ok(place.owner.call('PATCH', app(place), { enabled: false }))
  await ok(administrator.call('PATCH', app(place), { enabled: false, reason }))
  const { blockId } = await subjectBlock(place, 'appDisabled')
  await ok(administrator.call('POST', `/console/v1/blocks/${blockId}/lift`, {}))
  expect(await getApp(place)).toMatchObject({ enabled: false })
  await ok(place.owner.call('PATCH', app(place), { enabled: true }))
})

describe('an appeal', () => {
  let stranger: ConsoleUser
  beforeAll(async () => {
    const { projectId } = await ok(administrator.call('POST', '/console/v1/projects', { name: 'Elsewhere' }))
    stranger = await souk.join(projectId, 'owner')
  })

  test('is sent once by an owner, answered by an operator, mailed to both sides and audited', async () => {
    const place = await createPlace({ releases: false })
    await giveAddress(place.owner, 'owner@tea.example')
    await giveAddress(administrator, 'admin@souk.example')
    await ok(souk.console('PATCH', app(place), { enabled: false, reason }))
    await deliverMails(souk.context)
    expect(mail.last('owner@tea.example').text).toContain(reason)

    const { blockId } = await subjectBlock(place, 'appDisabled')
    const appeal = (call: Call) => call('POST', `/console/v1/blocks/${blockId}/appeal`, { text: 'The price is right.' })
    for (const role of ['editor', 'viewer', 'program']) {
      expect([role, (await appeal(place.members[role]!)).status]).toEqual([role, 403])
    }
    expect((await appeal(stranger.call)).body.code).toBe('block_not_found')
    expect(await ok(appeal(place.owner.call))).toMatchObject({
      appeal: 'The price is right.',
      appealedBy: place.owner.username,
      answer: null,
    })
    expect((await appeal(place.owner.call)).body.code).toBe('appeal_exists')
    await deliverMails(souk.context)
    expect(mail.last('admin@souk.example').subject).toContain('Appeal: ')

    const waiting = await ok(administrator.call('GET', '/console/v1/review-queue?state=waiting&kind=appeal'))
    expect(waiting.items).toMatchObject([{ kind: 'appeal', block: { blockId, state: 'appDisabled', reason } }])
    const answer = 'The price is still wrong.'
    await ok(administrator.call('POST', `/console/v1/blocks/${blockId}/keep`, { answer }))
    expect((await administrator.call('POST', `/console/v1/blocks/${blockId}/keep`, { answer })).body.code).toBe(
      'appeal_missing',
    )
    expect((await appeal(place.owner.call)).body.code).toBe('appeal_exists')
    await deliverMails(souk.context)
    expect(mail.last('owner@tea.example').text).toContain(answer)
    const rejected = await ok(administrator.call('GET', '/console/v1/review-queue?state=rejected&kind=appeal'))
    expect(rejected.items).toMatchObject([{ block: { blockId, answer, answeredBy: administrator.username } }])

    await ok(administrator.call('POST', `/console/v1/blocks/${blockId}/lift`, { answer: 'Now it is right.' }))
    expect(await getApp(place)).toMatchObject({ enabled: true })
    await deliverMails(souk.context)
    expect(mail.last('owner@tea.example').subject).toContain('No longer blocked: ')
    const { items } = await ok(administrator.call('GET', `/console/v1/audit?projectId=${place.projectId}`))
    const entries = items.map(({ action, actorName }: Record<string, string>) => [action, actorName])
    expect(entries.slice(0, 5)).toEqual([
      ['block.lift', administrator.username],
      ['app.update', administrator.username],
      ['block.keep', administrator.username],
      ['block.appeal', place.owner.username],
      ['app.update', null],
    ])
  })

  test('is not possible against a rejection, which developers answer with another submission', async () => {
    const place = await createPlace()
    await scenes.releaseRejected.prepare!(place)
    await ok(scenes.releaseRejected.set(administrator.call, place))
    const { blockId } = await subjectBlock(place, 'releaseRejected')
    const answer = await place.owner.call('POST', `/console/v1/blocks/${blockId}/appeal`, { text: 'No.' })
    expect(answer.body.code).toBe('appeal_unavailable')
    const { reviewId } = await ok(place.owner.call('POST', `${release(place, place.next)}/submit`, {}))
    await ok(administrator.call('POST', `/console/v1/reviews/${reviewId}/approve`))
    expect(await ok(place.owner.call('POST', `${release(place, place.next)}/publish`, {}))).toMatchObject({
      current: true,
    })
  })

  test('of a disabled account is sent by an owner of its projects', async () => {
    const place = await createPlace({ releases: false })
    await ok(scenes.accountDisabled.set(administrator.call, place))
    const { items } = await ok(administrator.call('GET', `/console/v1/blocks?subject=${place.member.accountId}`))
    const path = `/console/v1/blocks/${items[0].blockId}/appeal`
    expect((await stranger.call('POST', path, { text: 'No.' })).body.code).toBe('block_not_found')
    await ok(place.owner.call('POST', path, { text: 'She works here.' }))
    expect(await ok(place.members.viewer!('GET', `/console/v1/projects/${place.projectId}/blocks`))).toEqual([])
  })
})

test('a service account has no scope to appeal', () => {
  expect(scopesOf(consoleOperations.appealBlock)).toEqual([])
})

async function giveAddress({ accountId }: ConsoleUser, email: string): Promise<void> {
  await souk.context.sql`update accounts set email = ${email} where account_id = ${accountId}`
}
