import { type Outcome, type PayMethodName, transactionStatus } from '@souk/contract'
import { asProblem, type Problem } from '@souk/web'
import { ref, shallowRef } from 'vue'
import { call, type Result } from '../api/client.ts'
import type { PaymentResult, Shown, Trade } from './trade.ts'

type Answer = Result<'paymentResult'>

/** Where a payment stands, as its payer sees it. */
type Step =
  /** How to pay. */
  | 'choice'
  /** 3-D Secure: the payer has to answer. */
  | 'challenge'
  /** The payer pays on the provider's own page, in a window of its own. */
  | 'redirect'
  /** In flight: the provider has not decided. */
  | 'waiting'
  /** Final. */
  | 'result'

/** One trade being paid. What it shows comes from the server alone, which is asked again after everything that happens. */
export function usePayment(asked: Trade, shown: Shown) {
  const { tradeNo } = asked
  const trade = shallowRef(asked)
  const step = ref<Step>(asked.payMethod === null ? 'choice' : 'waiting')
  const result = shallowRef<PaymentResult>({ status: 0 })
  const prompt = ref('')
  /** Address of the provider's page. */
  const address = ref('')
  const isBusy = ref(false)
  const problem = shallowRef<Problem>()

  /** One thing after the other: news of the trade come while an answer is under way, too. */
  let last = Promise.resolve()
  function inTurn(run: () => Promise<void>): Promise<void> {
    last = last.then(run).catch((error: unknown) => {
      problem.value = asProblem(error)
    })
    return last
  }

  /** What the payer wants done. */
  async function act(run: () => Promise<void>): Promise<void> {
    isBusy.value = true
    problem.value = undefined
    await inTurn(run)
    isBusy.value = false
  }

  function finish({ status, failCode }: PaymentResult): void {
    result.value = failCode === undefined ? { status } : { status, failCode }
    step.value = 'result'
  }

  /** As things stand. The trade is read first, so that the result is never older than what the trade says. */
  async function read(): Promise<void> {
    if (step.value === 'result') return
    const now = await call('showTrade', { tradeNo })
    const answer = await call('paymentResult', { tradeNo })
    trade.value = now
    if (now.transactionStatus !== transactionStatus.processing) finish(answer)
    else place(answer, now.payMethod === null ? 'choice' : 'waiting')
  }

  function place({ challenge, redirect }: Pick<Answer, 'challenge' | 'redirect'>, otherwise: Step): void {
    prompt.value = challenge?.prompt ?? ''
    address.value = redirect?.url ?? ''
    step.value = challenge ? 'challenge' : redirect ? 'redirect' : otherwise
  }

  async function start(method: PayMethodName, outcome?: Outcome): Promise<void> {
    const answer = await call('startPayment', {
      tradeNo,
      payMethod: method,
      ...shown,
      ...(outcome === undefined ? {} : { outcome }),
    })
    if (answer.failCode === inPayment) return read()
    if (answer.status !== 0) return finish(answer)
    if (answer.challenge || answer.redirect) place(answer, 'waiting')
    // Canceled, or in flight: the trade says which.
    else await read()
  }

  return {
    trade,
    step,
    result,
    prompt,
    address,
    isBusy,
    problem,
    /** A trade that is final cannot be paid, and the server says why; one in flight goes on where it stands. */
    async begin(): Promise<void> {
      if (asked.transactionStatus !== transactionStatus.processing) await act(() => start('card'))
      else if (step.value === 'waiting') await act(read)
    },
    refresh: () => inTurn(read),
    pay: (method: PayMethodName, outcome?: Outcome) => act(() => start(method, outcome)),
    answerChallenge: (passed: boolean) =>
      act(async () => {
        await call('answerChallenge', { tradeNo, passed })
        await read()
      }),
    cancel: () =>
      act(async () => {
        await call('cancelPayment', { tradeNo })
        await read()
      }),
    payOtherwise(): void {
      step.value = 'choice'
    },
  }
}

/** failReasonType: another attempt is in flight. */
const inPayment = 23
