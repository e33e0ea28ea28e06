import { type consoleOperations, type ResultOf, second } from '@souk/contract'
import { describeSealed } from '../../../kernel/sealedColumns.ts'
import type { Context, FullContext } from '../../context.ts'
import { silenceLimit } from './followKeyRing.ts'
import {
  countSealedValues,
  listMasterKeys,
  listProcesses,
  listUnreadable,
  type MasterKey,
  type RingProcess,
} from './store.ts'

export type KeyRing = ResultOf<typeof consoleOperations.getKeyRing>

/** Maximum number of unreadable values and of keys in a result. */
const maxListed = 100

/** Returns the master keys without the keys themselves, the progress of a rotation, and the running processes. */
export async function getKeyRing(context: Context<'accessTokenLifetime' | 'keyRingFile'>): Promise<KeyRing> {
  const { sql, keyRingFile } = context
  const [keys, sealed, processes, unreadable] = await Promise.all([
    listMasterKeys(sql),
    countSealedValues(sql),
    listProcesses(sql, silenceLimit),
    listUnreadable(sql, maxListed),
  ])
  const listedKeyIds = new Set(keys.map(({ keyId }) => keyId))
  const values = [...sealed.values()].reduce((sum, count) => sum + count, 0)
  const resealed = sealed.get(keys.find(({ state }) => state === 'current')!.keyId) ?? 0
  return {
    source: keyRingFile === undefined ? 'environment' : 'file',
    phase: phaseOf(keys, values > resealed),
    values,
    resealed,
    keys: keys.slice(-maxListed).map((key) => ({
      ...key,
      values: sealed.get(key.keyId) ?? 0,
      retiresAt: key.state === 'old' ? retirementOf(context, key) : null,
    })),
    processes: processes.map(({ processId: _, ...each }) => ({ ...each, ready: isReady(each, keys) })),
    unreadable: unreadable.values.map(({ context: sealContext, ...each }) => ({
      row: describeSealed(sealContext),
      ...each,
    })),
    missing: [...sealed.keys()].filter((keyId) => !listedKeyIds.has(keyId)),
  }
}

/** Returns when a replaced key may be retired: when the access tokens that it signed have expired. */
export function retirementOf(
  { accessTokenLifetime }: Pick<FullContext, 'accessTokenLifetime'>,
  { replacedAt }: MasterKey,
): number {
  return replacedAt! + accessTokenLifetime * second
}

/** Returns whether a process has all keys that are in use, and seals with the current one. */
export function isReady({ keyIds, currentKeyId }: Omit<RingProcess, 'processId'>, keys: readonly MasterKey[]): boolean {
  const inUse = keys.filter(({ state }) => state !== 'retired')
  return (
    inUse.every(({ keyId }) => keyIds.includes(keyId)) &&
    keys.some(({ keyId, state }) => keyId === currentKeyId && state === 'current')
  )
}

function phaseOf(keys: readonly MasterKey[], hasOldValues: boolean): KeyRing['phase'] {
  if (keys.some(({ state }) => state === 'added')) return 'distributing'
  if (hasOldValues) return 'resealing'
  return keys.some(({ state }) => state === 'old') ? 'retiring' : 'idle'
}
