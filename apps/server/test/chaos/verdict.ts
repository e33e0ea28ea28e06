import { verifyCallback } from '@souk/contract'
import type { Payment } from '@souk/fake-providers'
import type { Sql } from '../../src/kernel/db/pool.ts'
import type { Received } from './receiver.child.ts'
import type { Known } from './traffic.ts'

/** What a provider has on its books of one payment: paid or not, and what it gave back, in cents by refundNo. */
interface Booked {
  attemptId: string
  amount: number
  currency: string
  paid: boolean
  refunds: [refundNo: string, amount: number][]
  /** The refunds that a bank has sent back. */
  sentBack: string[]
}

/** Everything that is left when all has come to rest. */
export interface Remains {
  sql: Sql
  appid: string
  secret: string
  known: ReadonlyMap<string, Known>
  received: readonly Received[]
  /** By the provider account's id. */
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

export interface Verdict {
  /** What was promised and is not so; empty where every promise is kept. */
  breaches: string[]
  figures: Record<string, number>
}

const ends: Record<number, string> = { 2: 'succeeded', 3: 'failed', 4: 'expired', 5: 'canceled', 6: 'closed' }

/** Takes down what was promised and is not so. */
type Hold = (kept: boolean, breach: string) => void

/** Holds what is left to what Souk promises about trades, callbacks and money. */
export async function judge({ sql, appid, secret, known, received, books }: Remains): Promise<Verdict> {
  const breaches: string[] = []
  const hold: Hold = (kept, breach) => {
    if (!kept) breaches.push(breach)
  }
  const [trades, attempts, refunds, entries, booked] = await Promise.all([
    selectTrades(sql, appid),
    selectAttempts(sql, appid),
    selectRefunds(sql, appid),
    selectEntries(sql, appid),
    allBooked(sql, books),
  ])
  judgeKnown(hold, known, trades, refunds)
  const sentBack = new Set([...booked.values()].flat().flatMap((payment) => payment.sentBack))
  judgeEnds(hold, trades, attempts, refunds, sentBack)
  judgeCallbacks(hold, trades, heardOf(hold, received, secret))
  judgeBooks(hold, booked, attempts, entries)
  judgeOwners(hold, trades, refunds, entries, sentBack)

  const count = <T>(rows: readonly T[], fits: (row: T) => boolean) => rows.filter(fits).length
  const fates = Object.entries(ends).map(([status, name]) => [
    name,
    count(trades, (it) => it.status === Number(status)),
  ])
  return {
    breaches,
    figures: {
      trades: trades.length,
      ...Object.fromEntries(fates),
      attempts: attempts.length,
      paid: count(attempts, ({ state }) => state === 'succeeded'),
      'refunds by the operator': count(refunds, ({ initiator }) => initiator === 'operator'),
      'payments that went back': count(refunds, ({ initiator }) => initiator === 'system'),
      'ledger entries': entries.length,
      'callbacks received': received.length,
      'callbacks dead': count(trades, ({ callbacks }) => callbacks[0]?.state === 'dead'),
    },
  }
}

/** No trade is lost, none is there twice, and what anybody was told holds. */
function judgeKnown(hold: Hold, known: Remains['known'], trades: TradeRow[], refunds: RefundRow[]): void {
  const tradeOf = new Map(trades.map((trade) => [trade.tradeNo, trade]))
  const refundOf = new Map(refunds.map((refund) => [refund.refundNo, refund]))
  hold(new Set(trades.map(({ outTradeNo }) => outTradeNo)).size === trades.length, 'an outTradeNo has two trades')
  for (const { tradeNo, outTradeNo, amount, told, refunds: taken } of known.values()) {
    const trade = tradeOf.get(tradeNo)
    hold(trade?.outTradeNo === outTradeNo && trade.amount === amount, `trade ${tradeNo} is lost`)
    for (const status of told) hold(trade?.status === status, `trade ${tradeNo} was ${status}, and is ${trade?.status}`)
    for (const [refundNo, cents] of taken) {
      const refund = refundOf.get(refundNo)
      hold(refund?.tradeNo === tradeNo && refund.amount === cents, `refund ${refundNo} of ${tradeNo} is lost`)
    }
  }
}

/** Everything has come to one end, once. What no trade has taken, and a bank has sent back, is for people to return. */
function judgeEnds(
  hold: Hold,
  trades: TradeRow[],
  attempts: AttemptRow[],
  refunds: RefundRow[],
  sentBack: ReadonlySet<string>,
): void {
  for (const { tradeNo, status, inFlight, ends: events } of trades) {
    hold(status !== 1 && inFlight === null, `trade ${tradeNo} has not come to an end: ${status}`)
    hold(events.join() === ends[status], `trade ${tradeNo} is ${status}, and its events are ${events.join()}`)
  }
  for (const { attemptId, state } of attempts) {
    hold(['succeeded', 'failed', 'canceled', 'expired'].includes(state), `attempt ${attemptId} is ${state} still`)
  }
  for (const { refundNo, initiator, state } of refunds) {
    const wanted = sentBack.has(refundNo) ? (initiator === 'operator' ? 'refused' : 'owed') : undefined
    hold(wanted === undefined ? state !== 'owed' : state === wanted, `refund ${refundNo} is ${state} still`)
  }
}

/** The merchant has heard of each end and of nothing else, or the callback is visibly dead. A close is not told. */
function judgeCallbacks(hold: Hold, trades: TradeRow[], heard: Map<string, Heard[]>): void {
  for (const { tradeNo, status, notifySuccess, callbacks } of trades) {
    const [callback, ...more] = callbacks
    hold(more.length === 0 && (callback !== undefined) === [2, 3, 4, 5].includes(status), `callbacks of ${tradeNo}`)
    if (!callback) continue
    const { notifyId, state, attempts } = callback
    const told = heard.get(notifyId) ?? []
    hold(callback.status === status, `the callback of ${tradeNo} says ${callback.status}, not ${status}`)
    const same = told.every((it) => it.status === status && it.tradeNo === tradeNo)
    hold(same, `callbacks of ${tradeNo} say different things`)
    const taken = told.some(({ acknowledged }) => acknowledged)
    hold(state === 'delivered' ? taken : state === 'dead' && attempts > 0, `the callback of ${tradeNo} is ${state}`)
    hold(notifySuccess === (state === 'delivered'), `notifySuccess of ${tradeNo} is ${notifySuccess}`)
  }
  const queued = new Set(trades.flatMap(({ callbacks }) => callbacks.map(({ notifyId }) => notifyId)))
  for (const notifyId of heard.keys()) hold(queued.has(notifyId), `callback ${notifyId} of no trade arrived`)
}

/** The providers' books and the ledger have the same payments and the same refunds, to the cent. */
function judgeBooks(hold: Hold, booked: Map<string, Booked[]>, attempts: AttemptRow[], entries: EntryRow[]): void {
  const attemptOf = new Map(attempts.map((attempt) => [attempt.attemptId, attempt]))
  const moved = (movement: string) =>
    new Map(entries.filter((it) => it.movement === movement).map((it) => [it.reference, it]))
  const captured = moved('captured')
  const returned = moved('refundReturned')
  for (const refundNo of moved('refundFailed').keys()) returned.delete(refundNo)
  const paid = new Set<string>()
  const given = new Set<string>()
  for (const [account, payments] of booked) {
    for (const { attemptId, amount, currency, paid: isPaid, refunds } of payments) {
      const name = `payment ${attemptId} at ${account}`
      hold(attemptOf.get(attemptId)?.account === account, `${name} belongs to no attempt`)
      for (const [refundNo, cents] of refunds) {
        const entry = returned.get(refundNo)
        const same = entry?.amount === cents && entry.credit === `provider:${account}`
        hold(same, `refund ${refundNo} of ${name} is not in the ledger`)
        hold(!given.has(refundNo), `refund ${refundNo} of ${name} was given twice`)
        given.add(refundNo)
      }
      if (!isPaid) continue
      const entry = captured.get(attemptId)
      const same = entry?.amount === amount && entry.currency === currency && entry.debit === `provider:${account}`
      hold(same, `${name} was paid, and the ledger has ${JSON.stringify(entry)}`)
      hold(!paid.has(attemptId), `${name} was paid twice`)
      paid.add(attemptId)
    }
  }
  for (const { attemptId, state } of attempts) {
    const word = paid.has(attemptId) ? 'paid' : 'not paid'
    hold((state === 'succeeded') === paid.has(attemptId), `attempt ${attemptId} is ${state}, and ${word} there`)
  }
  for (const attemptId of captured.keys()) hold(paid.has(attemptId), `nobody paid ${attemptId}, which the ledger has`)
  for (const refundNo of returned.keys())
    hold(given.has(refundNo), `nobody got refund ${refundNo}, which the ledger has`)
}

/** Money is the merchant's where the trade has succeeded, once; everything else has gone back. */
function judgeOwners(
  hold: Hold,
  trades: TradeRow[],
  refunds: RefundRow[],
  entries: EntryRow[],
  sentBack: ReadonlySet<string>,
): void {
  const entriesOf = Map.groupBy(entries, ({ tradeNo }) => tradeNo)
  const refundsOf = Map.groupBy(refunds, ({ tradeNo }) => tradeNo)
  for (const { tradeNo, merchantId, status, amount } of trades) {
    const own = entriesOf.get(tradeNo) ?? []
    const settled = own.filter(({ movement, credit }) => movement === 'captured' && credit === `merchant:${merchantId}`)
    const cents = settled.map((entry) => entry.amount).join()
    hold(
      cents === (status === 2 ? String(amount) : ''),
      `trade ${tradeNo} is ${status} and settled ${cents || 'nothing'}`,
    )
    const asked = (refundsOf.get(tradeNo) ?? []).filter(
      ({ initiator, state }) => initiator === 'operator' && state === 'returned',
    )
    const kept = status === 2 ? amount - asked.reduce((sum, refund) => sum + refund.amount, 0) : 0
    const unreturned = (refundsOf.get(tradeNo) ?? []).filter(
      ({ initiator, refundNo }) => initiator === 'system' && sentBack.has(refundNo),
    )
    const stuck = unreturned.reduce((sum, refund) => sum + refund.amount, 0)
    hold(kept >= 0, `more went back of ${tradeNo} than was paid`)
    hold(
      balanceOf(own, 'merchant') === 0 - kept,
      `the merchant has ${-balanceOf(own, 'merchant')} of ${tradeNo}, not ${kept}`,
    )
    hold(
      balanceOf(own, 'provider') === kept + stuck,
      `the providers hold ${balanceOf(own, 'provider')} of ${tradeNo}, not ${kept + stuck}`,
    )
    hold(balanceOf(own, 'returns') === -stuck, `${-balanceOf(own, 'returns')} of ${tradeNo} is on its way for ever`)
  }
  for (const [currency, own] of Map.groupBy(entries, (entry) => entry.currency)) {
    const sum = ['merchant', 'provider', 'returns'].reduce((total, owner) => total + balanceOf(own, owner), 0)
    hold(sum === 0, `the ledger is out of balance by ${sum} ${currency}`)
  }
}

/** What accounts of this kind hold, in cents: debits less credits. */
function balanceOf(entries: readonly EntryRow[], owner: string): number {
  const is = (account: string) => account.startsWith(`${owner}:`)
  return entries.reduce(
    (sum, { debit, credit, amount }) => sum + (is(debit) ? amount : 0) - (is(credit) ? amount : 0),
    0,
  )
}

type Heard = { tradeNo: string; status: number; acknowledged: boolean }

/** What the merchant's backend was told, by notifyId. */
function heardOf(hold: Hold, received: readonly Received[], secret: string): Map<string, Heard[]> {
  const heard = new Map<string, Heard[]>()
  for (const { body, acknowledged } of received) {
    const now = Number(new URLSearchParams(body).get('timestamp'))
    const verdict = verifyCallback(body, [secret], { now })
    hold(verdict.ok, `a callback is not rightly signed: ${body}`)
    if (!verdict.ok) continue
    const { notifyId, tradeNo, transactionStatus: status } = verdict.callback
    heard.set(notifyId, [...(heard.get(notifyId) ?? []), { tradeNo, status, acknowledged }])
  }
  return heard
}

const refundNoOf = ({ reference }: { reference: string }) => reference.replace(/^refund-/, '')

/** All books, that of the sandbox's provider among them, which is a table. */
async function allBooked(sql: Sql, books: Remains['books']): Promise<Map<string, Booked[]>> {
  const all = new Map<string, Booked[]>()
  for (const [account, payments] of books) {
    all.set(
      account,
      payments.map(({ reference, amount, currency, state, refunds }) => ({
        attemptId: reference,
        amount,
        currency,
        paid: state === 'paid',
        refunds: refunds.filter((it) => !it.failed).map((it) => [refundNoOf(it), it.amount]),
        sentBack: refunds.filter((it) => it.failed).map(refundNoOf),
      })),
    )
  }
  const inside = await sql<
    {
      account: string
      refunds: Record<string, number>
      attemptId: string
      amount: number
      currency: string
      paid: boolean
    }[]
  >`
    select coalesce(replace(a.provider_account_id::text, '-', ''), a.provider, 'nobody') as account,
      replace(s.attempt_id::text, '-', '') as "attemptId", s.amount, s.currency, s.state in ('succeeded', 'refunded') as paid,
      s.refunds
    from sandbox_payments s left join payment_attempts a using (attempt_id)`
  for (const [account, rows] of Map.groupBy(inside, (row) => row.account)) {
    all.set(
      account,
      rows.map((row) => ({ ...row, refunds: Object.entries(row.refunds), sentBack: [] })),
    )
  }
  return all
}

const selectTrades = (sql: Sql, appid: string) => sql<TradeRow[]>`
  select replace(trade_no::text, '-', '') as "tradeNo", out_trade_no as "outTradeNo",
    replace(merchant_id::text, '-', '') as "merchantId", transaction_status as status, amount, currency,
    attempt_in_flight::text as "inFlight", notify_success as "notifySuccess",
    array(select event from trade_events where appid = t.appid and trade_no = t.trade_no
      and event in ('succeeded', 'failed', 'expired', 'canceled', 'closed')) as ends,
    (select coalesce(json_agg(json_build_object(
      'notifyId', replace(notify_id::text, '-', ''), 'state', state, 'status', (fields ->> 'transactionStatus')::int,
      'attempts', (select count(*) from callback_attempts where appid = c.appid and notify_id = c.notify_id))), '[]')
      from callbacks c where appid = t.appid and trade_no = t.trade_no) as callbacks
  from trades t where appid = ${appid}`

const selectAttempts = (sql: Sql, appid: string) => sql<AttemptRow[]>`
  select replace(attempt_id::text, '-', '') as "attemptId", state,
    coalesce(replace(provider_account_id::text, '-', ''), provider) as account
  from payment_attempts where appid = ${appid}`

const selectRefunds = (sql: Sql, appid: string) => sql<RefundRow[]>`
  select replace(refund_no::text, '-', '') as "refundNo", replace(trade_no::text, '-', '') as "tradeNo", initiator, state, amount
  from refunds where appid = ${appid}`

const selectEntries = (sql: Sql, appid: string) => sql<EntryRow[]>`
  select replace(reference::text, '-', '') as reference, movement, debit, credit, amount, currency,
    replace(trade_no::text, '-', '') as "tradeNo"
  from ledger_entries where appid = ${appid}`
