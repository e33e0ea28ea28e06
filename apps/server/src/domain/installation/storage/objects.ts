import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type DoctorSentence, day, doctorSentence, minute, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { StorageError } from '../../../kernel/objectStorage.ts'
import type { Context, FullContext } from '../../context.ts'
import {
  claimDeletion,
  countContents,
  deleteObjectRow,
  existsObject,
  updateStored,
  updateUnusedObjects,
  upsertUpload,
} from './store.ts'

/** The parts of the context that this domain uses. */
export type StorageContext = Pick<FullContext, 'sql' | 'clock' | 'log' | 'objects'>

/** Time after which an upload that nothing uses has failed. */
const maxUploadTime = day
/** Time for which objects that nothing uses are kept, so that backups that are younger find them. */
const retention = 30 * day

/** Time for which no other run of the job deletes an object. A deletion takes a minute at most. */
const maxDeletionTime = 10 * minute

/** Returns the name of an object in the bucket. */
const nameOf = (hash: string) => `sha256/${hash}`

/** Returns whether new contents are stored in the object storage. */
export function storesObjects({ objects, storage }: Pick<FullContext, 'objects' | 'storage'>): boolean {
  return objects !== undefined && storage === 's3'
}

/**
 * Stores bytes as an object, outside of transactions, and returns their SHA-256, hexadecimal. The object is deleted
 * after a day unless `useObject` follows.
 *
 * @throws SoukError `storage_unavailable`
 */
export async function storeObject(context: StorageContext, content: Uint8Array): Promise<string> {
  const hash = createHash('sha256').update(content).digest('hex')
  await putObject(context, { hash, size: content.length, open: () => content })
  return hash
}

/** Stores an object whose hash is known. @throws SoukError `storage_unavailable` */
export async function putObject(
  context: StorageContext,
  object: { hash: string; size: number; open: () => Uint8Array | AsyncIterable<Uint8Array> },
): Promise<void> {
  const { sql, clock } = context
  if (!(await upsertUpload(sql, object.hash, object.size, clock.real()))) throw beingDeleted()
  await reach(context, (objects) => objects.put({ ...object, name: nameOf(object.hash) }))
}

/**
 * Keeps an object that the transaction refers to.
 * @throws SoukError `storage_unavailable` if it was deleted, since it had not been used for long
 */
export async function useObject({ clock }: Pick<Context, 'clock'>, tx: Tx, hash: string): Promise<void> {
  if (!(await updateStored(tx, hash, clock.real()))) throw beingDeleted()
}

const beingDeleted = () =>
  new SoukError('storage_unavailable', 'The same content is being deleted; try again in a minute.')

/**
 * Opens an object of `size` bytes as a stream, which fails before its end if the bytes are not those that were stored.
 * @throws SoukError `storage_unavailable`, `storage_damaged` if the object is missing
 */
export async function openObject(
  context: Pick<StorageContext, 'objects' | 'log'>,
  hash: string,
  size: number,
): Promise<Readable> {
  const stream = await reach(context, (objects) => objects.get(nameOf(hash)))
  if (!stream) throw damaged(context, hash, 'is missing')
  // Frees the connection of a reader that leaves before it reads.
  return Readable.from(verified(context, stream, hash, size)).once('close', () => stream.destroy())
}

/**
 * Passes on a stream, but its last part only if all parts together have the hash. Stops reading when there is more than
 * there should be: a storage could go on forever.
 */
async function* verified(
  context: Pick<StorageContext, 'log'>,
  stream: AsyncIterable<Buffer>,
  hash: string,
  size: number,
): AsyncGenerator<Buffer> {
  let left = size
  const digest = createHash('sha256')
  const parts = stream[Symbol.asyncIterator]()
  const read = () =>
    parts.next().catch((error: Error) => {
      throw unavailable(context, error)
    })
  let last: Buffer | undefined
  for (let part = await read(); !part.done; part = await read()) {
    left -= part.value.length
    if (left < 0) throw damaged(context, hash, 'was changed')
    digest.update(part.value)
    if (last) yield last
    last = part.value
  }
  if (digest.digest('hex') !== hash) throw damaged(context, hash, 'was changed')
  if (last) yield last
}

function damaged({ log }: Pick<StorageContext, 'log'>, hash: string, what: string): SoukError {
  log.error({ object: nameOf(hash) }, `an object ${what} in the object storage`)
  return new SoukError('storage_damaged', `The object ${nameOf(hash)} ${what}.`)
}

/** Calls the object storage. @throws SoukError `storage_unavailable` */
async function reach<T>(
  { objects, log }: Pick<StorageContext, 'objects' | 'log'>,
  call: (objects: NonNullable<FullContext['objects']>) => Promise<T>,
): Promise<T> {
  if (!objects) throw new SoukError('storage_unavailable', 'This process has no object storage: set SOUK_S3_URL.')
  try {
    return await call(objects)
  } catch (error) {
    throw error instanceof StorageError ? unavailable({ log }, error) : error
  }
}

/** Logs why the object storage failed, since only operators may know. */
function unavailable({ log }: Pick<StorageContext, 'log'>, cause: Error): SoukError {
  log.error({ error: cause.message }, 'object storage failed')
  return new SoukError('storage_unavailable', 'Try again in a moment; the operator finds the cause in the log.', {
    cause,
  })
}

/**
 * Job: deletes the objects of failed uploads, and those that nothing has used for 30 days. Marks them first, in a
 * transaction of their rows, so that no upload can refer to an object that is being deleted.
 */
export async function collectObjects(context: StorageContext): Promise<void> {
  const { sql, clock, objects } = context
  if (!objects) return
  const now = clock.real()
  for (const hash of await updateUnusedObjects(sql, { before: now - maxUploadTime, usedBefore: now - retention })) {
    const claimed = clock.real()
    if (!(await claimDeletion(sql, hash, { now: claimed, before: claimed - maxDeletionTime }))) continue
    await reach(context, () => objects.delete(nameOf(hash)))
    await deleteObjectRow(sql, hash)
  }
}

/** Explains what is wrong with the storage of files, for `souk doctor`. `problem` is undefined if nothing is. */
export async function explainStorage(
  context: Context<'objects' | 'storage'>,
): Promise<{ found: DoctorSentence; problem?: 'unreachable' | 'misplaced' }> {
  const { objects, sql } = context
  if (!objects) {
    if (!(await existsObject(sql))) return { found: doctorSentence('storageDatabase') }
    return { found: doctorSentence('storageUnset'), problem: 'unreachable' }
  }
  try {
    await probe(objects)
  } catch (error) {
    return { found: doctorSentence('storageFails', { reason: (error as Error).message }), problem: 'unreachable' }
  }
  const amounts = await countContents(sql)
  const misplaced = storesObjects(context) ? amounts.database : amounts.objects
  if (misplaced.count === 0) return { found: doctorSentence('storageWorks', { url: objects.url }) }
  const code = storesObjects(context) ? 'storageInDatabase' : 'storageInObjects'
  return { found: doctorSentence(code, { count: misplaced.count }), problem: 'misplaced' }
}

/** Writes, reads and deletes an object. @throws StorageError */
async function probe(objects: NonNullable<FullContext['objects']>): Promise<void> {
  const content = randomBytes(16)
  const name = `probe/${content.toString('hex')}`
  const hash = createHash('sha256').update(content).digest('hex')
  await objects.put({ name, hash, size: content.length, open: () => content })
  const stream = await objects.get(name)
  const found = stream && (await buffer(stream))
  if (!found?.equals(content)) throw new StorageError(`${objects.url} does not return what was written.`)
  await objects.delete(name)
}
