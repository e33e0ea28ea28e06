import type { consoleOperations, ResultOf } from '@souk/contract'
import type { Rows, Sql } from '../../../kernel/db/pool.ts'
import type { AttemptKey } from './store.ts'

type ShadowResultRow = ResultOf<typeof consoleOperations.listShadowAnswers>['items'][number]

/** The response of a second provider to the order of an attempt. `duration` in ms. */
interface ShadowResult extends AttemptKey {
  providerAccountId: string
  shadowId: string
  /** The kind of the ProviderResult; null without a response. */
  kind: string | null
  detail: string | null
  duration: number
  ctime: number
}

/** Inserts a result, unless an earlier run of the job has. */
export async function insertShadowResult(sql: Sql, result: ShadowResult): Promise<void> {
  await sql`
    insert into shadow_answers
      (attempt_id, appid, trade_no, provider_account_id, shadow_id, kind, detail, duration, ctime)
    values
      (${result.attemptId}, ${result.appid}, ${result.tradeNo}, ${result.providerAccountId}, ${result.shadowId},
       ${result.kind}, ${result.detail}, ${result.duration}, ${result.ctime})
    on conflict (attempt_id) do nothing`
}

/** Lists the results of an account as a shadow, newest first, with the state of the actual attempt. */
export function listShadowResults(
  sql: Sql,
  {
    providerAccountId,
    before,
    limit,
  }: { providerAccountId: string; before?: { ctime: number; attemptId: string } | undefined; limit: number },
): Rows<ShadowResultRow> {
  return sql<ShadowResultRow[]>`
    select
      s.attempt_id, s.trade_no, s.kind, s.detail, s.duration, a.provider, a.state, s.ctime
    from shadow_answers s join payment_attempts a using (attempt_id)
    where s.provider_account_id = ${providerAccountId}
      ${before === undefined ? sql`` : sql`and (s.ctime, s.attempt_id) < (${before.ctime}, ${before.attemptId})`}
    order by s.ctime desc, s.attempt_id desc
    limit ${limit}`
}
