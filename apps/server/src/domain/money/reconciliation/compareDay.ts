import type { Context } from '../../context.ts'
import { inFlight, type ProviderResult, ProviderUnavailable, providerOfAttempt, settle } from '../../payments/index.ts'
import {
  type Difference,
  findReconciliation,
  finishReconciliation,
  type LedgerAttempt,
  listLedgerAttempts,
} from './store.ts'

/** How many attempts are read at a time, and how many the provider is asked about at once. */
const batch = 200
const atOnce = 8
/** After how many questions in a row without an answer the comparison is put off. */
const patience = 10

type Found = Difference & { appid: string }

/**
 * The job `compareDay`: asks the provider about each payment of one merchant and day, and lists every difference from the
 * ledger. What the provider has and the ledger has not comes in by the door, so that trade, ledger and payer get what is theirs;
 * nothing else is changed. Repeating it compares anew.
 *
 * @throws Error while the provider cannot be asked at all, so that the job runs again.
 */
export async function compareDay(context: Context, reconciliationId: string): Promise<void> {
  const lot = await findReconciliation(context.sql, reconciliationId)
  if (lot?.state !== 'running') return
  const differences: Found[] = []
  let attempts = 0
  let unanswered = 0
  for (let after = '0'.repeat(32); ; ) {
    const page = await listLedgerAttempts(context.sql, { ...lot, after, limit: batch })
    for (let first = 0; first < page.length; first += atOnce) {
      context.stopping.throwIfAborted()
      const compared = await Promise.all(page.slice(first, first + atOnce).map((attempt) => compare(context, attempt)))
      for (const found of compared) {
        unanswered = found?.difference === 'unanswered' ? unanswered + 1 : 0
        if (found) differences.push(found)
      }
      if (unanswered >= patience) throw new Error(`${lot.account} cannot be asked: ${differences.at(-1)?.detail}`)
    }
    attempts += page.length
    const last = page.at(-1)
    if (!last || page.length < batch) break
    after = last.attemptId
  }
  await context.sql.begin((tx) =>
    finishReconciliation(tx, reconciliationId, { attempts, differences, now: context.clock.now() }),
  )
  if (differences.length > 0) {
    const { account, merchantId, day } = lot
    context.log.error(
      { reconciliationId, account, merchantId, day, differences: differences.length },
      'the ledger and a provider differ',
    )
  }
}

/** What differs between the ledger and what the provider says of one payment; null where nothing does. */
async function compare(context: Context, attempt: LedgerAttempt): Promise<Found | null> {
  try {
    const told = await (await providerOfAttempt(context, attempt)).query(attempt)
    const found = differenceOf(attempt, told)
    // Also what is in flight learns where it stands; all the rest is no news to the door.
    const isNews = inFlight(attempt.state) || (found?.difference === 'notBooked' && attempt.state !== 'succeeded')
    if (isNews) await settle(context, attempt, told)
    return found && { ...found, repaired: isNews && found.difference === 'notBooked' }
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    return { ...differing(attempt, 'unanswered'), told: null, toldCurrency: null, detail: error.message }
  }
}

/** What differs between the ledger and what a provider says of a payment. A refund under way may have reached the provider or not; not every provider tells of refunds. */
export function differenceOf(attempt: LedgerAttempt, told: ProviderResult): Found | null {
  const { booked, bookedCurrency, returned, owed } = attempt
  if (told.kind !== 'succeeded') {
    return booked === null ? null : { ...differing(attempt, 'notThere'), detail: told.kind }
  }
  const said = { told: told.amount, toldCurrency: told.currency }
  if (booked === null) return { ...differing(attempt, 'notBooked'), ...said }
  if (booked !== told.amount || bookedCurrency !== told.currency) return { ...differing(attempt, 'amount'), ...said }
  const { refunded } = told
  if (refunded === null || (refunded >= returned && refunded <= returned + owed)) return null
  return { ...differing(attempt, 'refunded'), booked: returned, told: refunded, toldCurrency: told.currency }
}

function differing(attempt: LedgerAttempt, difference: Difference['difference']): Found {
  const { appid, tradeNo, attemptId, booked, bookedCurrency } = attempt
  const unsaid = { told: null, toldCurrency: null, repaired: false, detail: null }
  return { appid, tradeNo, attemptId, difference, booked, bookedCurrency, ...unsaid }
}
