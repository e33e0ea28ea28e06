import { randomBytes } from 'node:crypto'
import { SoukError } from '@souk/contract'
import { readKeyRing, writeKeyRing } from '../../../kernel/keyRing.ts'
import { notify } from '../../../kernel/outbox.ts'
import { masterKeyId } from '../../../kernel/vault.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../audit/index.ts'
import { getKeyRing, type KeyRing } from './getKeyRing.ts'
import {
  countSealedValues,
  insertMasterKey,
  listMasterKeys,
  listUnreadable,
  lockKeyRing,
  type MasterKey,
} from './store.ts'

const howToAdd =
  'Souk cannot change the environment. 1. Add a new key, made with openssl rand -hex 32, to the end of SOUK_MASTER_KEY ' +
  'of every process, after a comma, and restart them one by one. 2. Rotate again.'

/**
 * Starts a rotation: adds a new master key to the ring, or takes the one that the operator has added. It becomes the
 * current key once all processes have it; then all sealed values are sealed with it, and the old key is retired
 * (ADR 297).
 *
 * @throws SoukError `key_rotation_running`, `key_ring_fixed`
 */
export async function rotateKeys(
  context: Context<'accessTokenLifetime' | 'keyRingFile' | 'vault'>,
  caller: ConsoleCaller,
): Promise<KeyRing> {
  await context.sql.begin(async (tx) => {
    await lockKeyRing(tx)
    const keys = await listMasterKeys(tx)
    const added = keys.find(({ state }) => state === 'added')
    if (added) {
      throw new SoukError('key_rotation_running', `The key ${added.keyId} waits until all processes have it.`)
    }
    const old = keys.filter(({ state }) => state === 'old')
    const sealed = await countSealedValues(tx)
    const left = old.reduce((sum, { keyId }) => sum + (sealed.get(keyId) ?? 0), 0)
    // Unreadable values stay as they are, so they must not prevent a rotation after a leak.
    if (left > (await listUnreadable(tx, 0)).count) {
      throw new SoukError('key_rotation_running', `${left} values are still sealed with an old key.`)
    }
    const keyId = findUnusedKey(context, keys) ?? (await createKey(context))
    await insertMasterKey(tx, keyId, context.clock.real())
    await audit(context, tx, caller, { action: 'keyRing.rotate', subject: keyId })
    await notify(tx, 'souk_keys', keyId)
  })
  return getKeyRing(context)
}

/** Returns the newest key of the ring that has never been in use. */
function findUnusedKey({ vault }: Context<'vault'>, keys: readonly MasterKey[]): string | undefined {
  vault.reload()
  return vault.keyIds.findLast((each) => !keys.some(({ keyId }) => keyId === each))
}

async function createKey({ vault, keyRingFile }: Context<'keyRingFile' | 'vault'>): Promise<string> {
  if (keyRingFile === undefined) throw new SoukError('key_ring_fixed', howToAdd)
  const key = randomBytes(32)
  await writeKeyRing(keyRingFile, [...readKeyRing(keyRingFile), key])
  vault.reload()
  return masterKeyId(key)
}
