import { type consoleOperations, minute, type ParametersOf, SoukError } from '@souk/contract'
import { notify } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../audit/index.ts'
import { explainUse } from './advanceKeyRotation.ts'
import { getKeyRing, type KeyRing } from './getKeyRing.ts'
import { listMasterKeys, lockKeyRing, updateRetired } from './store.ts'

/** Time after its replacement in which a request that began before may still seal with a key. */
const settlingTime = minute

/**
 * Retires an old key at once, for example because it has leaked: access tokens that it signed end. Also abandons a key
 * that was added and is not in use yet.
 *
 * @throws SoukError `key_not_found`, `key_in_use`
 */
export async function retireKey(
  context: Context<'accessTokenLifetime' | 'keyRingFile'>,
  caller: ConsoleCaller,
  { keyId }: ParametersOf<typeof consoleOperations.retireKey>,
): Promise<KeyRing> {
  await context.sql.begin(async (tx) => {
    await lockKeyRing(tx)
    const key = (await listMasterKeys(tx)).find((each) => each.keyId === keyId)
    if (!key || key.state === 'retired') throw new SoukError('key_not_found', `keyId: ${keyId}`)
    if (key.state === 'current') throw new SoukError('key_in_use', 'It is the current key. Rotate the keys first.')
    if (key.state === 'old') {
      const use = await explainUse(tx, key)
      if (use !== undefined) throw new SoukError('key_in_use', use)
      if (context.clock.real() < key.replacedAt! + settlingTime) {
        throw new SoukError('key_in_use', 'It was replaced less than a minute ago. Try again in a minute.')
      }
    }
    await updateRetired(tx, keyId, context.clock.real())
    await audit(context, tx, caller, { action: 'keyRing.retire', subject: keyId })
    await notify(tx, 'souk_keys', keyId)
  })
  return getKeyRing(context)
}
