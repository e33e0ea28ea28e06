import { hash, verify } from '@node-rs/argon2'
import { SoukError } from '@souk/contract'
import pLimit, { type LimitFunction } from 'p-limit'
import { type PasswordOwner, requireStrongPassword } from './passwordStrength.ts'

/** The minimum that OWASP recommends for argon2id: 19 MiB, 2 passes, one lane (ADR 203). */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Maximum concurrent password hashes per process; each takes 19 MiB. */
const maxConcurrent = 2
/** Maximum number of waiting hashes, so that a flood of sign-ins neither fills the memory nor delays everyone. */
const maxWaiting = 50
/** Known devices may wait behind them, so that the flood does not lock them out. */
const maxWaitingKnown = 100

const hashing = pLimit(maxConcurrent)
const estimating = pLimit(1)

/**
 * Checks a new password and returns its argon2id hash with parameters and salt. The only way to get one, so that no
 * account can have a weak password.
 * @throws SoukError `password_weak`, `rate_limited`
 */
export async function hashNewPassword(password: string, owner: PasswordOwner): Promise<string> {
  await limited(estimating, () => requireStrongPassword(normal(password), owner))
  return limited(hashing, () => hash(normal(password), parameters))
}

/** Checks a password against its hash. @throws SoukError `rate_limited` */
export async function isPassword(stored: string, password: string, fromKnownDevice = false): Promise<boolean> {
  const most = fromKnownDevice ? maxWaitingKnown : maxWaiting
  return limited(hashing, () => verify(stored, normal(password)), most)
}

/**
 * Takes as long as `isPassword`, for a username that does not exist, so that the response time does not reveal which
 * usernames exist.
 */
export async function rejectPassword(password: string): Promise<false> {
  unusedHash ??= hash('not the password of any account', parameters)
  await isPassword(await unusedHash, password)
  return false
}
let unusedHash: Promise<string> | undefined

async function limited<T>(limit: LimitFunction, work: () => Promise<T>, most = maxWaiting): Promise<T> {
  if (limit.pendingCount >= most) {
    throw new SoukError('rate_limited', 'Too many passwords are being checked; try again in a moment.', {
      data: { retryAfter: 1 },
    })
  }
  return limit(work)
}

/** Normalizes characters that can be typed in several ways. */
function normal(password: string): string {
  return password.normalize('NFKC')
}
