import { randomBytes } from 'node:crypto'
import type { Sql } from '../../apps/server/src/kernel/db/pool.ts'
import { archiveOf, build } from '../../apps/server/test/archive.ts'
import type { Client, SignedApp } from './client.ts'

/** Values of the created resources, by the name of the parameter that takes them. */
export type Identifiers = Record<string, unknown>

/** Creates one resource of each kind in a project. Adds the secrets to `secrets`. */
export async function createResources(
  client: Client,
  projectId: string,
  { sql, marker, password, secrets }: { sql: Sql; marker: string; password: string; secrets: Map<string, string> },
): Promise<Identifiers> {
  const app = await client.admin('POST', '/console/v1/apps', { name: `App ${marker}`, projectId })
  const { appid } = app
  secrets.set('appSecret', app.secret)
  await client.admin('PATCH', `/console/v1/apps/${appid}`, {
    capabilities: ['login', 'payment', 'notification', 'activity', 'file'],
  })
  const { invitation, token } = await client.invite(projectId, 'viewer')
  const { accountId } = await client.join(projectId, 'owner', password)
  const user = await signInUser(client, app)
  return {
    projectId,
    accountId,
    appid,
    appId: appid,
    invitationId: invitation.invitationId,
    token,
    refundNo: 'refund',
    uids: [user.uid],
    ...user,
    ...(await createTrades(client, app, { ...user, marker })),
    ...(await startReplay(client, projectId)),
    ...(await addProviderAccount(client, { appid, marker, secrets })),
    ...(await createReconciliation(sql, appid)),
    ...(await createDataset(client, { projectId, marker })),
    ...(await publishRelease(client, appid)),
    ...(await sendNotification(client, { ...user, appid, marker })),
    code: await newCode(client, appid, user.uid),
  }
}

async function newCode({ admin }: Client, appid: string, uid: number): Promise<string> {
  return (await admin('POST', '/console/v1/sandbox/codes', { appid, uid })).code
}

/** Creates two mock users, signs them in to the host, and signs one of them in to the mini app. */
async function signInUser(client: Client, app: SignedApp) {
  const { uid } = await client.admin('POST', '/console/v1/sandbox/users', { nickname: 'Payer' })
  const other = await client.admin('POST', '/console/v1/sandbox/users', { nickname: 'Other' })
  const signIn = async (who: number): Promise<string> =>
    (await client.call('POST', '/host/v1/sessions', {}, { uid: who })).body.session
  const exchanged = await client.open(app, '/neuopenapi/oauth/mini/accessToken', {
    code: await newCode(client, app.appid, uid),
    grantType: 'authorization_code',
    scope: 'user.info',
  })
  const { accessToken } = exchanged.body.response
  const info = await client.call('GET', `/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`, {})
  const { openId } = info.body.response
  return { uid, openId, accessToken, session: await signIn(uid), otherSession: await signIn(other.uid) }
}

/** Creates a paid and an open trade. */
async function createTrades(
  { open, admin }: Client,
  app: SignedApp,
  { uid, openId, marker }: { uid: number; openId: string; marker: string },
) {
  const order = { amount: 1250, currency: 'SAR', openId, notifyUrl: 'http://127.0.0.1:9/paid', description: marker }
  const create = (outTradeNo: string) => open(app, '/neuopenapi/pay/transactions/trade', { ...order, outTradeNo })
  const paid = await create(`paid-${marker}`)
  await admin('POST', '/console/v1/sandbox/payments', { tradeNo: paid.body.response.tradeNo, uid })
  const [{ notifyId }] = await admin('GET', `/console/v1/callbacks?appid=${app.appid}`)
  const outTradeNo = `open-${marker}`
  const { tradeNo } = (await create(outTradeNo)).body.response
  return { tradeNo, outTradeNo, notifyId, requestId: paid.headers.get('x-request-id') }
}

async function startReplay({ admin }: Client, projectId: string) {
  const { replayId } = await admin('POST', `/console/v1/projects/${projectId}/replays`, {})
  return { replayId }
}

/** Adds a provider account, and disables it so that payments do not use it. */
async function addProviderAccount(
  { admin }: Client,
  { appid, marker, secrets }: { appid: string; marker: string; secrets: Map<string, string> },
) {
  const secretKey = `sk_${randomBytes(16).toString('hex')}`
  secrets.set('providerSecret', secretKey)
  const { providerAccountId } = await admin('POST', '/console/v1/provider-accounts', {
    appid,
    provider: 'stripe',
    name: marker,
    settings: { baseUrl: 'http://127.0.0.1:1' },
    secrets: { secretKey, webhookSecret: `whsec_${randomBytes(16).toString('hex')}` },
  })
  await admin('PATCH', `/console/v1/provider-accounts/${providerAccountId}`, { enabled: false })
  return { providerAccountId, providerAccountIds: [providerAccountId] }
}

/** Inserts a finished reconciliation, which no operation creates. */
async function createReconciliation(sql: Sql, appid: string) {
  const [{ merchantId }] = await sql<[{ merchantId: string }]>`
    select merchant_id from merchants where appid = ${appid}`
  const reconciliationId = randomBytes(16).toString('hex')
  await sql`
    insert into reconciliations (reconciliation_id, merchant_id, account, day, state, ctime, mtime)
    values (${reconciliationId}, ${merchantId}, 'provider:sandbox', 0, 'finished', 0, 0)`
  return { merchantId, reconciliationId }
}

/** Creates a dataset with one record. */
async function createDataset({ admin }: Client, { projectId, marker }: { projectId: string; marker: string }) {
  const fields = [{ name: 'title', type: 'string' }]
  const { datasetId } = await admin('POST', '/api/v1/datasets', { projectId, name: marker, fields })
  await admin('POST', `/api/v1/datasets/${datasetId}/records`, { records: [{ title: marker }] })
  const [{ recordId }] = (await admin('GET', `/api/v1/datasets/${datasetId}/records`)).items
  return { datasetId, recordId }
}

async function publishRelease({ admin }: Client, appid: string) {
  const form = new FormData()
  form.append('version', '1.0.0')
  form.append('fileData', new Blob([new Uint8Array(await archiveOf(build()))]), 'release.tar.gz')
  const { releaseId } = await admin('POST', `/console/v1/apps/${appid}/releases`, form)
  await admin('POST', `/console/v1/apps/${appid}/releases/${releaseId}/publish`, {})
  return { releaseId }
}

/** Sends a notification to the user and finds it in the inbox. */
async function sendNotification(
  { admin, as }: Client,
  { appid, marker, uid, session }: { appid: string; marker: string; uid: number; session: string },
) {
  await admin('POST', `/console/v1/apps/${appid}/notifications`, {
    uids: [uid],
    title: marker,
    text: marker,
    navigateType: '1',
    language: 'en_US',
  })
  const [{ notificationId }] = await as(session)('GET', '/host/v1/inbox')
  return { notificationId }
}
