export { listChangeRequests, withdrawPublication } from './changeRequests.ts'
export { closeChange, isApprovedAtOnce, requestChange } from './changes.ts'
export {
  type Change,
  findChange,
  findPendingChange,
  listChangesById,
  listOpenChanges,
  listPendingChanges,
  lockChange,
  type StoredChange,
} from './store.ts'
