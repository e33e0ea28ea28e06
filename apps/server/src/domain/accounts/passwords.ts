import { hash, verify } from '@node-rs/argon2'
import { SoukError } from '@souk/contract'

/** argon2id as OWASP asks for at least: 19 MiB, 2 passes, one lane (ADR 204). */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Passwords that are worked on at a time, in this process: together they take that many times 19 MiB, and no more. */
const AT_A_TIME = 2
/** Others wait; beyond this they are turned away, so that a flood of sign-ins costs neither memory nor everybody's time. */
const MOST_WAITING = 50

let working = 0
const waiting: (() => void)[] = []

/** What is stored of a password: argon2id with parameters and salt. @throws SoukError `rate_limited` */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normal(password), parameters))
}

/** Whether it is the password. @throws SoukError `rate_limited` */
export async function isPassword(stored: string, password: string): Promise<boolean> {
  return inTurn(() => verify(stored, normal(password)))
}

/**
 * As `isPassword` for a user name that nobody has: takes as long, so that the time of an answer does not tell which names
 * exist.
 */
export async function isNobodysPassword(password: string): Promise<false> {
  nobody ??= hashPassword('nobody has this password')
  await isPassword(await nobody, password)
  return false
}
let nobody: Promise<string> | undefined

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (working < AT_A_TIME) working++
  else {
    if (waiting.length >= MOST_WAITING) {
      throw new SoukError('rate_limited', 'Too many passwords are being checked; try again in a moment.', {
        data: { retryAfter: 1 },
      })
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else working--
  }
}

/** One form of what can be typed in several ways. */
function normal(password: string): string {
  return password.normalize('NFKC')
}
