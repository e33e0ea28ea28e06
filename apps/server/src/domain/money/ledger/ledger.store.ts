import type { consoleOperations, ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { Attempt } from '../payments/index.ts'
import type { TradeKey } from '../trades/index.ts'

type Balances = Omit<ResultOf<typeof consoleOperations.ledgerBalances>[number], 'appName'>[]

/**
 * The double-entry ledger (ADR 270). Each entry moves an amount from the credit to the debit account, so the sum of all
 * accounts is zero in every currency. Entries are inserted in the transaction of the event that they record. The
 * database rejects updates and deletions.
 *
 * | movement         | debit       | credit      | event                                                |
 * |------------------|-------------|-------------|------------------------------------------------------|
 * | `captured`       | provider:…  | merchant:…  | a payment succeeded, and its trade with it           |
 * | `captured`       | provider:…  | returns:…   | a payment succeeded that its trade cannot accept     |
 * | `refundOwed`     | merchant:…  | returns:…   | an operator requested a refund                       |
 * | `refundReturned` | returns:…   | provider:…  | the provider completed a refund                      |
 * | `refundRefused`  | returns:…   | merchant:…  | the provider rejected a refund by an operator        |
 * | `refundFailed`   | provider:…  | merchant:…  | a returned refund by an operator failed              |
 * | `refundFailed`   | provider:…  | returns:…   | a returned refund of an unapplied payment failed     |
 *
 * The balance of an account is its debits less its credits: positive for providers, negative for merchants and pending
 * refunds. Provider fees are unknown to Souk and not booked.
 */
interface Entry {
  /** The attemptId or refundNo. Each movement of it is booked once. */
  reference: string
  movement: 'captured' | 'refundOwed' | 'refundReturned' | 'refundRefused' | 'refundFailed'
  debit: string
  credit: string
  /** Cents. */
  amount: number
  currency: string
}

/** Names of the ledger's accounts: of a provider, of a merchant, and of pending refunds of a merchant. */
export const providerAccountName = ({ providerAccountId, provider }: Pick<Attempt, 'providerAccountId' | 'provider'>) =>
  `provider:${providerAccountId ?? provider}`
export const merchantAccountName = (merchantId: string) => `merchant:${merchantId}`
export const returnsAccountName = (merchantId: string) => `returns:${merchantId}`

/** Inserts an entry for a trade. `time` is on the domain clock. */
export async function insertEntry(tx: Tx, { appid, tradeNo }: TradeKey, entry: Entry, time: number): Promise<void> {
  await tx`
    insert into ledger_entries (reference, movement, debit, credit, amount, currency, appid, trade_no, time)
    values
      (${entry.reference}, ${entry.movement}, ${entry.debit}, ${entry.credit}, ${entry.amount},
       ${entry.currency}, ${appid}, ${tradeNo}, ${time})`
}

/** Returns the entries of these payment attempts and refunds, oldest first. */
export async function listEntries(
  sql: Sql,
  references: readonly string[],
): Promise<ResultOf<typeof consoleOperations.getTradeStory>['ledger']> {
  return sql<ResultOf<typeof consoleOperations.getTradeStory>['ledger']>`
    select
      reference, movement, debit, credit, amount, currency, time
    from ledger_entries
    where reference = any(${references as string[]}::uuid[])
    order by time, movement`
}

/** What all entries change in the accounts of merchants and of their pending refunds, as the trigger records it. */
const changesOf = (sql: Sql | Tx) => sql`
  select debit as account, currency, movement, amount from ledger_entries where not starts_with(debit, 'provider:')
  union all
  select credit, currency, movement, -amount from ledger_entries where not starts_with(credit, 'provider:')`

/**
 * Adds up the entries from before their changes were recorded, which takes as long as the ledger is, unless that was
 * done. Other processes wait for it.
 */
export async function insertBalances(sql: Sql): Promise<void> {
  await sql.begin(
    async (tx) => {
      const [first] = await tx`insert into ledger_progress default values on conflict do nothing returning is_only`
      if (first === undefined) return
      // One statement sees all entries with their changes. None is in the balances before this transaction ends.
      await tx`
        insert into ledger_balances (account, currency, movement, amount)
        select account, currency, movement, sum(amount) from (
          ${changesOf(tx)}
          union all
          select account, currency, movement, -amount from ledger_changes
        ) earlier
        group by account, currency, movement`
    },
    { statementLimit: 0 },
  )
}

/** Moves at most `limit` changes to the balances once these are complete, and returns their number. */
export async function upsertBalances(sql: Sql, limit: number): Promise<number> {
  const [{ moved }] = await sql<[{ moved: number }]>`
    with changes as (
      delete from ledger_changes where ctid = any(array(
        select ctid from ledger_changes where exists (select from ledger_progress) limit ${limit} for update skip locked
      ))
      returning account, currency, movement, amount
    ), added as (
      insert into ledger_balances as known (account, currency, movement, amount)
      select account, currency, movement, sum(amount) from changes
      group by account, currency, movement order by account, currency, movement
      on conflict (account, currency, movement) do update set amount = known.amount + excluded.amount
    )
    select count(*)::integer as moved from changes`
  return moved
}

export async function existsBalances(sql: Sql): Promise<boolean> {
  const [row] = await sql`select is_only from ledger_progress`
  return row !== undefined
}

/** Returns the balances of the merchants of these mini apps, and of their pending refunds. */
export async function listBalances(sql: Sql, appids: readonly string[]): Promise<Balances> {
  const isOfMerchant = sql`account in (
    'merchant:' || replace(m.merchant_id::text, '-', ''), 'returns:' || replace(m.merchant_id::text, '-', ''))`
  const columns = sql`split_part(account, ':', 1) as owner, currency, movement, amount`
  return sql<Balances>`
    select
      m.appid, m.merchant_id, sums.currency, captured::bigint, refunded::bigint,
      (captured - refunded)::bigint as balance, way_back::bigint as returning
    from merchants m cross join lateral (
      select
        currency,
        -coalesce(sum(amount) filter (where movement = 'captured' and owner = 'merchant'), 0) as captured,
        coalesce(sum(amount) filter (where movement <> 'captured' and owner = 'merchant'), 0) as refunded,
        -coalesce(sum(amount) filter (where owner = 'returns'), 0) as way_back
      from (
        select ${columns} from ledger_balances where ${isOfMerchant}
        union all
        select ${columns} from ledger_changes where ${isOfMerchant}
      ) moved
      group by currency
    ) sums
    where m.appid = any(${appids as string[]}::text[])
    order by m.appid, sums.currency`
}
