import type { Context } from '../../../context.ts'
import { inFlight, type ProviderResult, ProviderUnavailable, providerOfAttempt, settle } from '../../payments/index.ts'
import { findLostPayments } from './lostPayments.ts'
import {
  type Difference,
  findReconciliation,
  type LedgerAttempt,
  listLedgerAttempts,
  updateReconciliationToFinished,
} from './store.ts'

/** Attempts per page, and concurrent queries to the provider. */
const batchSize = 200
const maxConcurrent = 8
/** Consecutive failed queries after which the comparison is postponed. */
const maxFailures = 10

type FoundDifference = Difference & { appid: string }

/**
 * Job: queries the provider for each payment of one merchant and day and stores every difference from the ledger, and
 * payments that only the provider has. Payments that are missing in the ledger are settled; nothing else is changed.
 *
 * @throws Error if the provider cannot be queried at all, so that the job runs again
 */
export async function compareDay(
  context: Context<'egress' | 'ledger' | 'stopping' | 'vault'>,
  reconciliationId: string,
): Promise<void> {
  const reconciliation = await findReconciliation(context.sql, reconciliationId)
  if (reconciliation?.state !== 'running') return
  const differences: FoundDifference[] = []
  let attempts = 0
  let failures = 0
  for (let after = '0'.repeat(32); ; ) {
    const page = await listLedgerAttempts(context.sql, { ...reconciliation, after, limit: batchSize })
    for (let first = 0; first < page.length; first += maxConcurrent) {
      context.stopping.throwIfAborted()
      const compared = await Promise.all(
        page.slice(first, first + maxConcurrent).map((attempt) => compare(context, attempt)),
      )
      for (const found of compared) {
        failures = found?.difference === 'unanswered' ? failures + 1 : 0
        if (found) differences.push(found)
      }
      if (failures >= maxFailures)
        throw new Error(`${reconciliation.account} cannot be queried: ${differences.at(-1)?.detail}`)
    }
    attempts += page.length
    const last = page.at(-1)
    if (!last || page.length < batchSize) break
    after = last.attemptId
  }
  const lost = await findLostPayments(context, reconciliation)
  differences.push(...(lost ?? []))
  const result = { attempts, differences, keepsLost: lost === undefined, now: context.clock.now() }
  await context.sql.begin((tx) => updateReconciliationToFinished(tx, reconciliation, result))
  if (differences.length > 0) {
    const { account, merchantId, day } = reconciliation
    context.log.error(
      { reconciliationId, account, merchantId, day, differences: differences.length },
      'reconciliation found differences between the ledger and a provider',
    )
  }
}

/** Compares one payment with the provider. Returns null if there is no difference. */
async function compare(
  context: Context<'egress' | 'ledger' | 'vault'>,
  attempt: LedgerAttempt,
): Promise<FoundDifference | null> {
  try {
    const provider = await providerOfAttempt(context, attempt)
    const reported = await provider.query(attempt)
    const found = findDifference(attempt, reported)
    // Attempts in flight are settled as well. Any other result changes nothing.
    const isNews = inFlight(attempt.state) || (found?.difference === 'notBooked' && attempt.state !== 'succeeded')
    if (isNews) await settle(context, attempt, reported)
    return found && { ...found, repaired: isNews && found.difference === 'notBooked' }
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    return { ...difference(attempt, 'unanswered'), told: null, toldCurrency: null, detail: error.message }
  }
}

/**
 * Finds the difference between the ledger and a provider result. Owed refunds may or may not have reached the provider,
 * and not every provider reports refunds.
 */
export function findDifference(attempt: LedgerAttempt, reported: ProviderResult): FoundDifference | null {
  const { booked, bookedCurrency, returned, owed } = attempt
  if (reported.kind !== 'succeeded') {
    return booked === null ? null : { ...difference(attempt, 'notThere'), detail: reported.kind }
  }
  const captured = { told: reported.amount, toldCurrency: reported.currency }
  if (booked === null) return { ...difference(attempt, 'notBooked'), ...captured }
  if (booked !== reported.amount || bookedCurrency !== reported.currency)
    return { ...difference(attempt, 'amount'), ...captured }
  const { refunded } = reported
  if (refunded === null || (refunded >= returned && refunded <= returned + owed)) return null
  return { ...difference(attempt, 'refunded'), booked: returned, told: refunded, toldCurrency: reported.currency }
}

function difference(attempt: LedgerAttempt, kind: Difference['difference']): FoundDifference {
  const { appid, tradeNo, attemptId, booked, bookedCurrency } = attempt
  const defaults = { told: null, toldCurrency: null, repaired: false, detail: null }
  return { appid, tradeNo, attemptId, difference: kind, booked, bookedCurrency, ...defaults }
}
