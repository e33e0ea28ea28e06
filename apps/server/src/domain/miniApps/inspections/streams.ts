import { type InspectionEnd, second } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import { notify } from '../../../kernel/outbox.ts'
import type { ConsoleCaller, HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { belongsTo, type Side } from './store.ts'

/** A side without a sign of life for this time is not connected, in ms. Streams give one every 15 s. */
const maxSilence = 40 * second

/** Notifies all processes of a message, a new state or the end of an inspection. */
export async function announce(tx: Tx, news: { inspectionId: string; ended?: InspectionEnd }): Promise<void> {
  await notify(tx, 'souk_inspection', JSON.stringify(news))
}

/** One connection of a side. */
export interface InspectionSide {
  inspectionId: string
  side: Side
  streamId: string
}

/** Returns whether the caller has this inspection. */
export async function findSide(
  context: Context,
  caller: ConsoleCaller | HostUserCaller,
  { inspectionId, appid }: { inspectionId: string; appid?: string },
): Promise<boolean> {
  const { sql } = context
  const rows = await sql`
    select from inspections i where i.inspection_id = ${inspectionId} and ${belongsTo(sql, caller)}
      ${appid === undefined ? sql`` : sql`and i.appid = ${appid}`}`
  return rows.length > 0
}

const columns = {
  console: { stream: 'console_stream', joined: 'console_joined', seen: 'console_seen' },
  phone: { stream: 'phone_stream', joined: 'phone_joined', seen: 'phone_seen' },
} as const
const otherSide = { console: 'phone', phone: 'console' } as const

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
  const streamId = newId()
  const { stream, joined, seen } = columns[side]
  const now = clock.real()
  return sql.begin(async (tx) => {
    // Locks the inspection, so that no message is added concurrently.
    await tx`
      update inspections set ${tx(stream)} = ${streamId}, ${tx(seen)} = ${now}
        ${after === undefined ? tx`, ${tx(joined)} = ${now}` : tx``}
      where inspection_id = ${inspectionId}`
    await announce(tx, { inspectionId })
    const [row] = await tx<[{ last: number }]>`
      select coalesce(max(message_id), 0)::int8 as last from inspection_messages where inspection_id = ${inspectionId}`
    return { inspectionId, side, streamId, after: after ?? Number(row.last) }
  })
}

/** Records that a side is still connected. */
export async function touchSide(
  { sql, clock }: Context,
  { inspectionId, side, streamId }: InspectionSide,
): Promise<void> {
  const { stream, seen } = columns[side]
  await sql`
    update inspections set ${sql(seen)} = ${clock.real()}
    where inspection_id = ${inspectionId} and ${sql(stream)} = ${streamId}`
}

/** Records that a side has disconnected, unless it has another connection. */
export async function disconnectSide(
  { sql, clock }: Context,
  { inspectionId, side, streamId }: InspectionSide,
): Promise<void> {
  const { stream, seen } = columns[side]
  await sql.begin(async (tx) => {
    const { count } = await tx`
      update inspections set ${tx(stream)} = null, ${tx(seen)} = ${clock.real()}
      where inspection_id = ${inspectionId} and ${tx(stream)} = ${streamId}`
    if (count > 0) await announce(tx, { inspectionId })
  })
}

interface State {
  paired: boolean
  /** True if the other side is connected. */
  connected: boolean
  /** Time when the other side last connected without earlier messages, ms. */
  joined: number | null
}

/** Returns the state of an inspection as a side sees it, or why its connection is over. */
export async function readState(
  { sql, clock }: Context,
  { inspectionId, side, streamId }: InspectionSide,
): Promise<State | Extract<InspectionEnd, 'stopped' | 'replaced'>> {
  const own = columns[side]
  const other = columns[otherSide[side]]
  const [row] = await sql<(State & { isCurrent: boolean })[]>`
    select uid is not null as paired, ${sql(other.joined)} as joined, ${sql(own.stream)} = ${streamId} as is_current,
      ${sql(other.stream)} is not null and ${sql(other.seen)} > ${clock.real() - maxSilence} as connected
    from inspections where inspection_id = ${inspectionId}`
  if (!row) return 'stopped'
  const { isCurrent, paired, connected, joined } = row
  return isCurrent ? { paired, connected: connected === true, joined } : 'replaced'
}

/** Returns the messages to a side that are newer than `after`, oldest first. */
export async function readMessages(
  sql: Sql,
  { inspectionId, side }: InspectionSide,
  after: number,
): Promise<{ messageId: number; message: string }[]> {
  // A few at a time, because one can have half a megabyte.
  return sql<{ messageId: number; message: string }[]>`
    select message_id, message from inspection_messages
    where inspection_id = ${inspectionId} and recipient = ${side} and message_id > ${after}
    order by message_id limit 8`
}
