import { day } from '@souk/contract'
import { firstUuidAt } from '../../../kernel/db/partitions.ts'
import type { Sql } from '../../../kernel/db/pool.ts'

/** Counts the trades created since a day and before `to`, in days since 1970: how far they got, and their money. */
export async function upsertTradeCounts(
  sql: Sql,
  { from, to, sandbox }: { from: number; to?: number; sandbox: boolean },
): Promise<void> {
  const before = to === undefined ? sql`` : sql`and t.ctime < ${to * day}`
  // The number has the wall clock, from which the clock of a sandbox differs.
  const numbered = sandbox
    ? sql``
    : sql`
      and t.trade_no >= ${firstUuidAt((from - 1) * day)}::uuid
      ${to === undefined ? sql`` : sql`and t.trade_no < ${firstUuidAt((to + 1) * day)}::uuid`}`
  await sql`
    insert into analytics_trades as known (appid, day, currency, created, opened, tried, paid, amount)
    select t.appid, t.ctime / ${day}, t.currency, count(*), count(o.trade_no), count(p.trade_no),
      count(*) filter (where t.transaction_status = 2),
      coalesce(sum(t.amount) filter (where t.transaction_status = 2), 0)
    from all_trades t
      left join opened_trades o using (trade_no)
      left join lateral (
        select trade_no from payment_attempts a where a.appid = t.appid and a.trade_no = t.trade_no limit 1
      ) as p on true
    where t.ctime >= ${from * day} ${before} ${numbered}
    group by 1, 2, 3
    on conflict (appid, day, currency) do update set created = excluded.created, opened = excluded.opened,
      tried = excluded.tried, paid = excluded.paid, amount = excluded.amount
    where (known.created, known.opened, known.tried, known.paid, known.amount)
      <> (excluded.created, excluded.opened, excluded.tried, excluded.paid, excluded.amount)`
}
