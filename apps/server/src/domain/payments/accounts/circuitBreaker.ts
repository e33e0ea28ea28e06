import type { Context } from '../../context.ts'
import { type AccountRow, claimTrialPeriod, incrementFailures, resetFailures } from './store.ts'

/**
 * An account that keeps failing is taken out and comes back by itself (ADR 272). It is in the database, so that all processes
 * agree, and on real time, since it is about the network. After this many failures in a row:
 */
const limit = 5
/** For how long it is out, ms: at first, and at most. */
const first = 30_000
const longest = 600_000
/** How long one payment has to try an account whose time has come, before another one may, ms. */
const trial = 60_000

type Known = Pick<AccountRow, 'providerAccountId' | 'failures'>

/** Whether this payment is the one that tries an account whose time out is over. */
export async function claimTrial(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { providerAccountId }: Known,
): Promise<boolean> {
  const now = clock.real()
  return claimTrialPeriod(sql, providerAccountId, { now, until: now + trial })
}

/** The account has answered. Costs nothing while it does not fail. */
export async function recordSuccess(
  { sql }: Pick<Context, 'sql'>,
  { providerAccountId, failures }: Known,
): Promise<void> {
  if (failures > 0) await resetFailures(sql, providerAccountId)
}

/** The account could not be reached, or its key was refused. */
export async function recordFailure(
  { sql, clock, log }: Pick<Context, 'sql' | 'clock' | 'log'>,
  { providerAccountId }: Known,
): Promise<void> {
  const { failures, outUntil } = await incrementFailures(sql, providerAccountId, {
    now: clock.real(),
    limit,
    first,
    longest,
  })
  if (outUntil !== null) log.error({ providerAccountId, failures, outUntil }, 'a provider account is taken out')
}
