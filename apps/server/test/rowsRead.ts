import type { Sql } from '../src/kernel/db/pool.ts'

interface Plan {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Runs a statement, and returns the number of rows that it reads of tables and indexes. */
export async function rowsRead(sql: Sql, text: string, values: readonly string[]): Promise<number> {
  const [row] = await sql.unsafe<[{ 'QUERY PLAN': [{ Plan: Plan }] | string }]>(
    `explain (analyze, timing off, format json) ${text}`,
    [...values],
  )
  const plan = row['QUERY PLAN']
  const [{ Plan: root }] = typeof plan === 'string' ? (JSON.parse(plan) as [{ Plan: Plan }]) : plan
  return readBy(root)
}

function readBy(plan: Plan): number {
  const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
  const own = /^(?:Seq|Index|Index Only|Bitmap Heap) Scan/.test(plan['Node Type']) ? rows * plan['Actual Loops'] : 0
  return (plan.Plans ?? []).reduce((sum, inner) => sum + readBy(inner), own)
}
