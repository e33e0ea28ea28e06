import { SoukError, webhookSecret } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { newSecret } from '../../../kernel/id.ts'
import type { FullContext } from '../../context.ts'
import { audit } from '../audit/index.ts'
import { silenceLimit } from './followKeyRing.ts'
import {
  deleteLost,
  deleteSecret,
  type Losses,
  listLosses,
  type SecretName,
  updateKeyToUsable,
  updateMailsToFailed,
  updateProviderAccountsToDisabled,
  updateSecretToUnlimited,
} from './recovery.store.ts'
import {
  insertMasterKey,
  listMasterKeys,
  listProcesses,
  lockKeyRing,
  lockOldValues,
  updateCurrentKey,
  updateRetired,
  updateSealedValue,
} from './store.ts'

export type { Losses } from './recovery.store.ts'

/** The operator at the machine of the installation, who can read its files. */
const operator = { kind: 'admin' } as const

/** Values per query. */
const batchSize = 100

/** The changes of a recovery, and the new secrets, which are stored sealed only. */
export interface Recovery extends Losses {
  keyId: string
  secrets: { appid?: string; endpointId?: string; secret: string }[]
}

/**
 * Returns the keys of the installation that are not in the ring, and what is sealed with them.
 *
 * @param keyIds the keys in the ring
 * @throws SoukError `recover_not_needed`, `recover_key_present` if a running process has a lost key
 */
export async function findLosses(sql: Sql | Tx, keyIds: readonly string[]): Promise<Losses> {
  const keys = await listMasterKeys(sql)
  const lost = keys.filter(({ state, keyId }) => state !== 'retired' && !keyIds.includes(keyId))
  if (lost.length === 0) throw new SoukError('recover_not_needed', 'The key ring has all master keys that are in use.')
  const lostIds = lost.map(({ keyId }) => keyId)
  const owner = (await listProcesses(sql, silenceLimit)).find((each) => each.keyIds.some((id) => lostIds.includes(id)))
  if (owner) {
    throw new SoukError(
      'recover_key_present',
      `Copy the file master-key, or SOUK_MASTER_KEY, of process ${owner.pid} on ${owner.host}.`,
    )
  }
  return listLosses(sql, lostIds)
}

/**
 * Makes the vault's key the current one of an installation whose master keys are lost. Issues new secrets of mini apps
 * and event endpoints, and removes or disables what only its owner can enter again.
 *
 * @param context its vault has the rest of the ring and the new key, which is in use
 * @throws SoukError as `findLosses`
 */
export async function recoverKeys(context: Pick<FullContext, 'sql' | 'clock' | 'vault'>): Promise<Recovery> {
  const { sql, clock, vault } = context
  return sql.begin(async (tx) => {
    await lockKeyRing(tx)
    const losses = await findLosses(tx, vault.keyIds)
    const now = clock.real()
    const { keyId } = vault
    const storedKeys = await listMasterKeys(tx)
    if (!storedKeys.some((key) => key.keyId === keyId)) await insertMasterKey(tx, keyId, now)
    await updateCurrentKey(tx, keyId, now)
    await updateKeyToUsable(tx, keyId)
    for (const lost of losses.keyIds) await updateRetired(tx, lost, now)
    const secrets = [
      ...(await reissue(context, tx, 'app secret')).map(([appid = '', secret]) => ({ appid, secret })),
      ...(await reissue(context, tx, 'event secret')).map(([endpointId = '', secret]) => ({
        endpointId,
        secret: webhookSecret(secret),
      })),
    ]
    await deleteLost(tx, losses.keyIds)
    await updateProviderAccountsToDisabled(tx, losses.keyIds, now)
    await updateMailsToFailed(tx, losses.keyIds, now)
    const { keyIds: lostKeys, mails } = losses
    const detail = { lostKeys, apps: losses.apps.length, providerAccounts: losses.providerAccounts.length, mails }
    await audit(context, tx, operator, { action: 'keyRing.recover', subject: keyId, detail })
    return { ...losses, keyId, secrets }
  })
}

/** Replaces the secrets that cannot be read by one per owner, and returns it with the owner's id. */
async function reissue(
  { vault }: Pick<FullContext, 'vault'>,
  tx: Tx,
  name: SecretName,
): Promise<[ownerId: string | undefined, secret: string][]> {
  const issued = new Map<string, string>()
  for (let after: string[] | undefined, isOver = false; !isOver; ) {
    const rows = await lockOldValues(tx, name, { current: vault.keyId, after, limit: batchSize })
    for (const { key: values, keyId, context } of rows) {
      if (vault.keyIds.includes(keyId)) continue
      const owner = values[0]!.replaceAll('-', '')
      if (issued.has(owner)) await deleteSecret(tx, name, values)
      else {
        const secret = newSecret()
        issued.set(owner, secret)
        await updateSealedValue(tx, name, values, vault.seal(secret, context))
        await updateSecretToUnlimited(tx, name, values)
      }
    }
    after = rows.at(-1)?.key
    isOver = after === undefined
  }
  return [...issued]
}
