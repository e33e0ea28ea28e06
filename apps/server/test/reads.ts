import { setTimeout } from 'node:timers/promises'
import {
  consoleOperations,
  day,
  errorRecordingLimits,
  hostOperations,
  maxSandboxUsers,
  maxTotal,
  minute,
  type Operation,
  openOperations,
  opsOperations,
  platformOperations,
  searchedRows,
} from '@souk/contract'
import type { FullContext } from '../src/domain/context.ts'
import { exportAudit } from '../src/domain/installation/index.ts'
import * as miniApps from '../src/domain/miniApps/index.ts'
import * as money from '../src/domain/money/index.ts'
import * as users from '../src/domain/users/index.ts'
import { defaultLimits } from '../src/kernel/db/limits.ts'
import { connect, type Sql } from '../src/kernel/db/pool.ts'
import type { Export } from '../src/kernel/export.ts'
import { handlers as consoleHandlers } from '../src/surfaces/console/handlers.ts'
import { handlers as platformHandlers } from '../src/surfaces/platform/handlers.ts'
import { identityContext } from './context.ts'
import type { LargeInstallation, Size } from './largeInstallation.ts'

/** An input of an operation, and the most rows of tables and entries of indexes that it may read. */
type Cost = readonly [input: Record<string, unknown>, rows: number]

const ofCaller = 'reads what only belongs to its caller'
const byKey = 'reads one thing by its key'
const few = 'reads what operators set up'
const stream = 'streams what is announced'
const state = 'reads samples and counters of the database, or nothing'

/** Operations that are not measured, with the reason. */
export const unmeasured: Readonly<Record<string, string>> = {
  whoAmI: ofCaller,
  listConsents: ofCaller,
  getSession: ofCaller,
  listSessions: ofCaller,
  getEmail: ofCaller,
  getApiKey: ofCaller,
  getFactors: ofCaller,
  getPreview: byKey,
  getReleaseNote: byKey,
  paymentResult: byKey,
  getErrorStack: byKey,
  getReplay: byKey,
  getCallbackFault: byKey,
  userInfo: byKey,
  tradedetail: byKey,
  refunddetail: byKey,
  listSignInIssuers: few,
  listOwnScopes: few,
  listFunctionsOfHost: few,
  getSetup: few,
  getMail: few,
  listProviderAccounts: few,
  getRouting: few,
  getClock: few,
  listIssuers: few,
  listUserScopes: few,
  listHostFunctions: few,
  listHostFunctionGrants: few,
  getSignOn: few,
  listSignOnProviders: few,
  getPlatformSettings: few,
  listEventEndpoints: few,
  getKeyRing: few,
  getAdminToken: few,
  listVersions: few,
  getLastBackup: few,
  followInspection: stream,
  events: stream,
  watchProject: stream,
  watchInstallation: stream,
  listen: stream,
  watchInspection: stream,
  examine: state,
  healthz: state,
  readyz: state,
  openapi: state,
  pagesSchema: state,
  metrics: state,
  listShadowAnswers: 'needs the sealed secrets of a provider account, and reads an index of its own account',
}

/** A text that nothing contains, so that its search reads all that it can. */
export const unknownText = 'nothing'

/**
 * Returns the most rows that each operation may read with pages of `limit` rows: a small multiple of the rows of its
 * result, regardless of the size of the installation.
 */
export function costsOf(large: LargeInstallation, size: Size, limit: number): Record<string, readonly Cost[]> {
  const ofPage = 15 * limit
  /** Besides, one row of each mini app of the project. */
  const ofApps = ofPage + 2 * size.apps
  /** Besides, as many rows of `limit` mini apps as the page has. */
  const ofFewApps = ofApps + 5 * limit ** 2
  /** A text is searched in the newest rows, and a total counts some. */
  const ofText = ofFewApps + 3 * Math.min(searchedRows, Math.max(size.trades, size.others)) + 3 * size.apps
  const ofTotal = ofFewApps + 1.5 * maxTotal
  const {
    projectId,
    appid,
    releaseId,
    recordingId,
    tradeNo,
    feedbackId,
    reconciliationId,
    requestId,
    deliveryId,
    uid,
  } = large
  const ofProject = { projectId }
  const now = Date.UTC(2030, 0, 1)
  const ofMonths = { ...ofProject, from: now - 60 * day, to: now }
  return {
    pageProjects: [[{}, ofPage]],
    readProject: [[ofProject, ofApps]],
    listDatasets: [[{}, ofApps]],
    getDataset: [[{ datasetId: `${projectId}.trades` }, ofApps]],
    // Users have no time of their own, so that each has two index entries.
    listRecords: [[{ datasetId: `${projectId}.users` }, 2 * ofApps]],
    exportRecords: [[{ datasetId: `${projectId}.users` }, ofApps + 5 * size.users]],

    listOwnFeedback: [[{}, ofPage]],
    // Lists the 50 cards that are kept of two users, of other sizes here.
    listCards: [[{ uid: uid + 1 }, ofPage + size.others / 10]],
    // The mini apps that know the user.
    listMessageLevels: [[{}, ofPage + 10 * size.apps]],
    getMessageLevel: [[{ appid }, ofPage]],
    listSandboxUsers: [[{}, 2 * maxSandboxUsers]],
    me: [[{}, ofPage]],
    listMiniApps: [
      [{}, ofPage],
      [{ query: 'shop' }, ofPage],
      [{ language: 'ar_SA' }, ofPage],
    ],
    getConsent: [[{ appid }, ofPage]],
    showTrade: [[{ tradeNo }, ofPage]],
    // Has pages of 50.
    inbox: [[{}, 5 * 50]],
    home: [[{}, ofPage]],

    listAccounts: [
      [{}, ofPage],
      [{ sort: 'name' }, ofPage],
    ],
    // At most 50.
    listServiceAccounts: [[ofProject, 8 * 50]],
    listProjects: [[{}, 10 * size.projects]],
    // Counts its mini apps.
    getProject: [[ofProject, ofApps]],
    listMembers: [
      [ofProject, ofPage],
      [{ ...ofProject, text: 'User 77' }, ofPage + 2 * size.members],
    ],
    listSigningKeys: [[{}, ofPage]],
    listInvitations: [[ofProject, ofPage]],
    listAudit: [
      [{}, ofApps],
      [ofProject, ofApps],
      [{ text: unknownText }, ofText],
      [{ ...ofProject, total: true }, ofTotal],
    ],
    exportAudit: [[{}, 3 * size.others]],
    listApps: [
      [{}, ofPage],
      [{ sort: 'name' }, ofPage],
      [ofProject, ofPage],
      [{ ...ofProject, sort: 'name' }, ofApps],
      [{ text: 'shop 7' }, ofApps],
    ],
    getApp: [[{ appid }, ofPage]],
    listSecrets: [[{ appid }, ofPage]],
    listAlertRules: [[{ appid }, ofPage]],
    getAnalytics: [[{ appid }, ofPage + 20 * 30]],
    listCustomEvents: [[{ appid }, ofPage]],
    getCustomEventCounts: [[{ appid }, ofPage + 20 * 30]],
    getCustomEventSeries: [[{ appid, name: 'addToCart' }, ofPage + 20 * 30]],
    // At most 20 of the mini app.
    listErrorRecordings: [[{ appid }, ofPage + 5 * errorRecordingLimits.perApp]],
    downloadErrorRecording: [[{ appid, recordingId }, ofPage]],
    listReleaseHealth: [[ofProject, ofApps]],
    listChangeRequests: [[{}, ofPage]],
    // Lists all that is in force.
    listBlocks: [[ofProject, ofPage + 6 * size.apps]],
    listAllBlocks: [[{}, ofPage]],
    listReleases: [[{ appid }, ofPage]],
    listTesters: [[{ appid }, ofPage]],
    listReviews: [[{}, ofPage]],
    listReviewQueue: [
      [{}, ofPage],
      [{ state: 'waiting' }, ofPage],
    ],
    getReview: [[{ appid, releaseId }, ofPage]],
    listCanaries: [[{ appid }, ofPage]],
    // Counts mini apps and members of the page's projects, and reads sums of their trades since `from`, here none.
    // Besides, it reads what waits in the installation, here a review with its release and a failing host of each mini
    // app.
    listProjectFigures: [[{}, ofApps + size.members + 4 * (size.apps + size.projects)]],
    listIncidents: [[ofProject, 8 * size.apps]],
    // Also what waits for a review.
    getCounters: [[ofProject, 8 * size.apps]],
    // A sum per day of 50 mini apps in at most 92 days.
    listAppFigures: [[ofMonths, ofApps + 50 * 92]],
    searchTrades: [
      [ofProject, ofFewApps],
      [{ ...ofProject, sort: 'amount' }, ofFewApps],
      [{ ...ofProject, sort: '-amount' }, ofFewApps],
      [{ ...ofProject, outTradeNo: 'order-77' }, ofFewApps + 200 * (size.apps + limit)],
      [{ ...ofProject, text: unknownText }, ofText],
      [{ ...ofProject, payer: uid }, ofFewApps],
      [{ ...ofProject, total: true }, ofTotal],
    ],
    // A sum per day of at most 92, per hour where days begin at another time than in UTC, and per quarter of an hour at
    // both ends.
    tradeTotals: [
      [ofMonths, ofApps + 92],
      [{ ...ofMonths, timeZone: 'Asia/Riyadh' }, ofApps + 92 * 24],
      [{ ...ofMonths, appid }, ofPage + 92],
    ],
    getTrade: [[{ tradeNo }, ofPage]],
    getTradeStory: [[{ tradeNo }, ofPage]],
    searchRefunds: [
      [ofProject, ofFewApps],
      [{ ...ofProject, total: true }, ofTotal],
    ],
    // Some balances of each mini app.
    ledgerBalances: [[ofProject, 8 * size.apps]],
    searchReconciliations: [
      [ofProject, ofFewApps],
      [{ ...ofProject, total: true }, ofTotal],
    ],
    getReconciliation: [[{ reconciliationId }, ofPage]],
    searchCallbacks: [
      [ofProject, ofFewApps],
      [{ ...ofProject, text: unknownText }, ofText],
      [{ ...ofProject, total: true }, ofTotal],
    ],
    getCallback: [[{ notifyId: tradeNo }, ofPage]],
    listCallbacks: [[{ appid }, ofPage]],
    countReplay: [[ofProject, ofTotal]],
    listCallbackReceivers: [[{ ...ofProject, all: true }, ofApps]],
    searchNotifications: [
      [ofProject, ofFewApps],
      [{ ...ofProject, total: true }, ofTotal],
    ],
    searchActivities: [
      [ofProject, ofFewApps],
      [{ ...ofProject, total: true }, ofTotal],
    ],
    listFeedback: [[ofProject, ofApps]],
    listReports: [[{}, ofPage]],
    getFeedback: [[{ feedbackId }, ofPage]],
    searchRequests: [
      [ofProject, ofFewApps],
      [{ ...ofProject, text: unknownText }, ofText],
      [{ ...ofProject, client: 'souk-go' }, ofApps + 2 * size.others],
      [{ ...ofProject, total: true }, ofTotal],
    ],
    getRequest: [[{ requestId }, ofPage]],
    listRequests: [[{ appid }, ofPage]],
    searchDatasets: [[ofProject, ofPage]],
    describeDataset: [[{ datasetId: `${projectId}.trades` }, ofApps]],
    // Reads a row of each mini app in each of two partitions.
    searchRecords: [
      [{ datasetId: `${projectId}.trades` }, ofApps + 2 * size.apps],
      [{ datasetId: `${projectId}.trades`, total: true }, ofTotal],
    ],
    downloadRecords: [[{ datasetId: `${projectId}.trades`, format: 'csv' }, ofApps + 3 * size.trades]],
    search: [
      [{ text: 'order-77' }, ofText],
      [{ text: tradeNo }, ofText],
    ],
    listUsers: [[{}, ofPage]],
    sandboxInbox: [[{ uid }, 5 * 50]],
    sandboxHome: [[{ uid }, ofPage]],
    searchEventDeliveries: [[{}, ofPage]],
    getEventDelivery: [[{ deliveryId }, ofPage]],
    searchHostUsers: [
      [{}, ofPage],
      [{ sort: 'nickName' }, ofPage],
      [{ text: 'User 77' }, ofPage + 3 * Math.min(searchedRows, size.users)],
      [{ total: true }, ofTotal],
    ],
    getHostUser: [[{ uid }, ofPage]],
    // All data of the user.
    exportHostUser: [[{ uid }, 5 * size.others]],
  }
}

type Verb = (context: FullContext, caller: unknown, input: object) => Promise<unknown>

const verbs = {
  platform: platformHandlers,
  host: { ...miniApps, ...money, ...users },
  console: consoleHandlers,
} as unknown as Record<string, Record<string, Verb>>

const operations = Object.values<Operation>({
  ...openOperations,
  ...platformOperations,
  ...hostOperations,
  ...consoleOperations,
  ...opsOperations,
})

/** All operations that only read, and the export of a user, whose POST is recorded in the audit log. */
export const reading = operations.filter(({ id, method }) => method === 'GET' || id === 'exportHostUser')

const admin = { kind: 'admin' } as const
const exports: Record<string, (context: FullContext, input: never) => Promise<Export>> = {
  exportRecords: (context, input) => miniApps.exportRecords(context, admin, input),
  downloadRecords: (context, input) => miniApps.exportRecords(context, admin, input),
  exportAudit: (context) => exportAudit(context, admin),
  downloadErrorRecording: (context, input) => miniApps.downloadErrorRecording(context, admin, input),
}

/** Calls operations, and returns what they read. */
export class Reader {
  readonly #url: string
  /** One connection, so that the statistics of all statements are complete. */
  readonly #sql: Sql
  readonly #context: FullContext

  private constructor(url: string) {
    this.#url = url
    this.#sql = connect(url, { max: 1, limits: { ...defaultLimits, statement: minute } })
    this.#context = identityContext(this.#sql)
  }

  static async start(url: string): Promise<Reader> {
    const reader = new Reader(url)
    // The list in memory, which is read once.
    for (const language of ['en_US', 'ar_SA'] as const) await reader.#context.catalogue.sortedFor(language)
    return reader
  }

  stop(): Promise<void> {
    return this.#sql.end()
  }

  /** Calls an operation as its caller, and returns the number of rows of its result and of those that it has read. */
  async read(
    { id, surface, parameters }: Operation,
    input: object,
    { limit, uid }: { limit: number; uid: number },
  ): Promise<{ rows: number; read: number; duration: number }> {
    const page = Object.hasOwn(parameters.properties, 'cursor') ? { limit, ...input } : input
    const caller = surface === 'host' ? { kind: 'hostUser', uid } : admin
    const begin = exports[id]
    const before = await this.#readSoFar()
    const started = performance.now()
    const rows = begin
      ? await this.#export((context) => begin(context, input as never))
      : rowsOf(await verbs[surface]![id]!(this.#context, caller, page))
    const duration = performance.now() - started
    return { rows, duration, read: (await this.#readSoFar()) - before }
  }

  async #readSoFar(): Promise<number> {
    await this.#sql`select pg_stat_force_next_flush()`
    const [{ rows }] = await this.#sql<[{ rows: number }]>`
      select (
        (select sum(seq_tup_read) from pg_stat_user_tables) + (select sum(idx_tup_read) from pg_stat_user_indexes)
      )::bigint as rows`
    return rows
  }

  /** Runs an export with connections of its own, since it is audited while it runs, and returns its number of lines. */
  async #export(begin: (context: FullContext) => Promise<Export>): Promise<number> {
    const applicationName = 'export'
    const sql = connect(this.#url, { max: 3, applicationName })
    const { stream } = await begin({ ...this.#context, sql })
    let rows = 0
    for await (const chunk of stream) rows += (chunk as Buffer).toString('latin1').split('\n').length - 1
    await sql.end()
    // A connection reports its statistics before it leaves.
    const isThere = async () => {
      const [row] = await this.#sql`
        select from pg_stat_activity where application_name = ${applicationName} and datname = current_database() limit 1`
      return row !== undefined
    }
    while (await isThere()) await setTimeout(10)
    return rows
  }
}

/** Counts the items of a page, or of all lists in another result, which are its rows. */
function rowsOf(result: unknown): number {
  if (typeof result !== 'object' || result === null) return 0
  if ('items' in result && Array.isArray(result.items)) return result.items.length
  const inner = Object.values(result).reduce((sum: number, value) => sum + rowsOf(value), 0)
  return Array.isArray(result) ? result.length + inner : inner
}
