import { minute, second } from '@souk/contract'
import type { Context } from '../../../context.ts'
import { type AccountRow, claimTrialPeriod, updateFailures, updateFailuresToZero } from './store.ts'

/**
 * Number of consecutive failures after which an account is suspended (ADR 273). The state is in the database, so that
 * all processes share it, and uses real time, since failures concern the network.
 */
const maxFailures = 5
/** Initial and maximum duration of a suspension, in ms. */
const initialDuration = 30 * second
const maxDuration = 10 * minute
/** Period in which only one payment tries an account after its suspension, in ms. */
const trialPeriod = minute

type Account = Pick<AccountRow, 'providerAccountId' | 'failures'>

/** Returns whether this payment may try an account whose suspension has ended. */
export async function claimTrial(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { providerAccountId }: Account,
): Promise<boolean> {
  const now = clock.real()
  return claimTrialPeriod(sql, providerAccountId, { now, until: now + trialPeriod })
}

/** Records that an account has responded. Runs no query unless it has failed before. */
export async function recordSuccess(
  { sql }: Pick<Context, 'sql'>,
  { providerAccountId, failures }: Account,
): Promise<void> {
  if (failures > 0) await updateFailuresToZero(sql, providerAccountId)
}

/** Records that an account could not be reached or its credentials were rejected. */
export async function recordFailure(
  { sql, clock, log }: Pick<Context, 'sql' | 'clock' | 'log'>,
  { providerAccountId }: Account,
): Promise<void> {
  const { failures, outUntil } = await updateFailures(sql, providerAccountId, {
    now: clock.real(),
    maxFailures,
    initialDuration,
    maxDuration,
  })
  if (outUntil !== null)
    log.error({ providerAccountId, failures, outUntil }, 'provider account suspended after repeated failures')
}
