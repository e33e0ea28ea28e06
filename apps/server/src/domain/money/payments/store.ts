import {
  type consoleOperations,
  type DeclineReason,
  hour,
  minute,
  type noFailReason,
  type PayMethod,
  type PayType,
  type ResultOf,
} from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { TradeKey } from '../trades/index.ts'
import type { AttemptState } from './attemptState.ts'

/** The primary key of an attempt. The provider knows the attemptId only. */
export interface AttemptKey extends TradeKey {
  attemptId: string
}

/** An attempt to pay a trade at one provider. */
export interface Attempt extends AttemptKey {
  provider: string
  /** Null for the built-in sandbox provider. */
  providerAccountId: string | null
  payType: PayType
  payMethod: PayMethod
  payNo: string | null
  state: AttemptState
  failReasonType: DeclineReason | typeof noFailReason
  prompt: string | null
  redirectUrl: string | null
  /** Reason of the cancellation, which decides the trade's status. `retry`: the payer pays in another way. */
  cancelFor: 'merchant' | 'payer' | 'expiry' | 'retry' | null
  ctime: number
}

export async function insertAttempt(tx: Tx, attempt: Attempt): Promise<void> {
  await tx`
    insert into payment_attempts
      (appid, trade_no, attempt_id, provider, provider_account_id, pay_type, pay_method, pay_no, state, fail_reason_type,
       prompt, redirect_url, cancel_for, ctime, mtime)
    values
      (${attempt.appid}, ${attempt.tradeNo}, ${attempt.attemptId}, ${attempt.provider}, ${attempt.providerAccountId},
       ${attempt.payType}, ${attempt.payMethod}, ${attempt.payNo}, ${attempt.state}, ${attempt.failReasonType},
       ${attempt.prompt}, ${attempt.redirectUrl}, ${attempt.cancelFor}, ${attempt.ctime}, ${attempt.ctime})`
}

export async function findAttempt(
  sql: Sql | Tx,
  { appid, tradeNo, attemptId }: AttemptKey,
): Promise<Attempt | undefined> {
  const [attempt] = await sql<Attempt[]>`
    select ${attemptColumns(sql)} from payment_attempts
    where appid = ${appid} and trade_no = ${tradeNo} and attempt_id = ${attemptId}`
  return attempt
}

/** Locks an attempt until the transaction ends. The trade, which is locked first, may be archived. */
export async function lockAttempt(tx: Tx, { appid, tradeNo, attemptId }: AttemptKey): Promise<void> {
  await tx`
    select from payment_attempts
    where appid = ${appid} and trade_no = ${tradeNo} and attempt_id = ${attemptId} for update`
}

/** Lists the attempts of a trade, newest first. */
export async function listAttempts(sql: Sql, { appid, tradeNo }: TradeKey): Promise<Attempt[]> {
  return sql<Attempt[]>`
    select ${attemptColumns(sql)} from payment_attempts
    where appid = ${appid} and trade_no = ${tradeNo} order by attempt_id desc`
}

/** Finds the attempt that paid the trade. */
export async function findAcceptedAttempt(tx: Tx, { appid, tradeNo }: TradeKey): Promise<Attempt | undefined> {
  const [attempt] = await tx<Attempt[]>`
    select ${attemptColumns(tx)} from payment_attempts a
    where appid = ${appid} and trade_no = ${tradeNo} and state = 'succeeded'
      and not exists (select from refunds r where r.attempt_id = a.attempt_id and r.initiator = 'system')`
  return attempt
}

/** Finds the key of an attempt by its attemptId. */
export async function findAttemptKey(sql: Sql, attemptId: string): Promise<AttemptKey | undefined> {
  const [key] = await sql<AttemptKey[]>`
    select appid, trade_no, attempt_id
    from payment_attempts where attempt_id = ${attemptId}`
  return key
}

/** Updates the mutable columns of an attempt. */
export async function updateAttempt(tx: Tx, attempt: Attempt, now: number): Promise<void> {
  await tx`
    update payment_attempts
    set state = ${attempt.state}, pay_no = ${attempt.payNo}, fail_reason_type = ${attempt.failReasonType},
        prompt = ${attempt.prompt}, redirect_url = ${attempt.redirectUrl}, cancel_for = ${attempt.cancelFor}, mtime = ${now}
    where appid = ${attempt.appid} and trade_no = ${attempt.tradeNo} and attempt_id = ${attempt.attemptId}`
}

/**
 * Claims attempts in flight without news since `before` by setting their mtime to `now`. Attempts that have been in
 * flight for an hour are claimed every ten minutes only.
 */
export async function claimStaleAttempts(
  sql: Sql,
  { before, now, limit }: { before: number; now: number; limit: number },
): Promise<Attempt[]> {
  return sql<Attempt[]>`
    update payment_attempts set mtime = ${now}
    where (appid, trade_no, attempt_id) in (
      select appid, trade_no, attempt_id from payment_attempts
      where state in ('created', 'pending', 'challenge', 'redirect') and mtime <= ${before}
        and (mtime - ctime < ${hour}::bigint or mtime <= ${now - 10 * minute})
      order by mtime limit ${limit} for update skip locked)
    returning ${attemptColumns(sql)}`
}

/** Lists the attempts of a trade as the console shows them, oldest first. */
export async function listAttemptSummaries(
  sql: Sql,
  { appid, tradeNo }: { appid: string; tradeNo: string },
): Promise<ResultOf<typeof consoleOperations.getTradeStory>['attempts']> {
  return sql<
    (Pick<Attempt, 'attemptId' | 'provider' | 'payType' | 'payMethod' | 'payNo' | 'state' | 'ctime'> & {
      failReasonType: number
      mtime: number
    })[]
  >`
    select
      attempt_id, provider, pay_type, pay_method, pay_no, state, fail_reason_type, ctime, mtime
    from payment_attempts where appid = ${appid} and trade_no = ${tradeNo}
    order by attempt_id`
}

/** Selects the columns of an attempt as the fields of `Attempt`. */
export const attemptColumns = (sql: Sql | Tx) => sql`
  appid, trade_no, attempt_id, provider, provider_account_id, pay_type, pay_method, pay_no, state, fail_reason_type,
  prompt, redirect_url, cancel_for, ctime`
