import { hostname } from 'node:os'
import { second } from '@souk/contract'
import { newId } from '../../../kernel/id.ts'
import { readKeyRing, writeKeyRing } from '../../../kernel/keyRing.ts'
import { masterKeyId } from '../../../kernel/vault.ts'
import type { Context, FullContext } from '../../context.ts'
import { deleteProcess, listMasterKeys, lockKeyRing, upsertProcess } from './store.ts'

/** Interval of the reports of each process. */
export const followInterval = 15 * second

/** Time without a report after which a process counts as ended. */
export const silenceLimit = 4 * followInterval

/** A follower that updates the keys of a process and reports them, so that a rotation can wait for it. */
export interface KeyRingFollower {
  /** Runs at the start, at intervals and at each change. Never rejects: the next run tries again. */
  follow(): Promise<void>
  /** Ends the reports. Never rejects: the process is forgotten after `silenceLimit`. */
  leave(): Promise<void>
}

export function createKeyRingFollower(context: Context<'keyRingFile' | 'vault'>): KeyRingFollower {
  const { sql, vault, log, keyRingFile } = context
  const processId = newId()
  const source = keyRingFile === undefined ? 'environment' : 'file'
  const logProblem = (error: Error) => log.error({ reason: error.message }, 'the key ring cannot be followed')
  return {
    async follow() {
      await useCurrentKey(context).catch(logProblem)
      const { keyIds, keyId: currentKeyId } = vault
      // Also after a problem: a process that is alive must not be missing from the list.
      const report = { processId, host: hostname(), pid: process.pid, source, keyIds, currentKeyId } as const
      await upsertProcess(sql, report).catch(logProblem)
    },
    leave: () => deleteProcess(sql, processId).catch(logProblem),
  }
}

/**
 * Reads the ring again, and uses its keys as the database says. Deletes retired keys from the file.
 * @throws SecretFileError, MissingKeyError
 */
export async function useCurrentKey(context: Pick<FullContext, 'sql' | 'vault' | 'keyRingFile'>): Promise<void> {
  const { sql, vault, keyRingFile } = context
  const keys = await listMasterKeys(sql)
  const retired = keys.filter(({ state }) => state === 'retired').map(({ keyId }) => keyId)
  vault.reload()
  vault.use(keys.find(({ state }) => state === 'current')!.keyId, retired)
  if (keyRingFile !== undefined && vault.keyIds.some((keyId) => retired.includes(keyId))) {
    await deleteFromFile(context, keyRingFile, retired)
    vault.reload()
  }
}

async function deleteFromFile({ sql }: Pick<Context, 'sql'>, path: string, keyIds: readonly string[]): Promise<void> {
  await sql.begin(async (tx) => {
    await lockKeyRing(tx)
    const ring = readKeyRing(path)
    await writeKeyRing(
      path,
      ring.filter((key) => !keyIds.includes(masterKeyId(key))),
    )
  })
}
