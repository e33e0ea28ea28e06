import type { Context } from '../../context.ts'
import { getKeyRing } from './getKeyRing.ts'

/** Returns what is wrong with the master keys, as sentences, and when the current key was added, ms. */
export async function explainKeyProblems(
  context: Context<'accessTokenLifetime' | 'keyRingFile'>,
): Promise<{ problems: string[]; currentSince: number }> {
  const { keys, processes, unreadable, missing, phase } = await getKeyRing(context)
  const waiting = processes.filter(({ ready }) => !ready).map(({ host, pid }) => `${host} (${pid})`)
  const problems = [
    ...unreadable.map(({ row }) => `${row} cannot be decrypted.`),
    ...missing.map((keyId) => `Values are sealed with the unknown master key ${keyId}.`),
    ...(phase === 'distributing' && waiting.length > 0
      ? [`A new master key waits for these processes: ${waiting.join(', ')}.`]
      : []),
  ]
  return { problems, currentSince: keys.find(({ state }) => state === 'current')!.addedAt }
}
