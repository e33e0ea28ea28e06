export { archiveMonth, archiveOldMonths, restoreMonth, verifyArchives } from './archiveMonths.ts'
export { type Archive, findArchive, listArchives } from './store.ts'
