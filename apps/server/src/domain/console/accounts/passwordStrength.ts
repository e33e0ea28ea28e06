import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { minute, type PasswordWeakness, passwordWeaknesses, SoukError } from '@souk/contract'
import type { Estimate, Estimation } from './passwordStrength.worker.ts'

/** The score from which zxcvbn calls a password safely unguessable: more than 10⁸ guesses. */
const minScore = 3
/** Number of characters that are estimated, since the time to estimate grows with the length. */
const maxEstimated = 64
/** Time without a new password after which the dictionaries, about 100 MB, are released. */
const maxIdle = minute

/** The owner of a password. */
export interface PasswordOwner {
  username: string
  name: string
}

/** The weakness for each warning of zxcvbn. */
const weaknesses: Record<string, PasswordWeakness> = {
  topTen: 'common',
  topHundred: 'common',
  common: 'common',
  similarToCommon: 'similarToCommon',
  wordByItself: 'word',
  namesByThemselves: 'word',
  commonNames: 'word',
  userInputs: 'personal',
  simpleRepeat: 'repeated',
  extendedRepeat: 'repeated',
  straightRow: 'sequence',
  keyPattern: 'sequence',
  sequences: 'sequence',
  dates: 'date',
  recentYears: 'date',
}

/**
 * Rejects a password that is common, or that can be guessed from common words, patterns and the names of its owner. Not
 * to be called again before it has returned.
 * @throws SoukError `password_weak` with the reason, and `data.weakness`
 */
export async function requireStrongPassword(password: string, owner: PasswordOwner): Promise<void> {
  const { score, warning } = await estimate(password.slice(0, maxEstimated), personalWords(owner))
  if (score >= minScore) return
  const weakness = weaknesses[warning ?? ''] ?? 'words'
  throw new SoukError('password_weak', `${passwordWeaknesses[weakness]} Choose several uncommon words.`, {
    data: { weakness },
  })
}

/** Returns the names of a person, the parts of an e-mail address, and the name of the service. */
function personalWords({ username, name }: PasswordOwner): string[] {
  const parts = `${username} ${name}`.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 2)
  return ['souk', username, name, name.replaceAll(' ', ''), ...parts]
}

/** Loaded with the first password and released after `maxIdle`. A thread, since an estimate takes up to 0.4 s. */
let thread: Worker | undefined
let release: NodeJS.Timeout | undefined

async function estimate(password: string, personal: string[]): Promise<Estimate> {
  clearTimeout(release)
  thread ??= new Worker(new URL('./passwordStrength.worker.ts', import.meta.url))
  thread.unref()
  try {
    thread.postMessage({ password, personal } satisfies Estimation)
    const [answer] = await once(thread, 'message')
    return answer
  } catch (error) {
    thread = undefined
    throw error
  } finally {
    release = setTimeout(() => {
      void thread?.terminate()
      thread = undefined
    }, maxIdle).unref()
  }
}
