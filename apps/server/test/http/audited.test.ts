import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { consoleOperations, isAudited, type Operation, platformOperations } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allowSetup } from '../../src/domain/accounts/index.ts'
import { archiveOf, build } from '../archive.ts'
import { exampleInput } from '../exampleInput.ts'
import { type FurnishedProject, furnish } from '../furnishedProject.ts'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'

type Input = Record<string, unknown>

let souk: TestSouk
let project: FurnishedProject

beforeAll(async () => {
  souk = await startTestSouk()
  const { projectId } = (await souk.console('POST', '/console/v1/projects', { name: 'Tea' })).body
  project = await furnish(souk, projectId)
})
afterAll(() => souk.stop())

/**
 * What a call needs besides its example and the identifiers of the project. The caller is the admin token by default.
 */
interface Preparation {
  input?: Input
  user?: ConsoleUser
}
type Prepare = () => Promise<Preparation>

const member = () => souk.join(project.projectId, 'editor')
const ofMember: Prepare = async () => ({ input: { accountId: (await member()).accountId } })
const byMember: Prepare = async () => ({ user: await member() })

async function call(path: string, input: Input = {}): Promise<Input> {
  const { status, body } = await souk.console('POST', path, input)
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
  return body
}

const invite = () => call(`/console/v1/projects/${project.projectId}/invitations`, { role: 'viewer' })

const ofInvitation: Prepare = async () => ({ input: { token: (await invite()).token } })

const ofPasswordReset: Prepare = async () => {
  const { accountId } = await member()
  return { input: { token: (await call(`/console/v1/accounts/${accountId}/password-reset`)).token } }
}

async function upload(): Promise<{ releaseId: string }> {
  const form = new FormData()
  form.append('version', '1.0.0')
  form.append('fileData', new Blob([new Uint8Array(await archiveOf(build()))]), 'release.tar.gz')
  const headers = { Authorization: `Bearer ${souk.adminToken}` }
  const answer = await fetch(`${souk.url}/console/v1/apps/${project.appid}/releases`, {
    method: 'POST',
    headers,
    body: form,
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { releaseId: string }
}

const publish = (releaseId: string) => call(`/console/v1/apps/${project.appid}/releases/${releaseId}/publish`)

const ofRelease: Prepare = async () => ({ input: { releaseId: (await upload()).releaseId } })

const newDataset = async () => {
  const fields = [{ name: 'text', type: 'string' }]
  const name = `set${randomBytes(4).toString('hex')}`
  return (await call('/api/v1/datasets', { projectId: project.projectId, name, fields })).datasetId
}
const ofDataset: Prepare = async () => ({ input: { datasetId: await newDataset() } })

const ofSigningKey: Prepare = async () => {
  const { cookie, csrf } = await member()
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const headers = { Cookie: cookie, 'X-Souk-CSRF': csrf }
  const { body } = await souk.raw('POST', '/console/v1/signing-keys', headers, { publicKey: x })
  return { input: { keyId: body.keyId } }
}

const ofChange: Prepare = async () => {
  const { settings } = souk.context
  settings.approvals = 'required'
  await souk.console('PATCH', `/console/v1/apps/${project.appid}`, { name: `Tea ${randomBytes(4).toString('hex')}` })
  settings.approvals = 'automatic'
  const path = `/console/v1/change-requests?appid=${project.appid}&state=pending`
  const [{ changeId }] = (await souk.console('GET', path)).body.items
  return { input: { changeId } }
}

const preparations: Record<string, Prepare> = {
  setUp: async () => {
    const token = `souk_setup_${randomBytes(24).toString('hex')}`
    await allowSetup(souk.context, token)
    return { input: { token } }
  },
  consoleSignIn: async () => {
    const { username, password } = await member()
    return { input: { username, password } }
  },
  consoleSignOut: byMember,
  changePassword: async () => {
    const user = await member()
    return { user, input: { current: user.password } }
  },
  updateProfile: byMember,
  endSession: async () => {
    const user = await member()
    const [{ sessionId }] = (await user.call('GET', '/console/v1/profile/sessions')).body
    return { user, input: { sessionId } }
  },
  endOtherSessions: byMember,
  endSessionsOf: ofMember,
  createToken: byMember,
  updateAccount: ofMember,
  allowProjects: ofMember,
  approveChange: ofChange,
  rejectChange: ofChange,
  withdrawChange: ofChange,
  createPasswordReset: ofMember,
  showPasswordReset: ofPasswordReset,
  resetPassword: ofPasswordReset,
  showApiKey: byMember,
  refreshApiKey: byMember,
  changeMemberRole: async () => ({ input: { accountId: (await member()).accountId, role: 'viewer' } }),
  removeMember: ofMember,
  leaveProject: byMember,
  revokeInvitation: async () => ({
    input: { invitationId: ((await invite()).invitation as { invitationId: string }).invitationId },
  }),
  showInvitation: ofInvitation,
  acceptInvitation: async () => {
    const elsewhere = await call('/console/v1/projects', { name: 'Elsewhere' })
    return { ...(await ofInvitation()), user: await souk.join(String(elsewhere.projectId), 'viewer') }
  },
  joinByInvitation: async () => {
    const { input } = await ofInvitation()
    return { input: { ...input, username: 'latecomer' } }
  },
  setReleaseStage: ofRelease,
  publishRelease: ofRelease,
  deleteRelease: ofRelease,
  rollBack: async () => {
    const [first, second] = [await upload(), await upload()]
    for (const { releaseId } of [first, second]) await publish(releaseId)
    return { input: { releaseId: first.releaseId } }
  },
  removeIssuer: async () => {
    const { issuerId } = await call('/console/v1/issuers', { issuer: 'https://other.example', audience: 'souk' })
    return { input: { issuerId } }
  },
  registerSigningKey: byMember,
  approveSigningKey: ofSigningKey,
  revokeSigningKey: ofSigningKey,
  createUser: async () => ({ input: { phone: '501234567', country: '+966', email: 'layla@mail.example' } }),
  createProviderAccount: async () => ({
    input: {
      provider: 'stripe',
      settings: {},
      secrets: { secretKey: 'sk_test_never_audited', webhookSecret: 'whsec_never_audited' },
    },
  }),
  pay: async () => ({ input: { tradeNo: await project.newTrade() } }),
  resolvePayment: async () => {
    const tradeNo = await project.newTrade()
    await call('/console/v1/sandbox/payments', { tradeNo, uid: project.uid, outcome: 'pending' })
    return { input: { tradeNo } }
  },
  deleteDataset: ofDataset,
  appendRecords: async () => ({ input: { datasetId: await newDataset(), records: [{ text: 'x' }] } }),
  deleteRecords: async () => ({ input: { datasetId: await newDataset(), filter: 'text=x' } }),
  exportRecords: ofDataset,
}

/** Calls an operation and returns its status and, for errors, its body. */
async function send(
  operation: Operation,
  { user, input = {} }: Preparation,
): Promise<{ status: number; error?: unknown }> {
  if (operation.file) return upload().then(() => ({ status: 200 }))
  const example = exampleInput(operation, { ...project, uids: [project.uid], ...input })
  const rest = new Map(Object.entries({ ...example, ...input }))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name))
    rest.delete(name)
    return value
  })
  const headers: Record<string, string> = user
    ? { Cookie: user.cookie, 'X-Souk-CSRF': user.csrf }
    : operation.auth === 'none'
      ? {}
      : { Authorization: `Bearer ${souk.adminToken}` }
  const given = Object.fromEntries(rest)
  const target = operation.body ? path : `${path}?${new URLSearchParams(given as Record<string, string>)}`
  if (operation.media) {
    const answer = await fetch(souk.url + target, { headers })
    return { status: answer.status, ...(answer.ok ? {} : { error: await answer.text() }) }
  }
  const { status, body } = await souk.raw(operation.method, target, headers, operation.body ? given : undefined)
  return { status, ...(status === 200 ? {} : { error: body }) }
}

const operations = [...Object.values(consoleOperations), ...Object.values(platformOperations)] as Operation[]
const byAudited = (audited: boolean) =>
  operations
    .filter((each) => isAudited(each) === audited && (audited || each.method !== 'GET'))
    .map((each): [string, Operation] => [each.id, each])

async function rowsWrittenBy(operation: Operation): Promise<{ action: string; actor: string; subject: string }[]> {
  const preparation = (await preparations[operation.id]?.()) ?? {}
  const [before] = await souk.context.sql`select coalesce(max(audit_id), 0) as id from audit_log`
  expect(await send(operation, preparation)).toEqual({ status: 200 })
  return souk.context.sql`select action, actor, subject from audit_log where audit_id > ${before!.id}`
}

test.each(byAudited(true))('%s writes an audit row', async (_, operation) => {
  const rows = await rowsWrittenBy(operation)
  expect(rows.length).toBeGreaterThan(0)
  for (const { action, actor, subject } of rows) {
    expect(action).toMatch(/^[a-zA-Z]+\.[a-zA-Z]+$/)
    expect(actor).toMatch(/^(admin|account [0-9a-f]{32})$/)
    expect(subject).not.toBe('')
  }
})

test.each(byAudited(false))('%s writes no audit row, as declared', async (_, operation) => {
  expect(await rowsWrittenBy(operation)).toEqual([])
})

test('audit rows contain no secrets, phone numbers and e-mail addresses', async () => {
  const [rows] = await souk.context.sql<{ all: string }[]>`select json_agg(l)::text as all from audit_log as l`
  for (const each of ['sk_test_never_audited', '501234567', 'layla@mail.example']) expect(souk.secrets).toContain(each)
  for (const secret of souk.secrets) expect(rows!.all).not.toContain(secret)
})
