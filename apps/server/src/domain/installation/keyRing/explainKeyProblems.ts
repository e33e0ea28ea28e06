import { type DoctorSentence, doctorSentence } from '@souk/contract'
import type { Context } from '../../context.ts'
import { getKeyRing } from './getKeyRing.ts'

/** Returns what is wrong with the master keys, as sentences, and when the current key was added, ms. */
export async function explainKeyProblems(
  context: Context<'accessTokenLifetime' | 'keyRingFile'>,
): Promise<{ problems: DoctorSentence[]; currentSince: number }> {
  const { keys, processes, unreadable, missing, phase } = await getKeyRing(context)
  const waiting = processes.filter(({ ready }) => !ready).map(({ host, pid }) => `${host} (${pid})`)
  const problems = [
    ...unreadable.map(({ row }) => doctorSentence('keysUnreadable', { row })),
    ...missing.map((keyId) => doctorSentence('keysMissing', { key: String(keyId) })),
    ...(phase === 'distributing' && waiting.length > 0
      ? [doctorSentence('keysWaiting', { processes: waiting.join(', ') })]
      : []),
  ]
  return { problems, currentSince: keys.find(({ state }) => state === 'current')!.addedAt }
}
