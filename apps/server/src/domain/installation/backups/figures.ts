import { isDeepStrictEqual } from 'node:util'
import type { Session } from '../../../kernel/db/session.ts'
import type { Figures } from './format.ts'
import { countRows, listTables, readFigures } from './tables.ts'

/** Returns the figures of a database. */
export async function figuresOf(session: Session): Promise<Figures> {
  return { rows: await countRows(session, await listTables(session)), ...(await readFigures(session)) }
}

/** Returns the first difference between two databases, such as `rows of trades: 3 instead of 4`, if there is one. */
export function findDifference(found: Figures, expected: Figures): string | undefined {
  const different = Object.keys(expected.rows).find((name) => found.rows[name] !== expected.rows[name])
  const parts: [string, unknown, unknown][] = [
    [`rows of ${different}`, found.rows[different ?? ''], expected.rows[different ?? '']],
    ['sequences', found.sequences, expected.sequences],
    ['balances of the ledger', found.ledger, expected.ledger],
    ['audit chain', found.audit, expected.audit],
  ]
  const wrong = parts.find(([, actual, wanted]) => !isDeepStrictEqual(actual, wanted))
  return wrong && `${wrong[0]}: ${JSON.stringify(wrong[1])} instead of ${JSON.stringify(wrong[2])}`
}
