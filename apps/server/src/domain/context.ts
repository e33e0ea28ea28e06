import type { Clock } from '../kernel/clock.ts'
import type { Vault } from '../kernel/crypto.ts'
import type { Sql } from '../kernel/db/pool.ts'
import type { Egress } from '../kernel/egress.ts'
import type { Logger } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { AppDirectory } from './apps/index.ts'
import type { SendCallback } from './trades/index.ts'

/** What an installation decides for its domain; read once from the environment by `config.ts`. */
export interface Settings {
  /** A sandbox has the sandbox processor, mock users and a movable clock; a live installation has none of them. */
  sandbox: boolean
  /** Where this installation is reached, without a slash at the end. */
  publicUrl: string
  /** Where the host application is: payers who paid on a processor's page are led on to it, with `tradeNo` in the query. */
  hostUrl: string
  /** Lifetime of an access token, seconds. */
  accessTokenLifetime: number
}

/** What every verb is given first: the database, the clock, and nothing that belongs to one request. */
export interface Context {
  sql: Sql
  clock: Clock
  vault: Vault
  egress: Egress
  log: Logger
  metrics: Metrics
  settings: Settings
  /** Mini apps by appid, kept in memory and dropped when they change. */
  apps: AppDirectory
  /** Aborted when the server stops: long work ends at its next step. */
  stopping: AbortSignal
  /** Sends one callback over the network; `main` hands it in, since the domain has no network of its own. */
  sendCallback: SendCallback
}
