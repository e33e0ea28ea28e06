export {
  appOfProviderAccount,
  createProviderAccount,
  enableProviderAccount,
  getRouting,
  listProviderAccounts,
  providerOfAttempt,
  setRouting,
  testProviderAccount,
  updateProviderAccount,
} from './accounts/index.ts'
export { listingProviders } from './adapters/index.ts'
export { type Dispute, type PaidPayment, type ProviderResult, ProviderUnavailable } from './adapters/port.ts'
export { inFlight } from './attemptState.ts'
export { closeTrade } from './closeTrade.ts'
export { decideSandboxPayments, startSandboxDecisions } from './decideSandboxPayments.ts'
export { answerChallenge, cancelPayment, pay, paymentResult, resolvePayment, startPayment } from './pay.ts'
export { queryPendingAttempts } from './queryPendingAttempts.ts'
export { receiveWebhook, requireWebhookAccount } from './receiveWebhook.ts'
export { handlePayerReturn } from './returnUrl.ts'
export { settle } from './settle.ts'
export { listShadowAnswers, shadowPayment } from './shadow.ts'
export {
  type Attempt,
  type AttemptKey,
  attemptColumns,
  findAcceptedAttempt,
  findAttempt,
  listAttemptSummaries,
  lockAttempt,
} from './store.ts'
