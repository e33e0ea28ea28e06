export { archiveOldTrades, archiveTrades, restoreTrades, verifyArchives } from './archiveTrades.ts'
export { type Archive, findArchiveOfTrades, listArchives } from './store.ts'
