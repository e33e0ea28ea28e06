import type { AppliedMigration } from '../../../kernel/db/baseline.ts'

/** Version of the archive's layout. A reader refuses newer ones. */
export const formatVersion = 1

/** Names of the entries of an archive, in order. Tables are between the keys and the figures. */
export const entries = {
  manifest: 'manifest.json',
  keyRing: 'master-key',
  tablePrefix: 'tables/',
  jobs: 'jobs',
  /** The last entry: without it the archive is incomplete. */
  figures: 'figures.json',
} as const

/** First entry: what the archive contains. */
export interface Manifest {
  format: number
  /** Version of Souk that made the backup, with the commit unless it was released. */
  souk: string
  /** Time of the snapshot, ms. */
  time: number
  environment: 'sandbox' | 'live'
  /** The migrations of the database, which define its tables. */
  migrations: AppliedMigration[]
  /** Tables in an order in which each comes after those that it references. */
  tables: Table[]
  /** Contents of files and releases that are in the object storage, and so not in the backup. */
  objects?: { count: number; size: number }
}

export interface Table {
  name: string
  columns: string[]
  /** Partitions of a partitioned table, with their bounds as in `attach partition`. */
  partitions?: { name: string; bound: string }[]
}

/** Last entry: what the restored database must have. */
export interface Figures {
  /** Rows per table; `jobs` are those of the queue. */
  rows: Record<string, number>
  /** Last values of sequences. */
  sequences: Record<string, string>
  /** Balance in cents, as text, per currency and kind of account. The balances of a currency add up to zero. */
  ledger: { currency: string; owner: string; balance: string }[]
  audit: AuditFigures
}

interface AuditFigures {
  /** Hash of the last row of the chain, lowercase hex; empty without rows. */
  head: string
  /** Rows outside the chain, or whose hash is wrong. */
  broken: number
}
