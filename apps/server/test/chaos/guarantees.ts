import { verifyCallback } from '@souk/contract'
import type { Payment } from '@souk/fake-providers'
import type { Sql } from '../../src/kernel/db/pool.ts'
import type { Received, ReceivedEvent } from './receiver.child.ts'
import type { KnownTrade } from './traffic.ts'

/** A payment in a provider's records, with its refunds in cents by refundNo. */
interface ProviderPayment {
  attemptId: string
  amount: number
  currency: string
  paid: boolean
  refunds: [refundNo: string, amount: number][]
  /** RefundNos of failed refunds. */
  failedRefunds: string[]
}

type ReceivedBody = Pick<Received, 'body' | 'acknowledged'>

/** The final state after a run: the database, and what others have recorded. */
export interface FinalState {
  sql: Sql
  appid: string
  secret: string
  known: ReadonlyMap<string, KnownTrade>
  received: readonly ReceivedBody[]
  /** Payments of the fake providers by providerAccountId. */
  books: ReadonlyMap<string, readonly Payment[]>
}

interface TradeRow {
  tradeNo: string
  outTradeNo: string
  merchantId: string
  status: number
  amount: number
  currency: string
  inFlight: string | null
  notifySuccess: boolean | null
  ends: string[]
  callbacks: { notifyId: string; state: string; status: number; attempts: number }[]
}

interface AttemptRow {
  attemptId: string
  state: string
  account: string
}

interface RefundRow {
  refundNo: string
  tradeNo: string
  initiator: string
  state: string
  amount: number
}

interface EntryRow {
  reference: string
  movement: string
  debit: string
  credit: string
  amount: number
  currency: string
  tradeNo: string
}

export interface GuaranteeReport {
  /** Violated guarantees. */
  violations: string[]
  /** Numbers of lost acknowledgements and of doubled effects among them. */
  counts: Record<Harm, number>
  figures: Record<string, number>
}

const ends: Record<number, string> = { 2: 'succeeded', 3: 'failed', 4: 'expired', 5: 'canceled', 6: 'closed' }

type Harm = 'lost' | 'doubled'

/** Records a violation if the condition does not hold. */
type Check = (holds: boolean, violation: string, harm?: Harm) => void

/** Checks the guarantees about trades, callbacks and money. */
export async function checkGuarantees({
  sql,
  appid,
  secret,
  known,
  received,
  books,
}: FinalState): Promise<GuaranteeReport> {
  const violations: string[] = []
  const counts = { lost: 0, doubled: 0 }
  const check: Check = (holds, violation, harm) => {
    if (holds) return
    violations.push(violation)
    if (harm) counts[harm]++
  }
  const [trades, attempts, refunds, entries, booked] = await Promise.all([
    selectTrades(sql, appid),
    selectAttempts(sql, appid),
    selectRefunds(sql, appid),
    selectEntries(sql, appid),
    allProviderPayment(sql, books),
  ])
  checkKnownTrades(check, known, trades, refunds)
  const failedRefunds = new Set([...booked.values()].flat().flatMap((payment) => payment.failedRefunds))
  checkFinalStates(check, trades, attempts, refunds, failedRefunds)
  checkCallbacks(check, trades, verifyReceived(check, received, secret))
  checkPayments(check, booked, attempts, entries)
  checkBalances(check, trades, refunds, entries, failedRefunds)

  const count = <T>(rows: readonly T[], fits: (row: T) => boolean) => rows.filter(fits).length
  const statusCounts = Object.entries(ends).map(([status, name]) => [
    name,
    count(trades, (it) => it.status === Number(status)),
  ])
  return {
    violations,
    counts,
    figures: {
      trades: trades.length,
      ...Object.fromEntries(statusCounts),
      attempts: attempts.length,
      paid: count(attempts, ({ state }) => state === 'succeeded'),
      'refunds by operators': count(refunds, ({ initiator }) => initiator === 'operator'),
      'refunds by the system': count(refunds, ({ initiator }) => initiator === 'system'),
      'ledger entries': entries.length,
      'callbacks received': received.length,
      'callbacks dead': count(trades, ({ callbacks }) => callbacks[0]?.state === 'dead'),
    },
  }
}

/** Checks that no trade or refund is lost or duplicated, and that reported results did not change. */
function checkKnownTrades(check: Check, known: FinalState['known'], trades: TradeRow[], refunds: RefundRow[]): void {
  const tradeOf = new Map(trades.map((trade) => [trade.tradeNo, trade]))
  const refundOf = new Map(refunds.map((refund) => [refund.refundNo, refund]))
  check(
    new Set(trades.map(({ outTradeNo }) => outTradeNo)).size === trades.length,
    'an outTradeNo has two trades',
    'doubled',
  )
  for (const { tradeNo, outTradeNo, amount, reportedStatuses, refunds: accepted } of known.values()) {
    const trade = tradeOf.get(tradeNo)
    check(trade?.outTradeNo === outTradeNo && trade.amount === amount, `trade ${tradeNo} is lost`, 'lost')
    for (const status of reportedStatuses)
      check(trade?.status === status, `trade ${tradeNo} was reported as ${status} and is ${trade?.status}`, 'lost')
    for (const [refundNo, cents] of accepted) {
      const refund = refundOf.get(refundNo)
      check(refund?.tradeNo === tradeNo && refund.amount === cents, `refund ${refundNo} of ${tradeNo} is lost`, 'lost')
    }
  }
}

/** Checks that everything is final. Failed refunds of unapplied payments stay owed. */
function checkFinalStates(
  check: Check,
  trades: TradeRow[],
  attempts: AttemptRow[],
  refunds: RefundRow[],
  failedRefunds: ReadonlySet<string>,
): void {
  for (const { tradeNo, status, inFlight, ends: events } of trades) {
    check(status !== 1 && inFlight === null, `trade ${tradeNo} is not final: ${status}`)
    check(events.length <= 1, `trade ${tradeNo} has several final events: ${events.join()}`, 'doubled')
    check(events.join() === ends[status], `trade ${tradeNo} is ${status}, but its final events are ${events.join()}`)
  }
  for (const { attemptId, state } of attempts) {
    check(['succeeded', 'failed', 'canceled', 'expired'].includes(state), `attempt ${attemptId} is still ${state}`)
  }
  for (const { refundNo, initiator, state } of refunds) {
    const wanted = failedRefunds.has(refundNo) ? (initiator === 'operator' ? 'refused' : 'owed') : undefined
    check(wanted === undefined ? state !== 'owed' : state === wanted, `refund ${refundNo} is still ${state}`)
  }
}

/** Checks that the merchant received each final state except closed, or that the callback is dead. */
function checkCallbacks(check: Check, trades: TradeRow[], heard: Map<string, ReceivedCallback[]>): void {
  for (const { tradeNo, status, notifySuccess, callbacks } of trades) {
    const [callback, ...more] = callbacks
    check(more.length === 0 && (callback !== undefined) === [2, 3, 4, 5].includes(status), `callbacks of ${tradeNo}`)
    if (!callback) continue
    const { notifyId, state, attempts } = callback
    const deliveries = heard.get(notifyId) ?? []
    check(callback.status === status, `the callback of ${tradeNo} has status ${callback.status}, not ${status}`)
    const same = deliveries.every((it) => it.status === status && it.tradeNo === tradeNo)
    check(same, `callbacks of ${tradeNo} differ`)
    const wasAcknowledged = deliveries.some(({ acknowledged }) => acknowledged)
    check(
      state !== 'delivered' || wasAcknowledged,
      `the callback of ${tradeNo} is delivered, but was not received`,
      'lost',
    )
    check(state === 'delivered' || (state === 'dead' && attempts > 0), `the callback of ${tradeNo} is ${state}`)
    check(notifySuccess === (state === 'delivered'), `notifySuccess of ${tradeNo} is ${notifySuccess}`)
  }
  const queued = new Set(trades.flatMap(({ callbacks }) => callbacks.map(({ notifyId }) => notifyId)))
  for (const notifyId of heard.keys()) check(queued.has(notifyId), `unknown callback ${notifyId} was received`)
}

/** Checks that providers and the ledger have the same payments and refunds. */
function checkPayments(
  check: Check,
  booked: Map<string, ProviderPayment[]>,
  attempts: AttemptRow[],
  entries: EntryRow[],
): void {
  const attemptOf = new Map(attempts.map((attempt) => [attempt.attemptId, attempt]))
  const moved = (movement: string) =>
    new Map(entries.filter((it) => it.movement === movement).map((it) => [it.reference, it]))
  const captured = moved('captured')
  const returned = moved('refundReturned')
  for (const refundNo of moved('refundFailed').keys()) returned.delete(refundNo)
  const paid = new Set<string>()
  const refunded = new Set<string>()
  for (const [account, payments] of booked) {
    for (const { attemptId, amount, currency, paid: isPaid, refunds } of payments) {
      const name = `payment ${attemptId} at ${account}`
      check(attemptOf.get(attemptId)?.account === account, `${name} belongs to no attempt`)
      for (const [refundNo, cents] of refunds) {
        const entry = returned.get(refundNo)
        const same = entry?.amount === cents && entry.credit === `provider:${account}`
        check(same, `refund ${refundNo} of ${name} is not in the ledger`, 'lost')
        check(!refunded.has(refundNo), `refund ${refundNo} of ${name} was made twice`, 'doubled')
        refunded.add(refundNo)
      }
      if (!isPaid) continue
      const entry = captured.get(attemptId)
      const same = entry?.amount === amount && entry.currency === currency && entry.debit === `provider:${account}`
      check(same, `${name} was paid, but the ledger has ${JSON.stringify(entry)}`, 'lost')
      check(!paid.has(attemptId), `${name} was paid twice`, 'doubled')
      paid.add(attemptId)
    }
  }
  for (const { attemptId, state } of attempts) {
    const atProvider = paid.has(attemptId) ? 'paid' : 'not paid'
    check(
      (state === 'succeeded') === paid.has(attemptId),
      `attempt ${attemptId} is ${state}, but ${atProvider} at the provider`,
    )
  }
  for (const attemptId of captured.keys()) check(paid.has(attemptId), `the ledger has ${attemptId}, which was not paid`)
  for (const refundNo of returned.keys())
    check(refunded.has(refundNo), `the ledger has refund ${refundNo}, which was not made`)
}

/** Checks that merchants own the payments of succeeded trades, and that everything else was refunded. */
function checkBalances(
  check: Check,
  trades: TradeRow[],
  refunds: RefundRow[],
  entries: EntryRow[],
  failedRefunds: ReadonlySet<string>,
): void {
  const entriesOf = Map.groupBy(entries, ({ tradeNo }) => tradeNo)
  const refundsOf = Map.groupBy(refunds, ({ tradeNo }) => tradeNo)
  for (const { tradeNo, merchantId, status, amount } of trades) {
    const own = entriesOf.get(tradeNo) ?? []
    const settled = own.filter(({ movement, credit }) => movement === 'captured' && credit === `merchant:${merchantId}`)
    const cents = settled.map((entry) => entry.amount).join()
    check(settled.length <= 1, `trade ${tradeNo} was settled ${settled.length} times`, 'doubled')
    check(
      cents === (status === 2 ? String(amount) : ''),
      `trade ${tradeNo} is ${status} and settled ${cents || 'nothing'}`,
    )
    const requested = (refundsOf.get(tradeNo) ?? []).filter(
      ({ initiator, state }) => initiator === 'operator' && state === 'returned',
    )
    const kept = status === 2 ? amount - requested.reduce((sum, refund) => sum + refund.amount, 0) : 0
    const unreturned = (refundsOf.get(tradeNo) ?? []).filter(
      ({ initiator, refundNo }) => initiator === 'system' && failedRefunds.has(refundNo),
    )
    const stuck = unreturned.reduce((sum, refund) => sum + refund.amount, 0)
    check(kept >= 0, `refunds of ${tradeNo} exceed its payment`)
    check(
      balanceOf(own, 'merchant') === 0 - kept,
      `the merchant has ${-balanceOf(own, 'merchant')} of ${tradeNo}, not ${kept}`,
    )
    check(
      balanceOf(own, 'provider') === kept + stuck,
      `the providers hold ${balanceOf(own, 'provider')} of ${tradeNo}, not ${kept + stuck}`,
    )
    check(balanceOf(own, 'returns') === -stuck, `${-balanceOf(own, 'returns')} of ${tradeNo} is never refunded`)
  }
  for (const [currency, own] of Map.groupBy(entries, (entry) => entry.currency)) {
    const sum = ['merchant', 'provider', 'returns'].reduce((total, owner) => total + balanceOf(own, owner), 0)
    check(sum === 0, `the ledger is out of balance by ${sum} ${currency}`)
  }
}

/** Returns the balance of all accounts of this kind in cents: debits less credits. */
function balanceOf(entries: readonly EntryRow[], owner: string): number {
  const is = (account: string) => account.startsWith(`${owner}:`)
  return entries.reduce(
    (sum, { debit, credit, amount }) => sum + (is(debit) ? amount : 0) - (is(credit) ? amount : 0),
    0,
  )
}

type ReceivedCallback = { tradeNo: string; status: number; acknowledged: boolean }

/** Verifies the received callbacks and groups them by notifyId. */
function verifyReceived(
  check: Check,
  received: readonly ReceivedBody[],
  secret: string,
): Map<string, ReceivedCallback[]> {
  const callbacks = new Map<string, ReceivedCallback[]>()
  for (const { body, acknowledged } of received) {
    const now = Number(new URLSearchParams(body).get('timestamp'))
    const verified = verifyCallback(body, [secret], { now })
    check(verified.ok, `a callback has an invalid signature: ${body}`)
    if (!verified.ok) continue
    const { notifyId, tradeNo, transactionStatus: status } = verified.callback
    callbacks.set(notifyId, [...(callbacks.get(notifyId) ?? []), { tradeNo, status, acknowledged }])
  }
  return callbacks
}

const refundNoOf = ({ reference }: { reference: string }) => reference.replace(/^refund-/, '')

/** Reads the payments of all providers, including the sandbox provider, by account. */
async function allProviderPayment(sql: Sql, books: FinalState['books']): Promise<Map<string, ProviderPayment[]>> {
  const all = new Map<string, ProviderPayment[]>()
  for (const [account, payments] of books) {
    all.set(
      account,
      payments.map(({ reference, amount, currency, state, refunds }) => ({
        attemptId: reference,
        amount,
        currency,
        paid: state === 'paid',
        refunds: refunds.filter((it) => !it.failed).map((it) => [refundNoOf(it), it.amount]),
        failedRefunds: refunds.filter((it) => it.failed).map(refundNoOf),
      })),
    )
  }
  const sandboxPayments = await sql<
    {
      account: string
      refunds: Record<string, number>
      attemptId: string
      amount: number
      currency: string
      paid: boolean
    }[]
  >`
    select coalesce(replace(a.provider_account_id::text, '-', ''), a.provider, 'unknown') as account, s.attempt_id,
      s.amount, s.currency, s.state in ('succeeded', 'refunded') as paid, s.refunds
    from sandbox_payments s left join payment_attempts a using (attempt_id)`
  for (const [account, rows] of Map.groupBy(sandboxPayments, (row) => row.account)) {
    all.set(
      account,
      rows.map((row) => ({ ...row, refunds: Object.entries(row.refunds), failedRefunds: [] })),
    )
  }
  return all
}

const selectTrades = (sql: Sql, appid: string) => sql<TradeRow[]>`
  select trade_no, out_trade_no, merchant_id, transaction_status as status, amount, currency,
    attempt_in_flight::text as in_flight, notify_success,
    array(select event from trade_events where appid = t.appid and trade_no = t.trade_no
      and event in ('succeeded', 'failed', 'expired', 'canceled', 'closed')) as ends,
    (select coalesce(json_agg(json_build_object(
      'notifyId', replace(notify_id::text, '-', ''), 'state', state, 'status', (fields ->> 'transactionStatus')::int,
      'attempts', (select count(*) from callback_attempts where appid = c.appid and notify_id = c.notify_id))), '[]')
      from callbacks c where appid = t.appid and trade_no = t.trade_no) as callbacks
  from trades t where appid = ${appid}`

const selectAttempts = (sql: Sql, appid: string) => sql<AttemptRow[]>`
  select attempt_id, state, coalesce(replace(provider_account_id::text, '-', ''), provider) as account
  from payment_attempts where appid = ${appid}`

const selectRefunds = (sql: Sql, appid: string) => sql<RefundRow[]>`
  select refund_no, trade_no, initiator, state, amount
  from refunds where appid = ${appid}`

const selectEntries = (sql: Sql, appid: string) => sql<EntryRow[]>`
  select reference, movement, debit, credit, amount, currency, trade_no
  from ledger_entries where appid = ${appid}`

/**
 * Returns violations of the guarantee that the company receives one event per trade with its final state, at least
 * once, unless the event is dead.
 */
export async function checkEvents(sql: Sql, received: readonly ReceivedEvent[]): Promise<string[]> {
  const recorded = await sql<{ tradeNo: string; events: { eventId: string; same: boolean; state: string }[] }[]>`
    select t.trade_no::text as trade_no, coalesce(json_agg(json_build_object(
      'eventId', replace(event_id::text, '-', ''), 'state', d.state,
      'same', (e.data ->> 'transactionStatus')::int = t.transaction_status
    )) filter (where event_id is not null), '[]') as events
    from trades t left join events e on e.data ->> 'tradeNo' = replace(t.trade_no::text, '-', '')
      left join event_deliveries d using (event_id)
    group by t.trade_no`
  const acknowledgedIds = new Set(received.filter(({ acknowledged }) => acknowledged).map(({ eventId }) => eventId))
  const known = new Set(recorded.flatMap(({ events }) => events.map(({ eventId }) => eventId)))
  const wrong = recorded.filter(({ events: [event, ...more] }) => {
    const isOne = event?.same === true && more.length === 0
    return !isOne || !(event.state === 'delivered' ? acknowledgedIds.has(event.eventId) : event.state === 'dead')
  })
  return [
    ...wrong.map(({ tradeNo, events }) => `events of ${tradeNo}: ${JSON.stringify(events)}`),
    ...received.filter(({ eventId }) => !known.has(eventId)).map(({ eventId }) => `unknown event ${eventId}`),
  ]
}
