import { gzipSync } from 'node:zlib'
import { newId } from '../src/kernel/id.ts'
import type { TestSouk } from './souk.ts'

/** A project with one resource of each kind: its identifiers, by parameter name. */
export interface FurnishedProject {
  projectId: string
  appid: string
  /** A paid trade. */
  tradeNo: string
  notifyId: string
  requestId: string
  /** Feedback of the user. */
  feedbackId: string
  /** A recording of the user. */
  recordingId: string
  replayId: string
  providerAccountId: string
  reconciliationId: string
  /** A block of the mini app. */
  blockId: string
  /** A member, an owner. */
  accountId: string
  /** The payer, who is also a user of the mini app. */
  uid: number
  /** Creates another trade of the payer. */
  newTrade(): Promise<string>
}

/** Creates one resource of each kind in a project. */
export async function furnish(souk: TestSouk, projectId: string): Promise<FurnishedProject> {
  const { accountId } = await souk.join(projectId, 'owner')
  const { body: app } = await souk.console('POST', '/console/v1/apps', { name: 'Tea', projectId })
  const { uid } = (await souk.console('POST', '/console/v1/sandbox/users', { nickname: 'Layla' })).body
  const { code } = (await souk.console('POST', '/console/v1/sandbox/codes', { appid: app.appid, uid })).body
  const exchanged = await souk.signed(app, 'POST', '/neuopenapi/oauth/mini/accessToken', {
    code,
    grantType: 'authorization_code',
    scope: 'user.info',
  })
  const { accessToken } = exchanged.response
  const user = await souk.send('GET', `/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)
  let trades = 0
  const createTrade = () =>
    souk.signed(app, 'POST', '/neuopenapi/pay/transactions/trade', {
      outTradeNo: String(++trades),
      amount: 1250,
      currency: 'SAR',
      openId: user.response.openId,
      notifyUrl: 'http://127.0.0.1:9/paid',
    })
  const created = await createTrade()
  const { tradeNo } = created.response
  await souk.console('POST', '/console/v1/sandbox/payments', { tradeNo, uid })
  const [{ notifyId }] = (await souk.console('GET', `/console/v1/callbacks?appid=${app.appid}`)).body
  const { replayId } = (await souk.console('POST', `/console/v1/projects/${projectId}/replays`, {})).body
  await souk.requestLog.flush()
  const requestId = created.headers.get('x-request-id')!
  const { providerAccountId } = (
    await souk.console('POST', '/console/v1/provider-accounts', {
      appid: app.appid,
      provider: 'sandbox',
      name: 'Tea',
      settings: {},
      secrets: {},
    })
  ).body
  const reconciliationId = newId()
  await souk.context.sql`
    insert into reconciliations (reconciliation_id, merchant_id, account, day, state, ctime, mtime)
    select ${reconciliationId}, merchant_id, 'provider:sandbox', 0, 'finished', 0, 0 from merchants where appid = ${app.appid}`
  const blockId = newId()
  await souk.context.sql`
    insert into blocks (block_id, state, subject, name, appid, project_id, ctime)
    values (${blockId}, 'hostsRemoved', ${`${app.appid} upload`}, 'upload', ${app.appid}, ${projectId}, 0)`
  const { session } = (await souk.json('', 'POST', '/host/v1/sessions', { uid })).body
  const { feedbackId } = (
    await souk.json(session, 'POST', `/host/v1/apps/${app.appid}/feedback`, { kind: 'idea', text: 'Sell cake.' })
  ).body
  const recordingId = newId()
  await souk.context.sql`
    insert into error_recordings
    values (${recordingId}, ${app.appid}, ${uid}, '', ${newId()}, ${newId()}, 2, ${gzipSync('{}')}, ${souk.context.clock.real()})`
  const ofMoney = { tradeNo, notifyId, replayId, providerAccountId, reconciliationId, blockId }
  const newTrade = async (): Promise<string> => (await createTrade()).response.tradeNo
  return { ...ofMoney, projectId, appid: app.appid, requestId, feedbackId, recordingId, accountId, uid, newTrade }
}
