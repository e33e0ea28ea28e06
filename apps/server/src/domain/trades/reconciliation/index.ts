export { compareDay } from './compare.ts'
export {
  appOfReconciliation,
  compareAgain,
  getReconciliation,
  reconcileDay,
  reconcileDays,
  searchReconciliations,
} from './days.ts'
