import type { Context } from '../../context.ts'
import { type AccountRow, addFailure, clearFailures, postponeReturn } from './store.ts'

/**
 * An account that keeps failing is taken out and comes back by itself (ADR 273). It is in the database, so that all processes
 * agree, and on real time, since it is about the network. After this many failures in a row:
 */
const limit = 5
/** For how long it is out, ms: at first, and at most. */
const first = 30_000
const longest = 600_000
/** How long one payment has to try an account whose time has come, before another one may, ms. */
const trial = 60_000

type Known = Pick<AccountRow, 'processorAccountId' | 'failures'>

/** Whether this payment is the one that tries an account whose time out is over. */
export async function claimTrial(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  { processorAccountId }: Known,
): Promise<boolean> {
  const now = clock.real()
  return postponeReturn(sql, processorAccountId, { now, until: now + trial })
}

/** The account has answered. Costs nothing while it does not fail. */
export async function noteAnswer(
  { sql }: Pick<Context, 'sql'>,
  { processorAccountId, failures }: Known,
): Promise<void> {
  if (failures > 0) await clearFailures(sql, processorAccountId)
}

/** The account could not be reached, or its key was refused. */
export async function noteFailure(
  { sql, clock, log }: Pick<Context, 'sql' | 'clock' | 'log'>,
  { processorAccountId }: Known,
): Promise<void> {
  const { failures, outUntil } = await addFailure(sql, processorAccountId, { now: clock.real(), limit, first, longest })
  if (outUntil !== null) log.error({ processorAccountId, failures, outUntil }, 'a processor account is taken out')
}
