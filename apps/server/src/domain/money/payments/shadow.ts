import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { sha256Hex } from '../../../kernel/crypto.ts'
import { readCursor, readPage } from '../../../kernel/db/page.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { findTrade } from '../trades/index.ts'
import { findProviderAccount } from './accounts/index.ts'
import { providerOf } from './adapters/index.ts'
import type { PaymentProvider, PaymentReference, ProviderResult } from './adapters/port.ts'
import { toPaymentOrder } from './payWithFailover.ts'
import { insertShadowResult, listShadowResults } from './shadow.store.ts'
import { type AttemptKey, findAttempt } from './store.ts'

type Operations = typeof consoleOperations

/**
 * Job: sends the order of an attempt to a second provider as well and stores the response (ADR 274). The payment is
 * canceled immediately and its page is not shown, so that no money moves. The response is never settled.
 */
export async function shadowPayment(
  context: Context<'egress' | 'vault'>,
  { providerAccountId, ...key }: AttemptKey & { providerAccountId: string },
): Promise<void> {
  const account = await findProviderAccount(context, providerAccountId)
  const [trade, attempt] = [await findTrade(context.sql, key), await findAttempt(context.sql, key)]
  if (!account || !trade || !attempt) return
  // The same in each run, and different from the attempt's, so that the two payments cannot be confused.
  const shadowId = sha256Hex(`souk shadow ${attempt.attemptId}`).slice(0, 32)
  const provider = providerOf(context, account)

  const began = context.clock.real()
  const response = await provider
    .create(toPaymentOrder(context, trade, shadowId, attempt.payMethod))
    .catch((error: Error) => error)
  const duration = context.clock.real() - began
  await insertShadowResult(context.sql, {
    ...key,
    providerAccountId,
    shadowId,
    duration,
    ctime: context.clock.now(),
    kind: response instanceof Error ? null : response.kind,
    detail: response instanceof Error ? response.message : detailOf(response),
  })
  await cancelShadow(provider, { attemptId: shadowId, payNo: response instanceof Error ? null : payNoOf(response) })
}

/** Lists the responses of an account as a shadow, newest first. */
export async function listShadowAnswers(
  context: Context<'vault'>,
  _caller: ConsoleCaller,
  { providerAccountId, cursor, ...page }: ParametersOf<Operations['listShadowAnswers']>,
): Promise<ResultOf<Operations['listShadowAnswers']>> {
  if (!(await findProviderAccount(context, providerAccountId))) throw new SoukError('provider_account_not_found')
  const [ctime, attemptId] = readCursor(cursor, ['number', 'id'])
  const before = ctime === undefined ? undefined : { ctime, attemptId }
  return readPage(context.sql, page, {
    list: (part) => listShadowResults(context.sql, { providerAccountId, ...part }),
    before,
    keyOf: (answer) => [answer.ctime, answer.attemptId],
  })
}

/** Cancels the shadow payment. Throws if the outcome is unknown, so that the job runs again. */
async function cancelShadow(provider: PaymentProvider, payment: PaymentReference): Promise<void> {
  const result = await provider.cancel(payment)
  if (result.kind !== 'succeeded') return
  // Only the sandbox provider pays without a payer.
  const { amount, currency } = result
  await provider.refund({ ...payment, payNo: result.payNo }, { refundNo: payment.attemptId, amount, currency })
}

function payNoOf(result: ProviderResult): string | null {
  return 'payNo' in result ? result.payNo : null
}

function detailOf(result: ProviderResult): string | null {
  return result.kind === 'failed' ? `${result.failReasonType}${result.reason ? ` ${result.reason}` : ''}` : null
}
