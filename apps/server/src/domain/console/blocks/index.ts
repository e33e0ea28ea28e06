export {
  appealBlock,
  auditBlock,
  findAppealed,
  getBlock,
  keepBlock,
  listAllBlocks,
  listBlocks,
} from './appeals.ts'
export { addedParts, type Part } from './parts.ts'
export { blocked, liftState, recordBlock, requireLiftable, sideOf } from './states.ts'
export {
  deleteBlocksOfUser,
  existsBlockOf,
  findBlock,
  findBlockedCopy,
  listBlockedSubjects,
  listBlocksById,
  lockBlock,
  type StoredBlock,
} from './store.ts'
