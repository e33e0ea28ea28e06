import type { consoleOperations, ParametersOf, ResultOf } from '@souk/contract'
import type { Tx } from '../../kernel/db/pool.ts'
import { appidsOf } from '../apps/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import type { Attempt } from '../payments/index.ts'
import type { TradeKey } from '../trades/index.ts'

type Operation = typeof consoleOperations.ledgerBalances

/**
 * The ledger (ADR 270). Each entry takes an amount from one account, the credit, and gives it to another, the debit, so the sum
 * of all accounts is zero in every currency, whatever the entries are. It is written in the transaction of what it tells of; the
 * database refuses to change or delete it.
 *
 * | movement         | debit       | credit      | when                                                        |
 * |------------------|-------------|-------------|-------------------------------------------------------------|
 * | `captured`       | provider:… | merchant:…  | a payment has succeeded, and its trade with it              |
 * | `captured`       | provider:… | returns:…   | a payment has succeeded that its trade cannot take          |
 * | `refundOwed`     | merchant:…  | returns:…   | the operator refunds                                        |
 * | `refundReturned` | returns:…   | provider:… | the provider has given money back                          |
 * | `refundRefused`  | returns:…   | merchant:…  | the provider has refused what the operator wanted refunded |
 * | `refundFailed`   | provider:… | merchant:…  | what was given back has come back to the provider          |
 * | `refundFailed`   | provider:… | returns:…   | the same, of money that no trade has taken                  |
 *
 * The balance of an account is its debits less its credits: what a provider holds is positive, what belongs to a merchant or
 * is on its way back to payers negative. Fees of providers are not known to Souk and not booked.
 */
interface Movement {
  /** The attempt that brought the money, or the refundNo: each movement of it is booked once. */
  reference: string
  movement: 'captured' | 'refundOwed' | 'refundReturned' | 'refundRefused' | 'refundFailed'
  debit: string
  credit: string
  /** Cents. */
  amount: number
  currency: string
}

/** The ledger's account of a provider, that of a merchant, and that of money on its way back to the merchant's payers. */
export const providerAccountName = ({ providerAccountId, provider }: Pick<Attempt, 'providerAccountId' | 'provider'>) =>
  `provider:${providerAccountId ?? provider}`
export const merchantAccountName = (merchantId: string) => `merchant:${merchantId}`
export const returnsAccountName = (merchantId: string) => `returns:${merchantId}`

/** Writes a movement of money of a trade. `time` is on the domain clock. */
export async function book(tx: Tx, { appid, tradeNo }: TradeKey, movement: Movement, time: number): Promise<void> {
  await tx`
    insert into ledger_entries (reference, movement, debit, credit, amount, currency, appid, trade_no, time)
    values
      (${movement.reference}, ${movement.movement}, ${movement.debit}, ${movement.credit}, ${movement.amount},
       ${movement.currency}, ${appid}, ${tradeNo}, ${time})`
}

/** What belongs to the merchants of a project, and what is on its way back. @throws SoukError `app_not_found` */
export async function ledgerBalances(
  context: Context,
  _caller: ConsoleCaller,
  { projectId, appid }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const appids = await appidsOf(context, projectId, appid)
  return context.sql<ResultOf<Operation>>`
    select
      m.appid, replace(m.merchant_id::text, '-', '') as "merchantId", sums.currency, captured::bigint, refunded::bigint,
      (captured - refunded)::bigint as balance, way_back::bigint as returning
    from merchants m cross join lateral (
      select
        currency,
        coalesce(sum(amount) filter (where movement = 'captured' and owner = 'merchant'), 0) as captured,
        coalesce(sum(case movement when 'refundOwed' then amount else -amount end)
          filter (where owner = 'merchant' and movement <> 'captured'), 0) as refunded,
        -coalesce(sum(signed) filter (where owner = 'returns'), 0) as way_back
      from (
        select split_part(debit, ':', 1) as owner, currency, movement, amount, amount as signed from ledger_entries
        where debit in (
          'merchant:' || replace(m.merchant_id::text, '-', ''), 'returns:' || replace(m.merchant_id::text, '-', ''))
        union all
        select split_part(credit, ':', 1), currency, movement, amount, -amount from ledger_entries
        where credit in (
          'merchant:' || replace(m.merchant_id::text, '-', ''), 'returns:' || replace(m.merchant_id::text, '-', ''))
      ) moved
      group by currency
    ) sums
    where m.appid = any(${appids}::text[])
    order by m.appid, sums.currency`
}
