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
  type SendCallback,
  type SignedCallback,
  searchCallbacks,
  setCallbackFault,
  signedCallback,
} from './callbacks/index.ts'
export { closeTrade } from './close.ts'
export { createTrade } from './create.ts'
export { decideSandboxPayments } from './decideSandboxPayments.ts'
export { getTrade, showTrade, tradeDetail } from './detail.ts'
export { expireTrades } from './expire.ts'
export { answerChallenge, cancelPayment, pay, paymentResult, resolvePayment, startPayment } from './pay.ts'
export { reconcilePayments } from './reconcile.ts'
export { returnMoney } from './returnMoney.ts'
export { appOfTrade, searchTrades, tradeTotals } from './search.ts'
export { getTradeStory } from './story.ts'
