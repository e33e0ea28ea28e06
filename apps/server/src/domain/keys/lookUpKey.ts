import { batchByTick } from '../../kernel/db/batchByTick.ts'
import { type KeyOwner, listKeyOwners } from './store.ts'

/** What a key stands for, by its digest; undefined where it is nobody's. No answer is kept for another request (ADR 202). */
export const lookUpKey = batchByTick<Buffer, KeyOwner | undefined>(async (sql, keyHashes) => {
  const hashes = keyHashes.map((keyHash) => keyHash.toString('hex'))
  const owners = await listKeyOwners(sql, [...new Set(hashes)])
  return hashes.map((hash) => owners.get(hash))
})
