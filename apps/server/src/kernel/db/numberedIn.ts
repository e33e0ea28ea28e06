import { day } from '@souk/contract'
import { firstUuidAt } from './partitions.ts'
import type { Sql } from './pool.ts'

/** A period of the domain clock, from `from` up to, but without, `to`, in ms. */
interface Period {
  from: number | undefined
  to: number | undefined
  sandbox: boolean
}

/**
 * Restricts rows to the partitions of the period in which they were created, by the column of their numbers. A number
 * has the wall clock; the clock of a sandbox can be ahead of it. A day allows for clocks that were corrected between
 * the two.
 */
export function numberedIn(sql: Sql, column: string, { from, to, sandbox }: Period) {
  return sql`
    ${from === undefined || sandbox ? sql`` : sql`and ${sql(column)} >= ${firstUuidAt(from - day)}`}
    ${to === undefined ? sql`` : sql`and ${sql(column)} < ${firstUuidAt(to + day)}`}`
}
