import type { InspectionEnd } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import { notify } from '../../../kernel/outbox.ts'
import type { Context } from '../../context.ts'
import {
  findLastMessageId,
  findState,
  type InspectionSide,
  type Side,
  type State,
  updateSideToConnected,
  updateSideToDisconnected,
} from './store.ts'

/** Notifies all processes of a message, a new state or the end of an inspection. */
export async function announce(tx: Tx, news: { inspectionId: string; ended?: InspectionEnd }): Promise<void> {
  await notify(tx, 'souk_inspection', JSON.stringify(news))
}

/**
 * Connects a side and replaces its earlier connection. Without `after`, a side gets only messages that are sent later.
 *
 * @param after messageId of the last message that the side has; undefined if it has none
 * @returns the connection, and the messageId after which it gets messages
 */
export async function connectSide(
  { sql, clock }: Context,
  { inspectionId, side, after }: { inspectionId: string; side: Side; after: number | undefined },
): Promise<InspectionSide & { after: number }> {
  const connected = { inspectionId, side, streamId: newId() }
  const now = clock.real()
  return sql.begin(async (tx) => {
    await updateSideToConnected(tx, connected, { joins: after === undefined, now })
    await announce(tx, { inspectionId })
    const last = await findLastMessageId(tx, inspectionId)
    return { ...connected, after: after ?? last }
  })
}

/** Records that a side has disconnected, unless it has another connection. */
export async function disconnectSide({ sql, clock }: Context, own: InspectionSide): Promise<void> {
  await sql.begin(async (tx) => {
    if (await updateSideToDisconnected(tx, own, clock.real())) await announce(tx, { inspectionId: own.inspectionId })
  })
}

/** Returns the state of an inspection as a side sees it, or why its connection is over. */
export async function readState(
  { sql, clock }: Context,
  own: InspectionSide,
): Promise<State | Extract<InspectionEnd, 'stopped' | 'replaced'>> {
  const found = await findState(sql, own, clock.real())
  if (!found) return 'stopped'
  const { isCurrent, paired, connected, joined } = found
  return isCurrent ? { paired, connected: connected === true, joined } : 'replaced'
}
