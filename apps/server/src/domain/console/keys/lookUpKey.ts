import { batchByTick } from '../../../kernel/db/batchByTick.ts'
import { type KeyOwner, listKeyOwners } from './store.ts'

/** Returns the owner of a key by its SHA-256. Batched within one event-loop tick, but never cached (ADR 202). */
export const lookUpKey = batchByTick<Buffer, KeyOwner | undefined>(async (sql, keyHashes) => {
  const hashes = keyHashes.map((keyHash) => keyHash.toString('hex'))
  const owners = await listKeyOwners(sql, [...new Set(hashes)])
  return hashes.map((hash) => owners.get(hash))
})
