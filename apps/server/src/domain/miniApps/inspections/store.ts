import { minute, second } from '@souk/contract'
import { sha256 } from '../../../kernel/crypto.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller, HostUserCaller } from '../../caller.ts'

/** The sides of an inspection. */
export type Side = 'console' | 'phone'

export interface Inspection {
  inspectionId: string
  appid: string
  projectId: string
}

/**
 * Builds the condition for the inspections of a caller: those that the developer has started, or that the session of
 * the user has accepted.
 */
function belongsTo(sql: Sql | Tx, caller: ConsoleCaller | HostUserCaller) {
  if (caller.kind === 'hostUser') return sql`i.uid = ${caller.uid} and i.session_hash = ${sha256(caller.session)}`
  const accountId = caller.kind === 'account' ? caller.accountId : null
  return sql`i.account_id is not distinct from ${accountId}::uuid`
}

/** Locks an inspection of the caller and returns it. `appid` limits it to a mini app. */
export async function lockInspection(
  tx: Tx,
  caller: ConsoleCaller | HostUserCaller,
  { inspectionId, appid }: { inspectionId: string; appid?: string },
): Promise<Inspection | undefined> {
  const [row] = await tx<Inspection[]>`
    select i.inspection_id, i.appid, apps.project_id
    from inspections i join apps using (appid)
    where i.inspection_id = ${inspectionId} and ${belongsTo(tx, caller)}
      ${appid === undefined ? tx`` : tx`and i.appid = ${appid}`}
    for no key update of i`
  return row
}

/** The person who started an inspection, and where. */
export interface Pairing extends Inspection {
  developer: string
  project: string
}

/** Locks the inspection that waits for a phone with this code, and returns it. */
export async function lockByCode(tx: Tx, code: string, now: number): Promise<Pairing | undefined> {
  const [row] = await tx<Pairing[]>`
    select i.inspection_id, i.appid, apps.project_id, coalesce(a.name, 'admin') as developer, projects.name as project
    from inspections i join apps using (appid) join projects using (project_id)
      left join accounts a using (account_id)
    where i.code_hash = ${sha256(code)} and i.code_valid_until > ${now}
    for no key update of i`
  return row
}

/** Lists and locks the inspections that are idle, whose code has expired, or whose user has signed out. */
export async function lockEnded(
  tx: Tx,
  { now, idleSince }: { now: number; idleSince: number },
): Promise<(Inspection & { hasLeft: boolean })[]> {
  return tx<(Inspection & { hasLeft: boolean })[]>`
    select i.inspection_id, i.appid, apps.project_id, i.uid is not null and s.token_hash is null as has_left
    from inspections i join apps using (appid) left join host_sessions s on s.token_hash = i.session_hash
    where case when i.uid is null then i.code_valid_until <= ${now}
      else s.token_hash is null or least(i.last_used, i.console_seen, i.phone_seen) <= ${idleSince} end
    for no key update of i skip locked`
}

/** Returns the number of inspections of a project that are paired, or still wait for a phone. */
export async function countInspections(tx: Tx, projectId: string, now: number): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*)::int as count from inspections join apps using (appid)
    where project_id = ${projectId} and (uid is not null or code_valid_until > ${now})`
  return row.count
}

/** Returns whether the caller has this inspection. */
export async function existsInspection(
  sql: Sql,
  caller: ConsoleCaller | HostUserCaller,
  { inspectionId, appid }: { inspectionId: string; appid?: string },
): Promise<boolean> {
  const rows = await sql`
    select from inspections i where i.inspection_id = ${inspectionId} and ${belongsTo(sql, caller)}
      ${appid === undefined ? sql`` : sql`and i.appid = ${appid}`}`
  return rows.length > 0
}

/** Inserts an inspection that waits for a phone. */
export async function insertInspection(
  tx: Tx,
  { inspectionId, appid }: Omit<Inspection, 'projectId'>,
  caller: ConsoleCaller,
  { code, validUntil, now }: { code: string; validUntil: number; now: number },
): Promise<void> {
  await tx`
    insert into inspections (inspection_id, appid, account_id, code_hash, code_valid_until, last_used)
    values (
      ${inspectionId}, ${appid}, ${caller.kind === 'account' ? caller.accountId : null}, ${sha256(code)},
      ${validUntil}, ${now})`
}

/** Deletes the inspections of a caller for a mini app that wait for a phone. */
export async function deleteUnpaired(tx: Tx, caller: ConsoleCaller, appid: string): Promise<void> {
  await tx`delete from inspections i where i.appid = ${appid} and i.uid is null and ${belongsTo(tx, caller)}`
}

/** Pairs an inspection with the session of a user. */
export async function updateToPaired(
  tx: Tx,
  inspectionId: string,
  { uid, session }: Pick<HostUserCaller, 'uid' | 'session'>,
  now: number,
): Promise<void> {
  await tx`
    update inspections set code_hash = null, uid = ${uid}, session_hash = ${sha256(session)}, last_used = ${now}
    where inspection_id = ${inspectionId}`
}

export async function updateLastUsed(tx: Tx, inspectionId: string, now: number): Promise<void> {
  await tx`update inspections set last_used = ${now} where inspection_id = ${inspectionId}`
}

/** Deletes an inspection with its messages. */
export async function deleteInspectionRows(tx: Tx, inspectionId: string): Promise<void> {
  await tx`delete from inspections where inspection_id = ${inspectionId}`
  await tx`delete from inspection_messages where inspection_id = ${inspectionId}`
}

/** One connection of a side. */
export interface InspectionSide {
  inspectionId: string
  side: Side
  streamId: string
}

/** A side without a sign of life for this time is not connected, in ms. Streams give one every 15 s. */
const maxSilence = 40 * second

const columns = {
  console: { stream: 'console_stream', joined: 'console_joined', seen: 'console_seen' },
  phone: { stream: 'phone_stream', joined: 'phone_joined', seen: 'phone_seen' },
} as const
const otherSide = { console: 'phone', phone: 'console' } as const

/**
 * Connects a side, and locks the inspection, so that no message is added concurrently. `joins`: it gets no earlier
 * messages.
 */
export async function updateSideToConnected(
  tx: Tx,
  { inspectionId, side, streamId }: InspectionSide,
  { joins, now }: { joins: boolean; now: number },
): Promise<void> {
  const { stream, joined, seen } = columns[side]
  await tx`
    update inspections set ${tx(stream)} = ${streamId}, ${tx(seen)} = ${now}
      ${joins ? tx`, ${tx(joined)} = ${now}` : tx``}
    where inspection_id = ${inspectionId}`
}

/** Records that a side is still connected. */
export async function updateSideSeen(
  sql: Sql,
  { inspectionId, side, streamId }: InspectionSide,
  now: number,
): Promise<void> {
  const { stream, seen } = columns[side]
  await sql`
    update inspections set ${sql(seen)} = ${now}
    where inspection_id = ${inspectionId} and ${sql(stream)} = ${streamId}`
}

/** Disconnects a side. Returns false if it has another connection. */
export async function updateSideToDisconnected(
  tx: Tx,
  { inspectionId, side, streamId }: InspectionSide,
  now: number,
): Promise<boolean> {
  const { stream, seen } = columns[side]
  const { count } = await tx`
    update inspections set ${tx(stream)} = null, ${tx(seen)} = ${now}
    where inspection_id = ${inspectionId} and ${tx(stream)} = ${streamId}`
  return count > 0
}

/** An inspection as a side sees it. */
export interface State {
  paired: boolean
  /** True if the other side is connected. */
  connected: boolean
  /** Time when the other side last connected without earlier messages, ms. */
  joined: number | null
}

/** Finds the state of an inspection for a side. `isCurrent`: the side has no newer connection. */
export async function findState(
  sql: Sql,
  { inspectionId, side, streamId }: InspectionSide,
  now: number,
): Promise<(State & { isCurrent: boolean }) | undefined> {
  const own = columns[side]
  const other = columns[otherSide[side]]
  const [row] = await sql<(State & { isCurrent: boolean })[]>`
    select uid is not null as paired, ${sql(other.joined)} as joined, ${sql(own.stream)} = ${streamId} as is_current,
      ${sql(other.stream)} is not null and ${sql(other.seen)} > ${now - maxSilence} as connected
    from inspections where inspection_id = ${inspectionId}`
  return row
}

/** Retention of messages for a side that reconnects, in ms. Their limits apply to the same period. */
export const messageLifetime = minute

/** Counts the messages of an inspection that are kept, and their characters. */
export async function countMessages(
  tx: Tx,
  inspectionId: string,
  now: number,
): Promise<{ count: number; characters: number }> {
  const [sent] = await tx<[{ count: number; characters: number }]>`
    select count(*)::int as count, coalesce(sum(length(message)), 0)::int as characters
    from inspection_messages where inspection_id = ${inspectionId} and time > ${now - messageLifetime}`
  return sent
}

/** Returns the messageId of the newest message of an inspection, 0 without one. */
export async function findLastMessageId(tx: Tx, inspectionId: string): Promise<number> {
  const [row] = await tx<[{ last: number }]>`
    select coalesce(max(message_id), 0)::int8 as last from inspection_messages where inspection_id = ${inspectionId}`
  return row.last
}

/** Lists the messages to a side that are newer than `after`, oldest first. */
export async function listMessages(
  sql: Sql,
  { inspectionId, side }: Pick<InspectionSide, 'inspectionId' | 'side'>,
  after: number,
): Promise<{ messageId: number; message: string }[]> {
  // A few at a time, because one can have half a megabyte.
  return sql<{ messageId: number; message: string }[]>`
    select message_id, message from inspection_messages
    where inspection_id = ${inspectionId} and recipient = ${side} and message_id > ${after}
    order by message_id limit 8`
}

export async function insertMessage(
  tx: Tx,
  { inspectionId, recipient, message }: { inspectionId: string; recipient: Side; message: string },
  now: number,
): Promise<void> {
  await tx`
    insert into inspection_messages (inspection_id, recipient, message, time)
    values (${inspectionId}, ${recipient}, ${message}, ${now})`
}

/** Deletes the messages that are no longer kept. */
export async function deleteOldMessages(sql: Sql, now: number): Promise<void> {
  await sql`delete from inspection_messages where time <= ${now - messageLifetime}`
}
