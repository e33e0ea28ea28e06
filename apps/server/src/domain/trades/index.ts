export { createTrade } from './create.ts'
export { stateOf } from './describeStatus.ts'
export { getTrade, merchantOf, present, showTrade, tradeDetail, tradeOfPayer } from './detail.ts'
export { asOfNow, expireLocked, expireTrades } from './expire.ts'
export { decide, refusalOfPayment, type Trigger, transactionFailed, triggerOfEnd } from './machine.ts'
export { appOfTrade, searchTrades, tradeTotals } from './search.ts'
export {
  findTrade,
  findTradeOfAnyApp,
  hasEvent,
  insertEvent,
  listEvents,
  lockTrade,
  type Trade,
  type TradeKey,
  updateTrade,
} from './store.ts'
export { announceTrade, moveTrade } from './transition.ts'
