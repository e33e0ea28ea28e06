import { type BlockState, type consoleOperations, maxListed, type ResultOf } from '@souk/contract'
import type { Rows, Sql, Tx } from '../../../kernel/db/pool.ts'

/** A block as the console shows it. */
export type Block = ResultOf<typeof consoleOperations.liftBlock>

/** A state that an operator has set. Identifiers are 32 hexadecimal digits, or the id of a mini app or user. */
export interface StoredBlock {
  blockId: string
  state: BlockState
  subject: string
  name: string
  appid: string | null
  projectId: string | null
  /** Whether its owners had set the state before. */
  wasSet: boolean
  isAppealed: boolean
  isAnswered: boolean
  isLifted: boolean
}

/** What a block is recorded with. */
export interface NewBlock extends Omit<StoredBlock, 'isAppealed' | 'isAnswered' | 'isLifted'> {
  /** Of a release, in hexadecimal. */
  digest: string | null
  reason: string | null
  /** Null for the admin token. */
  blockedBy: string | null
}

const storedColumns = (sql: Sql | Tx) => sql`
  block_id, state, subject, name, appid, project_id, was_set, appeal is not null as is_appealed,
  answer_time is not null as is_answered, lifted_time is not null as is_lifted`

/** Returns the block of a state, if an operator has set it and none has lifted it. */
export async function findBlockInForce(tx: Tx, state: BlockState, subject: string): Promise<StoredBlock | undefined> {
  const [row] = await tx<StoredBlock[]>`
    select ${storedColumns(tx)} from blocks where state = ${state} and subject = ${subject} and lifted_time is null`
  return row
}

/** Returns a block in any state. */
export async function findBlock(sql: Sql | Tx, blockId: string): Promise<StoredBlock | undefined> {
  const [row] = await sql<StoredBlock[]>`select ${storedColumns(sql)} from blocks where block_id = ${blockId}`
  return row
}

/** Returns a block in any state and locks it until the transaction ends. */
export async function lockBlock(tx: Tx, blockId: string): Promise<StoredBlock | undefined> {
  const [row] = await tx<StoredBlock[]>`
    select ${storedColumns(tx)} from blocks where block_id = ${blockId} for no key update`
  return row
}

/** Returns whether any of these states is blocked for a subject that starts with `subject`. */
export async function existsBlockOf(tx: Tx, states: readonly BlockState[], subject: string): Promise<boolean> {
  const rows = await tx`
    select from blocks where state = any(${[...states]}) and subject = ${subject} and lifted_time is null limit 1`
  return rows.length > 0
}

/** Returns the subjects in one of these states that operators block at a mini app. */
export async function listBlockedSubjects(
  tx: Tx,
  appid: string,
  states: readonly BlockState[],
): Promise<{ state: BlockState; subject: string }[]> {
  return tx<{ state: BlockState; subject: string }[]>`
    select state, subject from blocks where appid = ${appid} and state = any(${[...states]}) and lifted_time is null`
}

/** Returns the SHA-256 of the paths and contents of a release, in hexadecimal. */
export async function findReleaseDigest(tx: Tx, releaseId: string): Promise<string | null> {
  const [row] = await tx<[{ digest: string | null }]>`
    select encode(
      sha256(convert_to(string_agg(path || ' ' || encode(content_hash, 'hex'), E'\n' order by path), 'UTF8')), 'hex'
    ) as digest
    from release_files where release_id = ${releaseId}`
  return row.digest
}

/** Returns the version of a blocked release of a mini app that has the same files. */
export async function findBlockedCopy(tx: Tx, appid: string, releaseId: string): Promise<string | undefined> {
  const digest = await findReleaseDigest(tx, releaseId)
  const [row] = await tx<{ name: string }[]>`
    select name from blocks
    where appid = ${appid} and digest = decode(${digest}, 'hex') and subject <> ${releaseId} and lifted_time is null
    limit 1`
  return row?.name
}

export async function insertBlock(tx: Tx, block: NewBlock, now: number): Promise<void> {
  await tx`
    insert into blocks
      (block_id, state, subject, name, appid, project_id, digest, was_set, reason, blocked_by, ctime)
    values (
      ${block.blockId}, ${block.state}, ${block.subject}, ${block.name}, ${block.appid}, ${block.projectId},
      decode(${block.digest}, 'hex'), ${block.wasSet}, ${block.reason}, ${block.blockedBy}, ${now})`
}

export async function updateBlockReason(tx: Tx, blockId: string, reason: string): Promise<void> {
  await tx`update blocks set reason = ${reason} where block_id = ${blockId}`
}

export async function updateAppeal(
  tx: Tx,
  blockId: string,
  appeal: { text: string; appealedBy: string | null; time: number },
): Promise<void> {
  await tx`
    update blocks set appeal = ${appeal.text}, appealed_by = ${appeal.appealedBy}, appeal_time = ${appeal.time}
    where block_id = ${blockId}`
}

/** Records the answer to an appeal, and whether the block is lifted. Without an answer an earlier one stays. */
export async function updateAnswer(
  tx: Tx,
  blockId: string,
  answer: { text: string | null; answeredBy: string | null; time: number; isLifted: boolean },
): Promise<void> {
  await tx`
    update blocks set
      answer = coalesce(${answer.text}, answer), answered_by = ${answer.answeredBy}, answer_time = ${answer.time},
      lifted_time = ${answer.isLifted ? answer.time : null}
    where block_id = ${blockId}`
}

/** Deletes the blocks of an erased user, whose reasons may be about the person. */
export async function deleteBlocksOfUser(tx: Tx, uid: number): Promise<void> {
  await tx`delete from blocks where state = 'userDisabled' and subject = ${String(uid)}`
}

const shownColumns = (sql: Sql | Tx) => sql`
  b.block_id, b.state, b.subject, b.name, b.appid, apps.name as app_name, b.project_id, projects.name as project_name,
  b.reason, coalesce(blocker.name, 'admin') as blocked_by, b.ctime, b.appeal,
  case when b.appeal is not null then coalesce(appellant.name, 'admin') end as appealed_by, b.appeal_time, b.answer,
  case when b.answer_time is not null then coalesce(answerer.name, 'admin') end as answered_by,
  b.answer_time, b.lifted_time`

const shownTables = (sql: Sql | Tx) => sql`
  left join apps on apps.appid = b.appid left join projects on projects.project_id = b.project_id
  left join accounts blocker on blocker.account_id = b.blocked_by
  left join accounts appellant on appellant.account_id = b.appealed_by
  left join accounts answerer on answerer.account_id = b.answered_by`

/** Returns the blocks in force of a project; with `accounts`, also those of its members. Newest first. */
export async function listBlocksOfProject(
  sql: Sql,
  projectId: string,
  { accounts }: { accounts: boolean },
): Promise<Block[]> {
  const ofMembers = sql`
    or b.state = 'accountDisabled' and b.subject in (
      select replace(account_id::text, '-', '') from project_members where project_id = ${projectId})`
  return sql<Block[]>`
    select ${shownColumns(sql)} from blocks b ${shownTables(sql)}
    where b.lifted_time is null and (b.project_id = ${projectId} ${accounts ? ofMembers : sql``})
      and apps.deleted_time is null
    order by b.ctime desc, b.block_id desc
    limit ${maxListed}`
}

/** Returns blocks before `before`, newest first. */
export function listBlockRows(
  sql: Sql,
  filter: {
    state: BlockState | undefined
    subject: string | undefined
    lifted: boolean | undefined
    before: readonly [ctime: number, blockId: string] | undefined
    limit: number
  },
): Rows<Block> {
  const { state, subject, lifted, before, limit } = filter
  return sql<Block[]>`
    select ${shownColumns(sql)} from blocks b ${shownTables(sql)}
    where true
      ${state === undefined ? sql`` : sql`and b.state = ${state}`}
      ${subject === undefined ? sql`` : sql`and b.subject = ${subject}`}
      ${lifted === undefined ? sql`` : sql`and (b.lifted_time is not null) = ${lifted}`}
      ${before === undefined ? sql`` : sql`and (b.ctime, b.block_id) < (${before[0]}, ${before[1]}::uuid)`}
    order by b.ctime desc, b.block_id desc
    limit ${limit}`
}

/** Returns blocks by their identifiers, in no particular order. */
export async function listBlocksById(sql: Sql | Tx, blockIds: readonly string[]): Promise<Block[]> {
  return sql<Block[]>`
    select ${shownColumns(sql)} from blocks b ${shownTables(sql)}
    where b.block_id = any(${[...blockIds]}::text[]::uuid[])`
}
