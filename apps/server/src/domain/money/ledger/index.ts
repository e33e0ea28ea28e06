export { listEntries } from './ledger.store.ts'
export { addUpLedger, ledgerBalances } from './ledgerBalances.ts'
export { processWebhook } from './processWebhook.ts'
export {
  appOfReconciliation,
  compareDay,
  getReconciliation,
  reconcileDay,
  reconcileDays,
  searchReconciliations,
} from './reconciliation/index.ts'
export { ledger } from './recordPayments.ts'
export { refundDetail } from './refundDetail.ts'
export { listRefunds } from './refunds.store.ts'
export { refundTrade, searchRefunds } from './refunds.ts'
export { toRefundView } from './refundView.ts'
export { requestRefund } from './requestRefund.ts'
export { returnMoney, returnOwedMoney } from './returnMoney.ts'
