import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { SoukError } from '@souk/contract'
import { audit } from '../audit/index.ts'
import { partSize } from './content.ts'
import { openObject, putObject, type StorageContext, useObject } from './objects.ts'
import {
  type Content,
  deleteParts,
  findPart,
  insertPart,
  listContents,
  updateContentToObject,
  updateObjectToContent,
} from './store.ts'

/** The operator at the machine of the installation. */
const operator = { kind: 'admin' } as const

/** Receives what is being moved, and the bytes of it so far. Throws to interrupt the move. */
export type MoveProgress = (table: Content['table'], bytes: number) => void

/** Moved contents, and their bytes. */
interface Moved {
  files: number
  releases: number
  size: number
}

/**
 * Moves all contents of files and releases to the object storage or back, while servers run. Each content is moved by
 * itself, and only after it was read back and had the same hash, so that the move can be interrupted and started again.
 *
 * @throws SoukError `storage_unavailable`, `storage_damaged`
 */
export async function moveContents(
  context: StorageContext,
  to: 's3' | 'database',
  progress: MoveProgress,
): Promise<Moved> {
  const moved: Moved = { files: 0, releases: 0, size: 0 }
  const move = to === 's3' ? moveToObjects : moveToDatabase
  await eachContent(context, { stored: to === 'database' }, async (content) => {
    progress(content.table, moved.size)
    if (!(await move(context, content))) return
    moved[content.table]++
    moved.size += content.size
  })
  await context.sql.begin((tx) =>
    audit(context, tx, operator, { action: 'storage.move', subject: 'installation', detail: { to, ...moved } }),
  )
  return moved
}

/**
 * Reads all objects that files and releases use, and compares their hashes.
 * @returns their number, and the names of those that are missing or damaged
 * @throws SoukError `storage_unavailable`
 */
export async function verifyObjects(
  context: StorageContext,
  progress: MoveProgress,
): Promise<{ count: number; size: number; damaged: string[] }> {
  const found = { count: 0, size: 0, damaged: [] as string[] }
  await eachContent(context, { stored: true }, async ({ table, object, size }) => {
    progress(table, found.size)
    found.count++
    found.size += size
    try {
      for await (const _ of await openObject(context, object!, size));
    } catch (error) {
      if (!(error instanceof SoukError) || error.code !== 'storage_damaged') throw error
      found.damaged.push(object!)
    }
  })
  return found
}

async function eachContent(
  { sql }: StorageContext,
  { stored }: { stored: boolean },
  work: (content: Content) => Promise<void>,
): Promise<void> {
  for (const table of ['files', 'releases'] as const) {
    let after: string | undefined
    do {
      const contents = await listContents(sql, { table, stored, after })
      for (const content of contents) await work(content)
      after = contents.at(-1)?.id
    } while (after !== undefined)
  }
}

async function moveToObjects(context: StorageContext, content: Content): Promise<boolean> {
  const hash = await hashOf(readParts(context, content))
  if (hash === undefined) return false
  const { size } = content
  await putObject(context, { hash, size, open: () => readParts(context, content) })
  for await (const _ of await openObject(context, hash, size));
  return context.sql.begin(async (tx) => {
    await useObject(context, tx, hash)
    return updateContentToObject(tx, content, hash)
  })
}

async function* readParts({ sql }: StorageContext, content: Content): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < content.size; offset += partSize) {
    const part = await findPart(sql, content, offset)
    if (!part) throw new ContentGone()
    yield part
  }
}

/** A content was deleted or moved concurrently. */
class ContentGone extends Error {}

async function hashOf(parts: AsyncIterable<Buffer>): Promise<string | undefined> {
  const digest = createHash('sha256')
  try {
    for await (const part of parts) digest.update(part)
  } catch (error) {
    if (error instanceof ContentGone) return undefined
    throw error
  }
  return digest.digest('hex')
}

async function moveToDatabase(context: StorageContext, content: Content): Promise<boolean> {
  const { sql, clock } = context
  const object = content.object!
  const stream = await openObject(context, object, content.size)
  // A file is at most 2 MB; release contents can be larger, and are written while they are read.
  const bytes = content.table === 'files' ? await buffer(stream) : undefined
  if (content.table === 'releases') await writeParts(context, content, stream)
  return sql.begin((tx) => updateObjectToContent(tx, { ...content, object }, { content: bytes, now: clock.real() }))
}

/** Writes the parts of a release content. They are not read while the content has an object. */
async function writeParts({ sql }: StorageContext, { id }: Content, stream: AsyncIterable<Buffer>): Promise<void> {
  await deleteParts(sql, id)
  let part = 0
  let rest = Buffer.alloc(0)
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk])
    for (; rest.length >= partSize; rest = rest.subarray(partSize)) {
      await insertPart(sql, id, part++, rest.subarray(0, partSize))
    }
  }
  if (rest.length > 0) await insertPart(sql, id, part, rest)
}
