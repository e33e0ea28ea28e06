import type { consoleOperations, ResultOf } from '@souk/contract'
import type { Sql } from '../../kernel/db/pool.ts'
import type { AttemptKey } from './store.ts'

type Shown = ResultOf<typeof consoleOperations.listShadowAnswers>['items'][number]

/** What a second provider said to the order of an attempt. `duration` in ms. */
interface ShadowAnswer extends AttemptKey {
  providerAccountId: string
  shadowId: string
  /** Of a ProviderResult; null where there was no answer. */
  kind: string | null
  detail: string | null
  duration: number
  ctime: number
}

/** Writes an answer down, unless an earlier run of the job has. */
export async function insertShadowResult(sql: Sql, answer: ShadowAnswer): Promise<void> {
  await sql`
    insert into shadow_answers
      (attempt_id, appid, trade_no, provider_account_id, shadow_id, kind, detail, duration, ctime)
    values
      (${answer.attemptId}, ${answer.appid}, ${answer.tradeNo}, ${answer.providerAccountId}, ${answer.shadowId},
       ${answer.kind}, ${answer.detail}, ${answer.duration}, ${answer.ctime})
    on conflict (attempt_id) do nothing`
}

/** What an account has said as a shadow, newest first, beside what became of the payment. */
export async function listShadowResults(
  sql: Sql,
  {
    providerAccountId,
    before,
    limit,
  }: { providerAccountId: string; before?: { ctime: number; attemptId: string } | undefined; limit: number },
): Promise<Shown[]> {
  return sql<Shown[]>`
    select
      replace(s.attempt_id::text, '-', '') as "attemptId", replace(s.trade_no::text, '-', '') as "tradeNo", s.kind, s.detail,
      s.duration, a.provider, a.state, s.ctime
    from shadow_answers s join payment_attempts a using (attempt_id)
    where s.provider_account_id = ${providerAccountId}
      ${before === undefined ? sql`` : sql`and (s.ctime, s.attempt_id) < (${before.ctime}, ${before.attemptId})`}
    order by s.ctime desc, s.attempt_id desc
    limit ${limit}`
}
