export {
  deliverCallback,
  deliverDueCallbacks,
  listCallbacks,
  replayCallback,
  reportForwarded,
  type SendCallback,
  type SignedCallback,
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
