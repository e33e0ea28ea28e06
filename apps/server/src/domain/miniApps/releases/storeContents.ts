import pLimit from 'p-limit'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { Context } from '../../context.ts'
import { storeObject, storesObjects } from '../../installation/index.ts'
import type { Build } from './readArchive.ts'
import { insertContent, listStoredContents, lockContents } from './store.ts'

/** Objects of a release that are uploaded at the same time. */
const maxUploads = 8

/**
 * Stores new contents as objects, if the installation has an object storage. Returns their objects by content hash.
 * @throws SoukError `storage_unavailable`
 */
export async function storeObjects(
  context: Context<'objects' | 'storage'>,
  files: Build['files'],
): Promise<Map<string, string>> {
  const objects = new Map<string, string>()
  if (!storesObjects(context)) return objects
  const byHash = new Map([...files.values()].map((file) => [file.hash, file]))
  const stored = await listStoredContents(context.sql, [...byHash.keys()])
  const limit = pLimit(maxUploads)
  const missing = [...byHash.values()].filter(({ hash }) => !stored.has(hash))
  await limit.map(missing, async ({ hash, content }) => objects.set(hash, await storeObject(context, content)))
  return objects
}

/** Stores contents. Returns their hashes by path. */
export async function storeContents(
  context: Pick<Context, 'clock'> & { tx: Tx },
  files: Build['files'],
  objects: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const { tx } = context
  const hashes = new Map([...files].map(([path, { hash }]) => [path, hash]))
  await lockContents(tx)
  const stored = await listStoredContents(tx, [...hashes.values()])
  const newFiles = new Map([...files.values()].filter(({ hash }) => !stored.has(hash)).map((file) => [file.hash, file]))
  // A content without an object was deleted since the objects were stored; it goes to the database.
  // In the order of hashes, so that two uploads cannot wait for each other.
  for (const [hash, file] of [...newFiles].sort(([one], [other]) => (one < other ? -1 : 1))) {
    await insertContent(context, { ...file, object: objects.get(hash) })
  }
  return hashes
}
