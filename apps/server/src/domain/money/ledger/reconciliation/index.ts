export { compareDay } from './compareDay.ts'
export {
  appOfReconciliation,
  getReconciliation,
  recompareDay,
  reconcileDay,
  reconcileDays,
  searchReconciliations,
} from './days.ts'
