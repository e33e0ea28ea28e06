export { listChangeRequests, withdrawChange, withdrawPublication } from './changeRequests.ts'
export { closeChange, isApprovedAtOnce, requestChange } from './changes.ts'
export {
  type Change,
  findChange,
  findPendingChange,
  listOpenChanges,
  listPendingChanges,
  lockChange,
  type StoredChange,
} from './store.ts'
