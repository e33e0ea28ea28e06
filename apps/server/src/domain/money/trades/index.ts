export { createTrade } from './create.ts'
export { describeStatus } from './describeStatus.ts'
export {
  findMerchant,
  findNotifyUrl,
  getTrade,
  getTradeOfPayer,
  showTrade,
  toTradeDetail,
  tradeDetail,
} from './detail.ts'
export { expireIfDue, expireLockedIfDue, expireTrades } from './expire.ts'
export { decide, paymentFailCode, type Trigger, transactionFailed, withdrawalTriggers } from './machine.ts'
export { tradeNotFound } from './notFound.ts'
export { checkNotifyUrl } from './notifyUrl.ts'
export { appOfTrade, searchTrades, tradeTotals } from './search.ts'
export {
  existsEvent,
  findTrade,
  findTradeByTradeNo,
  insertEvent,
  listEvents,
  lockTrade,
  type Trade,
  type TradeKey,
  updateTrade,
} from './store.ts'
export { addUpTrades, sumSales } from './sums.ts'
export { announceTrade, applyTransition } from './transition.ts'
