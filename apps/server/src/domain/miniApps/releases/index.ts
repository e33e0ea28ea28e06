export {
  listCanaries,
  pauseCanary,
  resumeCanary,
  rollBackCanary,
  startCanary,
  watchCanaries,
  widenCanary,
} from './canary/canary.ts'
export { openMiniApp, reportOpening } from './canary/openings.ts'
export { MiniAppCatalogue } from './catalogue.ts'
export { deleteRelease, deleteReleases } from './deleteRelease.ts'
export { listMiniApps } from './listMiniApps.ts'
export { listReleases } from './listReleases.ts'
export { getReleaseNote } from './notes.ts'
export { contentSecurityPolicy, documentVersion, localPagePolicy, permissionsPolicy } from './policy.ts'
export {
  leaveReview,
  publishApproved,
  publishRelease,
  publishScheduledReleases,
  returnToDevelopment,
  rollBack,
  setReleaseStage,
} from './publish.ts'
export { type ReleaseFile, readReleaseFile } from './readFile.ts'
export { createPreview, getPreview } from './review/preview.ts'
export { listQueueRows } from './review/queue.store.ts'
export { listReviewQueue } from './review/queue.ts'
export {
  approveRelease,
  getReview,
  listReviews,
  rejectRelease,
  startReview,
  submitRelease,
  withdrawRelease,
} from './review/reviewRelease.ts'
export { approveSigningKey, listSigningKeys, registerSigningKey, revokeSigningKey } from './signingKeys.ts'
export { type MappedScript, readMappedScripts, uploadSourceMaps } from './sourceMaps.ts'
export { existsSourceMap, listScriptHashes } from './store.ts'
export { applyTesters, filterReachable, listTesters, setTesters } from './testers.ts'
export { uploadRelease } from './uploadRelease.ts'
