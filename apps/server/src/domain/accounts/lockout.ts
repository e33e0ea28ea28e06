import { SoukError } from '@souk/contract'
import ipaddr from 'ipaddr.js'
import { sha256 } from '../../kernel/crypto.ts'
import type { Tx } from '../../kernel/db/pool.ts'
import type { Context } from '../context.ts'
import { type Backoff, countAttempt, deleteFailures, uncountAttempt } from './store.ts'

const MINUTE = 60_000
/** One account, from wherever: five free tries, then slower and slower. */
const accountBackoff: Backoff = { free: 5, most: 15 * MINUTE, memory: 24 * 60 * MINUTE }
/** One address, at whatever account: an office has many people behind one. */
const addressBackoff: Backoff = { free: 30, most: 15 * MINUTE, memory: 60 * MINUTE }

/** How long the longest memory is, ms. */
export const lockoutMemory = accountBackoff.memory

/**
 * Lets an attempt to prove a password through, or refuses it without a look at the password (ADR 204). What it gives has
 * to be called when the attempt has succeeded. Real time; the count is shared by all server processes.
 *
 * @throws SoukError `rate_limited` with `data.retryAfter`, seconds
 */
export async function admitAttempt(
  context: Pick<Context, 'sql' | 'clock'>,
  username: string,
  address: string | undefined,
): Promise<() => Promise<void>> {
  const account = subjectOf(username)
  const from = address === undefined ? undefined : sha256(`address ${network(address)}`)
  if (from) await count(context, from, addressBackoff)
  await count(context, account, accountBackoff)
  return async () => {
    await deleteFailures(context.sql, account)
    if (from) await uncountAttempt(context.sql, from)
  }
}

/** Lets the password of an account be tried at once again, whatever was tried before. */
export async function clearFailedAttempts(tx: Tx, username: string): Promise<void> {
  await deleteFailures(tx, subjectOf(username))
}

function subjectOf(username: string): Buffer {
  return sha256(`account ${username}`)
}

async function count(context: Pick<Context, 'sql' | 'clock'>, subject: Buffer, patience: Backoff): Promise<void> {
  const now = context.clock.real()
  const blockedUntil = await countAttempt(context.sql, subject, patience, now)
  if (blockedUntil === null) return
  const retryAfter = Math.max(1, Math.ceil((blockedUntil - now) / 1000))
  throw new SoukError('rate_limited', `Too many failed sign-ins; try again in ${retryAfter} s.`, {
    data: { retryAfter },
  })
}

/** What counts as one address: of IPv6 the 64 bits that one customer has. */
function network(address: string): string {
  const parsed = ipaddr.isValid(address) ? ipaddr.process(address) : undefined
  return parsed instanceof ipaddr.IPv6 ? parsed.toNormalizedString().split(':').slice(0, 4).join(':') : address
}
