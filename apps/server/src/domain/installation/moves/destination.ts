import { SoukError } from '@souk/contract'
import type { Sql } from '../../../kernel/db/pool.ts'
import type { Context } from '../../context.ts'
import { audit } from '../audit/index.ts'
import { findMoveState, lockMovedTo, updateToUnmoved } from './store.ts'
import { acceptWrites, areWritesRefused } from './writes.ts'

/** The operator at the machine of the installation. */
export const operator = { kind: 'admin' } as const

/**
 * Returns why no server may start on a database, and what to do, or undefined if it may: the installation has moved to
 * another database, or has not completely arrived.
 */
export async function findMoveProblem(sql: Sql): Promise<string | undefined> {
  const found = await findMoveState(sql)
  if (found?.movedTo) return describeMoved(found.movedTo)
  if (await areWritesRefused(sql))
    return 'The installation is being moved to another database. Start again when that has ended.'
  if (found?.isArriving) {
    return 'A move to this database was interrupted. Run the same souk move again: it completes the move, or starts it again.'
  }
  return undefined
}

/** Returns the message for an operator who finds the old database. */
export function describeMoved(to: string): string {
  const start = to.startsWith('embedded ')
    ? 'Start the server without DATABASE_URL.'
    : `Start the server with its URL as DATABASE_URL.`
  return (
    `The data of this installation has moved to ${to}. ${start} ` +
    'To go back to the data from before the move, without anything that was written since, stop all servers and run ' +
    'souk move --undo with the settings of this database.'
  )
}

/**
 * Makes a database that has moved accept writes again, with the data that it had at the move.
 * @returns where it had moved to
 * @throws SoukError `installation_not_moved`
 */
export async function undoMove({ sql, clock }: Pick<Context, 'sql' | 'clock'>): Promise<string> {
  const from = await sql.begin(async (tx) => {
    const movedTo = await lockMovedTo(tx)
    if (!movedTo) throw new SoukError('installation_not_moved', 'There is no move to undo.')
    await updateToUnmoved(tx)
    const detail = { from: movedTo }
    await audit({ clock }, tx, operator, { action: 'installation.undoMove', subject: 'installation', detail })
    return movedTo
  })
  await acceptWrites(sql)
  return from
}
