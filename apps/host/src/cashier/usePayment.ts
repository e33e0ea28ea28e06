import { type Outcome, type PayMethodName, transactionStatus } from '@souk/contract'
import { asProblem, type Problem } from '@souk/web'
import { ref, shallowRef } from 'vue'
import { call, type Result } from '../api/client.ts'
import type { DisplayedPrice, PaymentResult, Trade } from './trade.ts'

type PaymentResponse = Result<'paymentResult'>

/** Step of the payment that the payer sees. */
type Step =
  /** The payer chooses a payment method. */
  | 'choice'
  /** The payer confirms by 3-D Secure. */
  | 'challenge'
  /** The payer pays on the provider's page in another window. */
  | 'redirect'
  /** The provider has not decided yet. */
  | 'waiting'
  /** The payment is final. */
  | 'result'

/** Returns the payment of one trade. The state always comes from the server and is reloaded after every action. */
export function usePayment(initialTrade: Trade, displayed: DisplayedPrice) {
  const { tradeNo } = initialTrade
  const trade = shallowRef(initialTrade)
  const step = ref<Step>(initialTrade.payMethod === null ? 'choice' : 'waiting')
  const result = shallowRef<PaymentResult>({ status: 0 })
  const prompt = ref('')
  /** URL of the provider's page. */
  const address = ref('')
  const isBusy = ref(false)
  /** True while the payer chooses another way to pay than the one in progress. */
  let isChoosing = false
  const problem = shallowRef<Problem>()

  /** Serializes requests, because trade events can arrive while one is pending. */
  let last = Promise.resolve()
  function enqueue(run: () => Promise<void>): Promise<void> {
    last = last.then(run).catch((error: unknown) => {
      problem.value = asProblem(error)
    })
    return last
  }

  /** Runs an action of the payer. */
  async function act(run: () => Promise<void>): Promise<void> {
    isBusy.value = true
    problem.value = undefined
    try {
      await enqueue(run)
    } finally {
      isBusy.value = false
    }
  }

  function finish({ status, failCode }: PaymentResult): void {
    result.value = failCode === undefined ? { status } : { status, failCode }
    step.value = 'result'
  }

  /** Reloads the state. Reads the trade first, so that the result is never older than the trade. */
  async function read(): Promise<void> {
    if (step.value === 'result') return
    const now = await call('showTrade', { tradeNo })
    const response = await call('paymentResult', { tradeNo })
    trade.value = now
    if (now.transactionStatus !== transactionStatus.processing) finish(response)
    else if (!isChoosing) showStep(response, now.payMethod === null ? 'choice' : 'waiting')
    // There is a connection again.
    if (problem.value?.code === 'unreachable') problem.value = undefined
  }

  function showStep({ challenge, redirect }: Pick<PaymentResponse, 'challenge' | 'redirect'>, fallback: Step): void {
    prompt.value = challenge?.prompt ?? ''
    address.value = redirect?.url ?? ''
    step.value = challenge ? 'challenge' : redirect ? 'redirect' : fallback
  }

  async function start(method: PayMethodName, outcome?: Outcome): Promise<void> {
    isChoosing = false
    const response = await call('startPayment', {
      tradeNo,
      payMethod: method,
      ...displayed,
      ...(outcome === undefined ? {} : { outcome }),
    })
    const { failCode } = response
    if (failCode === paymentInFlight) return read()
    // By an attempt whose answer was lost, or in another window.
    if (failCode === alreadyPaid && initialTrade.transactionStatus === transactionStatus.processing) return read()
    if (response.status !== 0) return finish(response)
    if (response.challenge || response.redirect) showStep(response, 'waiting')
    // Canceled or in flight; the trade tells which.
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
    /** Resumes a payment in flight. A final trade cannot be paid; the server returns the reason. */
    async begin(): Promise<void> {
      if (initialTrade.transactionStatus !== transactionStatus.processing) await act(() => start('card'))
      else if (step.value === 'waiting') await act(read)
    },
    refresh: () => enqueue(read),
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
    payAnotherWay(): void {
      isChoosing = true
      step.value = 'choice'
    },
  }
}

/** `failReasonType` of a trade that is paid, and of one with another attempt in flight. */
const alreadyPaid = 20
const paymentInFlight = 23
