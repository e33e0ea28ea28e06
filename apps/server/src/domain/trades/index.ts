export {
  appOfProviderAccount,
  createProviderAccount,
  getRouting,
  listProviderAccounts,
  setRouting,
  testProviderAccount,
  updateProviderAccount,
} from './accounts/index.ts'
export {
  appOfCallback,
  cancelReplay,
  deliverCallback,
  deliverDueCallbacks,
  getCallback,
  getCallbackFault,
  getReplay,
  listCallbacks,
  projectOfReplay,
  replayCallback,
  replayCallbacks,
  reportForwarded,
  runReplay,
  searchCallbacks,
  setCallbackFault,
  signedCallback,
} from './callbacks/index.ts'
export { closeTrade } from './close.ts'
export { createTrade } from './create.ts'
export { decideSandboxPayments } from './decideSandboxPayments.ts'
export { getTrade, showTrade, tradeDetail } from './detail.ts'
export { expireTrades } from './expire.ts'
export { ledgerBalances } from './ledger.ts'
export { answerChallenge, cancelPayment, pay, paymentResult, resolvePayment, startPayment } from './pay.ts'
export { payerReturns } from './payerReturns.ts'
export { processWebhook } from './processWebhook.ts'
export { reconcilePayments } from './reconcile.ts'
export {
  appOfReconciliation,
  compareDay,
  getReconciliation,
  reconcileDay,
  reconcileDays,
  searchReconciliations,
} from './reconciliation/index.ts'
export { ledger } from './recordPayments.ts'
export { refundTrade, searchRefunds } from './refunds.ts'
export { returnMoney, returnOwedMoney } from './returnMoney.ts'
export { appOfTrade, searchTrades, tradeTotals } from './search.ts'
export { listShadowAnswers, shadowPayment } from './shadow.ts'
export { getTradeStory } from './story.ts'
