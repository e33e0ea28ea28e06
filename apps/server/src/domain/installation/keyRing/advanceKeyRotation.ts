import { minute } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { enqueue, notify } from '../../../kernel/outbox.ts'
import type { Context } from '../../context.ts'
import { audit } from '../audit/index.ts'
import { silenceLimit } from './followKeyRing.ts'
import { isReady, retirementOf } from './getKeyRing.ts'
import {
  countSealedValues,
  deleteSilentProcesses,
  existsQueuedJob,
  listMasterKeys,
  listProcesses,
  listUnreadable,
  lockKeyRing,
  type MasterKey,
  updateCurrentKey,
  updateRetired,
} from './store.ts'

/** Interval at which unreadable values are tried again. */
const retryInterval = 10 * minute

/**
 * Takes the next step of a rotation, if it is due: makes the added key current, starts the re-sealing, or retires the
 * old key. Runs periodically, so that a rotation continues after a crash.
 */
export async function advanceKeyRotation(context: Context<'accessTokenLifetime'>): Promise<void> {
  const isIdle = ({ state }: MasterKey) => state === 'current' || state === 'retired'
  if ((await listMasterKeys(context.sql)).every(isIdle)) return
  await context.sql.begin(async (tx) => {
    await lockKeyRing(tx)
    await deleteSilentProcesses(tx, silenceLimit)
    await useAddedKey(context, tx)
    await startResealing(context, tx)
    await retireOldKeys(context, tx)
  })
}

/** Makes the added key current once every process has it, so that no process meets a value that it cannot read. */
async function useAddedKey(context: Context, tx: Tx): Promise<void> {
  const added = (await listMasterKeys(tx)).find(({ state }) => state === 'added')
  if (!added) return
  const processes = await listProcesses(tx, silenceLimit)
  if (processes.length === 0 || !processes.every(({ keyIds }) => keyIds.includes(added.keyId))) return
  await updateCurrentKey(tx, added.keyId, context.clock.real())
  await notify(tx, 'souk_keys', added.keyId)
  context.log.info({ keyId: added.keyId }, 'a new master key is in use')
}

/** Starts the job unless it runs or would only find the same unreadable values again. */
async function startResealing(context: Context, tx: Tx): Promise<void> {
  const current = (await listMasterKeys(tx)).find(({ state }) => state === 'current')
  const sealed = await countSealedValues(tx)
  const left = [...sealed].reduce((sum, [keyId, count]) => (keyId === current?.keyId ? sum : sum + count), 0)
  const { count, foundAt } = await listUnreadable(tx, 0)
  const isDue = left !== count || (foundAt !== null && foundAt < context.clock.real() - retryInterval)
  if (isDue && !(await existsQueuedJob(tx, 'resealValues'))) {
    await enqueue(tx, { name: 'resealValues', payload: {} })
  }
}

/** Retires old keys that no value, process or access token needs any longer. */
async function retireOldKeys(context: Context<'accessTokenLifetime'>, tx: Tx): Promise<void> {
  const now = context.clock.real()
  for (const key of await listMasterKeys(tx)) {
    if (key.state !== 'old' || now < retirementOf(context, key)) continue
    if ((await explainUse(tx, key)) !== undefined) continue
    await updateRetired(tx, key.keyId, now)
    await audit(context, tx, { kind: 'system' }, { action: 'keyRing.retire', subject: key.keyId })
    await notify(tx, 'souk_keys', key.keyId)
    context.log.info({ keyId: key.keyId }, 'an old master key is retired')
  }
}

/** Returns why an old key is still needed apart from access tokens, as a sentence, or undefined. */
export async function explainUse(tx: Tx, { keyId }: MasterKey): Promise<string | undefined> {
  const count = (await countSealedValues(tx)).get(keyId) ?? 0
  if (count > 0) return `${count} values are still sealed with it.`
  const keys = await listMasterKeys(tx)
  const waiting = (await listProcesses(tx, silenceLimit)).filter((each) => !isReady(each, keys))
  if (waiting.length === 0) return undefined
  return `Processes do not use the current key yet: ${waiting.map(({ host, pid }) => `${host} (${pid})`).join(', ')}.`
}
