import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { partSize } from './content.ts'

/** A content of a file or a release. */
export interface Content {
  table: 'files' | 'releases'
  /** The id of the file, or the hash of the release file, hexadecimal. */
  id: string
  /** Bytes as stored, which can be a gzip. */
  size: number
  /** SHA-256 of the stored bytes, hexadecimal; null for a content in the database. */
  object: string | null
}

/** Number and bytes of contents. */
export interface Amount {
  count: number
  size: number
}

/**
 * Records that an object is being uploaded, even if it exists already. Returns false while it is being deleted.
 * @param now real time, ms
 */
export async function upsertUpload(sql: Sql, hash: string, size: number, now: number): Promise<boolean> {
  const { count } = await sql`
    insert into stored_objects as known (hash, size, state, time) values (${bytes(hash)}, ${size}, 'uploading', ${now})
    on conflict (hash) do update set time = excluded.time where known.state <> 'deleting'`
  return count === 1
}

/** Marks an object as stored, and prevents its deletion until the transaction ends. Returns false if it is deleted. */
export async function updateStored(tx: Tx, hash: string, now: number): Promise<boolean> {
  const { count } = await tx`
    update stored_objects set state = 'stored', time = ${now} where hash = ${bytes(hash)} and state <> 'deleting'`
  return count === 1
}

/**
 * Marks unused objects for deletion and returns all that are marked, at most 1,000.
 *
 * @param before uploads that began earlier have failed; objects that were last used before `usedBefore` are unused.
 * Real time, ms
 */
export async function updateUnusedObjects(
  sql: Sql,
  { before, usedBefore }: { before: number; usedBefore: number },
): Promise<string[]> {
  await sql`
    update stored_objects o set state = 'deleting'
    where (state = 'uploading' and time < ${before} or state = 'stored' and time < ${usedBefore})
      and not exists (select from files where object = o.hash)
      and not exists (select from release_contents where object = o.hash)`
  const rows = await sql<{ hash: string }[]>`
    select encode(hash, 'hex') as hash from stored_objects where state = 'deleting' limit 1000`
  return rows.map(({ hash }) => hash)
}

/**
 * Claims the deletion of a marked object, so that runs that overlap do not delete one that was uploaded again. Returns
 * false if another run has claimed it since `before`, or has deleted it. Real time, ms.
 */
export async function claimDeletion(
  sql: Sql,
  hash: string,
  { now, before }: { now: number; before: number },
): Promise<boolean> {
  const { count } = await sql`
    update stored_objects set time = ${now} where hash = ${bytes(hash)} and state = 'deleting' and time < ${before}`
  return count === 1
}

/** Sets when objects were last used, after a content of theirs was deleted. @param now real time, ms */
export async function updateLastUse(tx: Tx, hashes: readonly string[], now: number): Promise<void> {
  await tx`
    update stored_objects set time = ${now}
    where hash in (select decode(hash, 'hex') from unnest(${hashes as string[]}::text[]) as hash)`
}

export async function deleteObjectRow(sql: Sql, hash: string): Promise<void> {
  await sql`delete from stored_objects where hash = ${bytes(hash)} and state = 'deleting'`
}

/** Returns up to 50 contents of a table that are in the object storage or not, in order, beginning behind an id. */
export async function listContents(
  sql: Sql,
  { table, stored, after }: { table: Content['table']; stored: boolean; after: string | undefined },
): Promise<Content[]> {
  const isThere = stored ? sql`object is not null` : sql`object is null`
  if (table === 'files') {
    return sql<Content[]>`
      select 'files' as table, file_id as id, coalesce(o.size, length(content))::float8 as size,
        encode(object, 'hex') as object
      from files left join stored_objects o on o.hash = object
      where ${isThere} ${after === undefined ? sql`` : sql`and file_id > ${after}`}
      order by file_id limit 50`
  }
  return sql<Content[]>`
    select 'releases' as table, encode(content_hash, 'hex') as id, size::float8, encode(object, 'hex') as object
    from release_contents
    where ${isThere} ${after === undefined ? sql`` : sql`and content_hash > ${bytes(after)}`}
    order by content_hash limit 50`
}

/** Returns the amounts of contents in the database and in the object storage. */
export async function countContents(sql: Sql): Promise<{ database: Amount; objects: Amount }> {
  const [row] = await sql<[Record<'count' | 'size' | 'objects' | 'objectSize', number>]>`
    select count(*) filter (where object is null)::float8 as count,
      coalesce(sum(size) filter (where object is null), 0)::float8 as size,
      count(object)::float8 as objects, coalesce(sum(size) filter (where object is not null), 0)::float8 as object_size
    from (
      select coalesce(o.size, length(content)) as size, object
      from files left join stored_objects o on o.hash = object
      union all
      select size, object from release_contents
    ) content`
  return {
    database: { count: row.count, size: row.size },
    objects: { count: row.objects, size: row.objectSize },
  }
}

/** Returns whether a content is in the object storage. */
export async function existsObject(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (select from files where object is not null)
      or exists (select from release_contents where object is not null) as found`
  return row.found
}

/** Returns the object of a content, or null if it is in the database or deleted. */
export async function findObject(sql: Sql, { table, id }: Pick<Content, 'table' | 'id'>): Promise<string | null> {
  const [row] =
    table === 'files'
      ? await sql<[{ object: string | null }?]>`
          select encode(object, 'hex') as object from files where file_id = ${id}`
      : await sql<[{ object: string | null }?]>`
          select encode(object, 'hex') as object from release_contents where content_hash = ${bytes(id)}`
  return row?.object ?? null
}

/**
 * Returns the part of a content in the database at an offset, a multiple of `partSize`; undefined if it is not there.
 */
export async function findPart(
  sql: Sql,
  { table, id }: Pick<Content, 'table' | 'id'>,
  offset: number,
): Promise<Buffer | undefined> {
  const [row] =
    table === 'files'
      ? await sql<[{ part: Buffer | null }?]>`
          select substring(content from ${offset + 1}::integer for ${partSize}::integer) as part
          from files where file_id = ${id}`
      : await sql<[{ part: Buffer | null }?]>`
          select content as part from release_content_parts
          where content_hash = ${bytes(id)} and part = ${offset / partSize}`
  return row?.part ?? undefined
}

/** Replaces the bytes of a content by an object. Returns false if the content was deleted or moved concurrently. */
export async function updateContentToObject(tx: Tx, { table, id }: Content, object: string): Promise<boolean> {
  const { count } =
    table === 'files'
      ? await tx`
          update files set object = ${bytes(object)}, content = null where file_id = ${id} and object is null`
      : await tx`
          update release_contents set object = ${bytes(object)} where content_hash = ${bytes(id)} and object is null`
  if (count === 1 && table === 'releases') await deleteParts(tx, id)
  return count === 1
}

/** Deletes the parts of a release content, which an interrupted move can have left. */
export async function deleteParts(sql: Sql | Tx, id: string): Promise<void> {
  await sql`delete from release_content_parts where content_hash = ${bytes(id)}`
}

/** Adds a part to a release content, unless the content was deleted. */
export async function insertPart(sql: Sql, id: string, part: number, content: Buffer): Promise<void> {
  await sql`
    insert into release_content_parts (content_hash, part, content)
    select content_hash, ${part}, ${content} from release_contents where content_hash = ${bytes(id)}`
}

/**
 * Lets a content be in the database again. `content` are the bytes of a file; those of a release are in its parts.
 * Returns false if the content was deleted or moved concurrently.
 */
export async function updateObjectToContent(
  tx: Tx,
  { table, id, object }: Content & { object: string },
  { content, now }: { content: Buffer | undefined; now: number },
): Promise<boolean> {
  const { count } =
    table === 'files'
      ? await tx`
          update files set content = ${content ?? null}, object = null where file_id = ${id} and object = ${bytes(object)}`
      : await tx`
          update release_contents set object = null where content_hash = ${bytes(id)} and object = ${bytes(object)}`
  await updateLastUse(tx, [object], now)
  return count === 1
}

const bytes = (hash: string) => Buffer.from(hash, 'hex')
