import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { sha256Hex } from '../../kernel/crypto.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { pageOf, readCursor } from '../page.ts'
import { findTrade } from '../trades/index.ts'
import { findProviderAccount } from './accounts/index.ts'
import { providerOf } from './adapters/index.ts'
import type { PaymentProvider, PaymentReference, ProviderResult } from './adapters/port.ts'
import { toPaymentOrder } from './payWithFailover.ts'
import { insertShadowResult, listShadowResults } from './shadow.store.ts'
import { type AttemptKey, findAttempt } from './store.ts'

type Operations = typeof consoleOperations

/**
 * The job `shadowPayment`: gives a second provider the order that another one has taken, and writes down what it says (ADR 272).
 * Nobody is sent to the page that it opens, and it is cancelled at once, so that no money moves; what it says never comes to
 * the door. Repeating it does nothing more.
 */
export async function shadowPayment(
  context: Context,
  { providerAccountId, ...key }: AttemptKey & { providerAccountId: string },
): Promise<void> {
  const account = await findProviderAccount(context, providerAccountId)
  const [trade, attempt] = [await findTrade(context.sql, key), await findAttempt(context.sql, key)]
  if (!account || !trade || !attempt) return
  // The same however often the job runs, and not the attempt's own: nothing of the second provider can be taken for it.
  const shadowId = sha256Hex(`souk shadow ${attempt.attemptId}`).slice(0, 32)
  const provider = providerOf(context, account)

  const began = context.clock.real()
  const answer = await provider
    .create(toPaymentOrder(context, trade, shadowId, attempt.payMethod))
    .catch((error: Error) => error)
  const duration = context.clock.real() - began
  await insertShadowResult(context.sql, {
    ...key,
    providerAccountId,
    shadowId,
    duration,
    ctime: context.clock.now(),
    kind: answer instanceof Error ? null : answer.kind,
    detail: answer instanceof Error ? answer.message : detailOf(answer),
  })
  await undo(provider, { attemptId: shadowId, payNo: answer instanceof Error ? null : payNoOf(answer) })
}

/** What an account has answered as a shadow, newest first. */
export async function listShadowAnswers(
  context: Context,
  _caller: ConsoleCaller,
  { providerAccountId, cursor, limit = 50 }: ParametersOf<Operations['listShadowAnswers']>,
): Promise<ResultOf<Operations['listShadowAnswers']>> {
  if (!(await findProviderAccount(context, providerAccountId))) throw new SoukError('provider_account_not_found')
  const [ctime, attemptId] = readCursor(cursor, ['number', 'id'])
  const before = ctime === undefined ? undefined : { ctime, attemptId }
  const found = await listShadowResults(context.sql, { providerAccountId, before, limit: limit + 1 })
  return pageOf(found, limit, (answer) => [answer.ctime, answer.attemptId])
}

/** Sees to it that nothing of the second provider's payment is left. Throws where that is not known, so that the job runs again. */
async function undo(provider: PaymentProvider, payment: PaymentReference): Promise<void> {
  const left = await provider.cancel(payment)
  if (left.kind !== 'succeeded') return
  // Only a provider that pays without a payer, which is the sandbox's.
  const { amount, currency } = left
  await provider.refund({ ...payment, payNo: left.payNo }, { refundNo: payment.attemptId, amount, currency })
}

function payNoOf(result: ProviderResult): string | null {
  return 'payNo' in result ? result.payNo : null
}

function detailOf(result: ProviderResult): string | null {
  return result.kind === 'failed' ? `${result.failReasonType}${result.reason ? ` ${result.reason}` : ''}` : null
}
