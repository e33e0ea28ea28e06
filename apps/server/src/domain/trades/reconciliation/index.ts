export { compareDay } from './compare.ts'
export { appOfReconciliation, getReconciliation, reconcileDay, reconcileDays, searchReconciliations } from './days.ts'
