import type { Category, Language, PayMethod, PayType, TransactionStatus } from '@souk/contract'
import type { MapTiles } from '@souk/contract/bridge'
import type { Clock } from '../kernel/clock.ts'
import type { Sql, Tx } from '../kernel/db/pool.ts'
import type { Egress } from '../kernel/egress.ts'
import type { Logger } from '../kernel/log.ts'
import type { Mailer } from '../kernel/mail.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { ObjectStorage } from '../kernel/objectStorage.ts'
import type { Vault } from '../kernel/vault.ts'
import type { App } from './app.ts'

/** Settings that verbs of all wings read. */
interface Settings {
  /** A sandbox has the sandbox provider, mock users and a movable clock; a live installation has none of them. */
  sandbox: boolean
  /** Public URL of this installation, without a trailing slash. */
  publicUrl: string
}

/** Where browsers go besides the public URL. */
interface WebAddresses {
  /** Origin that serves the files of releases; undefined if it is the one of `publicUrl`. */
  miniAppsUrl?: string | undefined
  /** URL of the host application. Payers return to it from a provider's page, with `tradeNo` in the query. */
  hostUrl: string
  /** Tile server for maps of mini apps (ADR 330); undefined if none is configured. */
  mapTiles?: MapTiles | undefined
}

/** What needs a permission. */
interface Rules {
  /** Whether operators approve the texts and permissions of mini apps (ADR 283). */
  approvals: 'required' | 'automatic'
  /** Accounts that may create projects besides administrators; `allowed`: those that an administrator selected. */
  projectCreation: 'everyone' | 'allowed' | 'operators'
  /** True if releases must be signed with an approved key. */
  requireSignedReleases: boolean
}

/** Facts about this process that `souk doctor` checks. */
interface ProcessFacts {
  /** The data directory; undefined in tests without one. */
  dataDir?: string | undefined
  /** Folder of archived months; undefined if none are archived by themselves. */
  archiveFolder?: string | undefined
  /** Maximum number of connections of this process to PostgreSQL itself. */
  databaseConnections?: number
  /** True if a pooler carries the requests of this process to PostgreSQL. */
  hasPooler?: boolean
  /** Names of settings with a secret that is well known or easily guessed. */
  guessableSecrets?: readonly string[]
}

/** Findings about the proxies in front of this process, from its requests. */
interface ProxyObservations {
  /** Number of proxies that are trusted. */
  trusted?: number
  /** True if a request came through all of them. */
  seen?: boolean
  /** Header of a proxy, although none is trusted. */
  untrusted?: string | undefined
  /** Address of a client that did not come through all of them. */
  bypassedBy?: string | undefined
  /** Private address of a client that is probably one more proxy. */
  hidden?: string
  /** True if a proxy passed on a request that had reached it without TLS. */
  withoutTls?: boolean
}

/** Mini apps by appid, cached in memory. */
export interface Apps {
  /** Returns the app if it is cached, enabled or not. Saves requests a promise. */
  findCached(appid: string): App | undefined
  /** Returns the app, enabled or not, or `undefined` if it does not exist. */
  find(appid: string): Promise<App | undefined>
  /** Removes the app from the cache after a change. */
  forget(appid: string): void
  /** Removes all apps from the cache, after changes may have been missed. */
  forgetAll(): void
}

/** What the list of mini apps is sorted, filtered and searched by. */
export interface CatalogueEntry {
  appid: string
  name: string
  names: Partial<Record<Language, string>>
  iconUrl: string | null
  category: Category | null
  recommended: boolean
  /** Names in all languages, as they are searched. */
  searchedNames: readonly string[]
  /** All that is searched besides tabs, a text per line. */
  searched: string
  tabs: readonly { path: string; title: string; titles: Record<string, string>; searched: readonly string[] }[]
  /** True if a release is published. */
  isPublished: boolean
  /** True if only testers may open it. */
  onlyTesters: boolean
}

/** All mini apps that can be opened, sorted by name, kept in memory. */
export interface Catalogue {
  /** Returns the mini apps by their names in a language. */
  sortedFor(language: Language): Promise<readonly CatalogueEntry[]>
  /** Reads a mini app again after a change. */
  forget(appid: string): void
  /** Reads all again, after changes may have been missed. */
  forgetAll(): void
}

/**
 * Posts one message; `delivery` implements it. Never rejects: the result reports any failure. `duration` and
 * `retryAfter` are in ms; `reply` is the beginning of the response body.
 */
export type SendMessage = (request: {
  /** Purpose of the request, in traces and metrics. */
  purpose: 'callback' | 'event'
  url: string
  headers: Record<string, string>
  body: string
  /** Private hosts that this message may reach. */
  privateHosts?: readonly string[]
}) => Promise<{
  status: number | null
  reply: string | null
  error: string | null
  duration: number
  retryAfter: number | null
  /** Nothing was sent, so the result does not count for the receiver's health. */
  unsent?: boolean
}>

/** The admin token, in a file of the data directory. */
interface AdminToken {
  readonly file: string
  /** Returns the token; an empty text if the file is empty, undefined if it is missing. */
  read(): string | undefined
  write(token: string): Promise<void>
  delete(): Promise<void>
}

/** A payment that a provider has captured for a trade. `amount` in cents. */
export interface CapturedPayment {
  appid: string
  tradeNo: string
  merchantId: string
  outTradeNo: string
  openId: string
  payer: number
  /** The status of the trade before this payment. */
  transactionStatus: TransactionStatus
  attemptId: string
  provider: string
  providerAccountId: string | null
  payType: PayType
  payMethod: PayMethod
  payNo: string | null
  amount: number
  currency: string
}

/** Records captured payments, in the transaction that settles them. `domain/money/ledger` implements it. */
export interface Ledger {
  /** Records a payment that its trade has accepted. */
  recordCapture: (context: Context, tx: Tx, payment: CapturedPayment) => Promise<void>
  /** Records a payment that its trade cannot accept, and starts its refund. */
  recordUnapplied: (context: Context, tx: Tx, payment: CapturedPayment) => Promise<void>
}

/** What most verbs use. */
interface Common {
  sql: Sql
  clock: Clock
  log: Logger
  metrics: Metrics
  settings: Settings
  apps: Apps
  catalogue: Catalogue
}

/** What a verb uses only if its `Context` names it. */
interface Parts {
  vault: Vault
  egress: Egress
  /** Aborted when the server stops, so that long tasks end at their next step. */
  stopping: AbortSignal
  /** Injected by `main`, since the domain has no network access. */
  sendMessage: SendMessage
  ledger: Ledger
  adminToken: AdminToken
  /** Undefined if mail is not configured. */
  mailer: Mailer | undefined
  /** Undefined if there is no object storage. */
  objects: ObjectStorage | undefined
  /** Storage of new files and releases. */
  storage: 'database' | 's3'
  web: WebAddresses
  rules: Rules
  /** Lifetime of an access token, in seconds. */
  accessTokenLifetime: number
  /** Days for which the request log and analytics are kept. */
  retention: { requestLog: number; analytics: number }
  /** File of the master keys; undefined if they come from SOUK_MASTER_KEY. */
  keyRingFile: string | undefined
  process: ProcessFacts
  proxies: ProxyObservations
}

/**
 * The first parameter of every verb: what most of them use, and the parts that this one names, such as
 * `Context<'vault' | 'egress'>`. Contains nothing that belongs to a single request.
 */
export type Context<Named extends keyof Parts = never> = Common & Pick<Parts, Named>

/** Everything, for the surfaces and the worker, which call the verbs. */
export type FullContext = Context<keyof Parts>
