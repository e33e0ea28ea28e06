export { compareDay } from './compareDay.ts'
export {
  appOfReconciliation,
  compareAgain,
  getReconciliation,
  reconcileDay,
  reconcileDays,
  searchReconciliations,
} from './days.ts'
