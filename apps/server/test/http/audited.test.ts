import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { consoleOperations, isAudited, type Operation, platformOperations } from '@souk/contract'
import type { TOTP } from 'otpauth'
import { URI } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { allowSetup } from '../../src/domain/console/index.ts'
import { sha256 } from '../../src/kernel/crypto.ts'
import { newId } from '../../src/kernel/id.ts'
import { archiveOf, build } from '../archive.ts'
import { Authenticator } from '../authenticator.ts'
import { exampleInput, placeInput } from '../exampleInput.ts'
import { addPasskey, addTotp } from '../factors.ts'
import { type FurnishedProject, furnish } from '../furnishedProject.ts'
import { type MailServer, startMailServer } from '../mailServer.ts'
import { ProviderBrowser, startOidcProvider, type TestProvider } from '../oidcProvider.ts'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'

type Input = Record<string, unknown>

let mail: MailServer
let souk: TestSouk
let project: FurnishedProject
let provider: TestProvider

beforeAll(async () => {
  provider = await startOidcProvider()
  await provider.register({
    client_id: 'public',
    token_endpoint_auth_method: 'none',
    redirect_uris: ['http://souk.test/console/signed-on'],
  })
  mail = await startMailServer()
  souk = await startTestSouk({ mail: mail.url })
  const { projectId } = (await souk.console('POST', '/console/v1/projects', { name: 'Tea' })).body
  project = await furnish(souk, projectId)
})
afterAll(async () => {
  await provider.stop()
  await souk.stop()
  await mail.stop()
})
beforeEach(() => souk.restoreAdminToken())

/**
 * Parameters that a call needs besides its example and the identifiers of the project. The caller is the admin token
 * by default.
 */
interface Preparation {
  input?: Input
  user?: ConsoleUser
  /** Cookie of a caller that has not signed in yet. */
  cookie?: string
}
type Prepare = () => Promise<Preparation>

const member = () => souk.join(project.projectId, 'editor')
const ofSignOn: Prepare = async () => {
  await souk.context.sql`delete from sign_on_providers`
  const input = { name: 'Example', issuer: provider.issuer, clientId: 'public' }
  return { input: { providerId: (await call('/console/v1/sign-on/providers', input)).providerId } }
}
let issuers = 0
const ofIssuer: Prepare = async () => {
  const input = { issuer: provider.issuer, audience: `souk-${++issuers}` }
  return { input: { issuerId: (await call('/console/v1/issuers', input)).issuerId } }
}
const ofUserScope: Prepare = async () => {
  await call('/console/v1/user-scopes', consoleOperations.putUserScope.example)
  return {}
}
const ofHostFunction: Prepare = async () => {
  await call('/console/v1/host-functions', consoleOperations.putHostFunction.example)
  return {}
}
const ofGrant: Prepare = async () => {
  const { example } = consoleOperations.putHostFunction
  await call('/console/v1/host-functions', example)
  const appid = String((await call('/console/v1/apps', { name: 'Tea House' })).appid)
  await souk.context.sql`insert into host_function_grants values (${appid}, ${example.name}, 0)`
  return { input: { appid } }
}
const ofMember: Prepare = async () => ({ input: { accountId: (await member()).accountId } })
const byMember: Prepare = async () => ({ user: await member() })

async function call(path: string, input: Input = {}): Promise<Input> {
  const { status, body } = await souk.console('POST', path, input)
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
  return body
}

const ofReceiver: Prepare = async () => {
  const host = 'backend.example'
  await souk.context.sql`
    insert into callback_receivers (appid, host, failing_since, last_failed, disabled_at)
    values (${project.appid}, ${host}, 0, 0, 0)`
  return { input: { host } }
}

const invite = () => call(`/console/v1/projects/${project.projectId}/invitations`, { role: 'viewer' })

const ofInvitation: Prepare = async () => ({ input: { token: (await invite()).token } })

const ofPasswordReset: Prepare = async () => {
  const { accountId } = await member()
  return { input: { token: (await call(`/console/v1/accounts/${accountId}/password-reset`)).token } }
}

let uploads = 0
async function upload(): Promise<{ releaseId: string }> {
  const form = new FormData()
  form.append('version', `1.0.${uploads++}`)
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

async function uploadSourceMaps(): Promise<void> {
  const { releaseId } = await upload()
  const map = JSON.stringify({ version: 3, sources: [], names: [], mappings: '' })
  const form = new FormData()
  const archive = await archiveOf({ 'assets/entry-a1b2c3d4.js.map': map })
  form.append('fileData', new Blob([new Uint8Array(archive)]), 'maps.tar.gz')
  const answer = await fetch(`${souk.url}/console/v1/apps/${project.appid}/releases/${releaseId}/source-maps`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${souk.adminToken}` },
    body: form,
  })
  expect(answer.status).toBe(200)
}

const publish = (releaseId: string) => call(`/console/v1/apps/${project.appid}/releases/${releaseId}/publish`)

const ofRelease: Prepare = async () => ({ input: { releaseId: (await upload()).releaseId } })

async function submit(): Promise<{ releaseId: string; reviewId: unknown }> {
  const { releaseId } = await upload()
  const { reviewId } = await call(`/console/v1/apps/${project.appid}/releases/${releaseId}/submit`)
  return { releaseId, reviewId }
}

const ofReview: Prepare = async () => ({ input: { reviewId: (await submit()).reviewId } })

const canaryPath = (releaseId: string) => `/console/v1/apps/${project.appid}/releases/${releaseId}/canary`

/** Publishes a release and uploads another one to roll out, in place of any other canary. */
const ofNewCanary: Prepare = async () => {
  const { releaseId } = await upload()
  await publish(releaseId)
  return ofRelease()
}

const ofCanary: Prepare = async () => {
  const { input } = await ofNewCanary()
  await call(canaryPath(String(input!.releaseId)), { share: 5 })
  return { input: { ...input } }
}

const ofAlertRule: Prepare = async () => {
  const input = { ...consoleOperations.createAlertRule.example, threshold: 20 }
  return { input: { ruleId: (await call(`/console/v1/apps/${project.appid}/alerts`, input)).ruleId } }
}

const ofCustomEvents: Prepare = async () => {
  for (const name of ['addToCart', 'order']) {
    await call(`/console/v1/apps/${project.appid}/custom-events`, { name, description: '', fields: {} })
  }
  return {}
}
const ofFunnel: Prepare = async () => {
  await ofCustomEvents()
  const path = `/console/v1/apps/${project.appid}/funnels`
  return { input: { funnelId: (await call(path, consoleOperations.createFunnel.example)).funnelId } }
}

const ofInspection: Prepare = async () => ({
  input: { inspectionId: (await call(`/console/v1/apps/${project.appid}/inspections`)).inspectionId },
})

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
  const { rules } = souk.context
  rules.approvals = 'required'
  await souk.console('PATCH', `/console/v1/apps/${project.appid}`, { name: `Tea ${randomBytes(4).toString('hex')}` })
  rules.approvals = 'automatic'
  const path = `/console/v1/change-requests?appid=${project.appid}&state=pending`
  const [{ changeId }] = (await souk.console('GET', path)).body.items
  return { input: { changeId } }
}

const ofPasskey: Prepare = async () => {
  const user = await member()
  const { passkeyId } = await addPasskey(souk, user)
  return { user, input: { passkeyId } }
}
const newEndpoint = () =>
  call('/console/v1/event-endpoints', { url: 'http://localhost:9/events', types: ['user.erased'] })
const ofEndpoint: Prepare = async () => ({ input: { endpointId: (await newEndpoint()).endpointId } })

const withNewKey: Prepare = async () => {
  souk.masterKeys.push(randomBytes(32))
  return {}
}

const ofNewApp: Prepare = async () => {
  const { appid } = await call('/console/v1/apps', { name: 'Tea House', projectId: project.projectId })
  return { input: { appid } }
}

const ofArchivedApp: Prepare = async () => {
  const { input } = await ofNewApp()
  await call(`/console/v1/apps/${input!.appid}/archive`)
  return { input: { ...input } }
}

const ofNewProject: Prepare = async () => ({
  input: { projectId: (await call('/console/v1/projects', { name: 'Shop' })).projectId },
})
const ofArchivedProject: Prepare = async () => {
  const { input } = await ofNewProject()
  await call(`/console/v1/projects/${input!.projectId}/archive`)
  return { input: { ...input } }
}

/** Blocks a further capability, and appeals against that if `appeal` is given. */
async function ofBlock(appeal: string | null = null) {
  const blockId = newId()
  const { appid, projectId } = project
  await souk.context.sql`
    insert into blocks (block_id, state, subject, name, appid, project_id, ctime, appeal, appeal_time)
    values (
      ${blockId}, 'capabilityRemoved', ${`${appid} ${blockId}`}, 'file', ${appid}, ${projectId}, 0, ${appeal},
      ${appeal && 0})`
  return { input: { blockId } }
}

const preparations: Record<string, Prepare> = {
  appealBlock: () => ofBlock(),
  liftBlock: () => ofBlock(),
  keepBlock: () => ofBlock('The price is right.'),
  archiveApp: ofNewApp,
  restoreApp: ofArchivedApp,
  archiveProject: ofNewProject,
  restoreProject: ofArchivedProject,
  deleteProject: ofArchivedProject,
  deleteApp: ofArchivedApp,
  enableCallbackReceiver: ofReceiver,
  rotateKeys: withNewKey,
  retireKey: async () => {
    const [added] = await souk.context.sql`select key_id from master_keys order by added_at desc limit 1`
    return { input: { keyId: added!.keyId } }
  },

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
  confirmSession: async () => {
    const user = await member()
    return { user, input: { password: user.password } }
  },
  passkeySignIn: async () => {
    const { phone } = await addPasskey(souk, await member())
    const { body } = await souk.raw('POST', '/console/v1/session/passkey/options', {}, {})
    return { input: { passkey: phone.get(body) } }
  },
  startConfirmation: byMember,
  startPasskey: byMember,
  addPasskey: async () => {
    const user = await member()
    const { body } = await user.call('POST', '/console/v1/profile/passkeys/options', {})
    return { user, input: { passkey: new Authenticator(souk.context.settings.publicUrl).create(body) } }
  },
  renamePasskey: ofPasskey,
  removePasskey: ofPasskey,
  startTotp: byMember,
  enableTotp: async () => {
    const user = await member()
    const { uri } = (await user.call('POST', '/console/v1/profile/totp', {})).body
    return { user, input: { code: (URI.parse(uri) as TOTP).generate({ timestamp: souk.clock.real() }) } }
  },
  removeTotp: async () => {
    const user = await member()
    await addTotp(souk, user)
    return { user }
  },
  createRecoveryCodes: async () => ({ user: (await ofPasskey()).user! }),
  resetFactors: async () => ({ input: { accountId: (await ofPasskey()).user!.accountId } }),
  updateProfile: byMember,
  endSession: async () => {
    const user = await member()
    const [{ sessionId }] = (await user.call('GET', '/console/v1/profile/sessions')).body
    return { user, input: { sessionId } }
  },
  endOtherSessions: byMember,
  endSessionsOf: ofMember,
  createToken: byMember,
  changeEmail: byMember,
  changeEmailOf: ofMember,
  confirmEmail: async () => {
    const user = await member()
    await user.call('POST', '/console/v1/profile/email', { email: 'confirmed@mail.example' })
    const token = `souk_email_${randomBytes(24).toString('hex')}`
    await souk.context.sql`
      update email_confirmations set token_hash = ${sha256(token)} where account_id = ${user.accountId}`
    return { user, input: { token } }
  },
  removeServiceAccount: async () => {
    const path = `/console/v1/projects/${project.projectId}/service-accounts`
    const { serviceAccount } = await call(path, { name: randomBytes(4).toString('hex'), scopes: ['apps:read'] })
    return { input: { serviceAccountId: (serviceAccount as { serviceAccountId: string }).serviceAccountId } }
  },
  sendPasswordReset: async () => {
    const { accountId } = await member()
    await souk.context.sql`update accounts set email = 'reset@mail.example' where account_id = ${accountId}`
    return { input: { accountId } }
  },
  updateAccount: ofMember,
  restoreAccount: async () => {
    const { accountId } = await member()
    await souk.context.sql`
      update accounts set suspended_time = 1, suspension_reason = 'claimMissing', suspension_claim = 'groups'
      where account_id = ${accountId}`
    return { input: { accountId } }
  },
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
  sendToInspected: ofInspection,
  endInspection: ofInspection,
  submitRelease: ofRelease,
  createPreview: ofRelease,
  startReview: ofReview,
  approveRelease: ofReview,
  rejectRelease: ofReview,
  withdrawRelease: async () => ({ input: { releaseId: (await submit()).releaseId } }),
  startCanary: ofNewCanary,
  widenCanary: ofCanary,
  pauseCanary: ofCanary,
  resumeCanary: async () => {
    const { input } = await ofCanary()
    await call(`${canaryPath(String(input!.releaseId))}/pause`)
    return { input: { ...input } }
  },
  rollBackCanary: ofCanary,
  deleteRelease: ofRelease,
  rollBack: async () => {
    const [first, second] = [await upload(), await upload()]
    for (const { releaseId } of [first, second]) await publish(releaseId)
    return { input: { releaseId: first.releaseId } }
  },
  removeIssuer: ofIssuer,
  removeUserScope: ofUserScope,
  removeHostFunction: ofHostFunction,
  revokeHostFunction: ofGrant,
  enableSignIn: ofIssuer,
  disableSignIn: ofIssuer,
  updateEventEndpoint: ofEndpoint,
  removeEventEndpoint: ofEndpoint,
  rotateEventSecret: ofEndpoint,
  testEventEndpoint: ofEndpoint,
  replayEvents: ofEndpoint,
  replayEventDelivery: async () => {
    const { endpointId } = await newEndpoint()
    const { deliveryId } = await call(`/console/v1/event-endpoints/${endpointId}/test`)
    return { input: { deliveryId } }
  },
  startSignOn: ofSignOn,
  completeSignOn: async () => {
    const { input } = await ofSignOn()
    const started = await souk.raw('POST', '/console/v1/sign-on', {}, input)
    const returned = await new ProviderBrowser().signIn(started.body.url, 'newcomer')
    return { input: { response: returned.search }, cookie: started.headers.getSetCookie()[0]!.split(';')[0]! }
  },
  addSignOnProvider: async () => {
    await souk.context.sql`delete from sign_on_providers`
    return { input: { issuer: provider.issuer } }
  },
  removeSignOnProvider: ofSignOn,
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
  updateAlertRule: ofAlertRule,
  muteAlertRule: ofAlertRule,
  createFunnel: ofCustomEvents,
  deleteFunnel: ofFunnel,
  removeCustomEvent: ofCustomEvents,
  deleteAlertRule: ofAlertRule,
  deleteDataset: ofDataset,
  appendRecords: async () => ({ input: { datasetId: await newDataset(), records: [{ text: 'x' }] } }),
  deleteRecords: async () => ({ input: { datasetId: await newDataset(), filter: 'text=x' } }),
  exportRecords: ofDataset,
  addDataset: async () => ({ input: { name: 'added' } }),
  removeDataset: ofDataset,
  importRecords: async () => ({ input: { datasetId: await newDataset(), records: [{ text: 'x' }] } }),
  changeRecord: async () => {
    const datasetId = await newDataset()
    await call(`/api/v1/datasets/${datasetId}/records`, { records: [{ text: 'x' }] })
    const { body } = await souk.console('GET', `/console/v1/datasets/${datasetId}/records`)
    return { input: { datasetId, recordId: body.items[0].recordId, values: { text: 'y' } } }
  },
  removeRecords: async () => ({ input: { datasetId: await newDataset(), filter: 'text=x' } }),
  downloadRecords: ofDataset,
}

/** Calls an operation and returns its status and, for errors, its body. */
async function send(
  operation: Operation,
  { user, cookie, input = {} }: Preparation,
): Promise<{ status: number; error?: unknown }> {
  if (operation.file) {
    await (operation.id === 'uploadSourceMaps' ? uploadSourceMaps() : upload())
    return { status: 200 }
  }
  const example = exampleInput(operation, { ...project, uids: [project.uid], ...input })
  const { target, body } = placeInput(operation, { ...example, ...input })
  const headers: Record<string, string> = user
    ? { Cookie: user.cookie, 'X-Souk-CSRF': user.csrf }
    : operation.auth === 'none'
      ? { ...(cookie && { Cookie: cookie }) }
      : { Authorization: `Bearer ${souk.adminToken}` }
  if (operation.media) {
    const answer = await fetch(souk.url + target, { headers })
    return { status: answer.status, ...(answer.ok ? {} : { error: await answer.text() }) }
  }
  const answer = await souk.raw(operation.method, target, headers, body)
  return { status: answer.status, ...(answer.status === 200 ? {} : { error: answer.body }) }
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
  for (const each of [
    'sk_test_never_audited',
    '501234567',
    'layla@mail.example',
    'confirmed@mail.example',
    'operator@mail.example',
  ])
    expect(souk.secrets).toContain(each)
  for (const secret of souk.secrets) expect(rows!.all).not.toContain(secret)
})
