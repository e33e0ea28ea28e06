export { archiveApp, restoreApp, restoreInTransaction } from './archiveApp.ts'
export { archiveProject, restoreProject, restoreProjectInTransaction } from './archiveProject.ts'
export { createApp } from './createApp.ts'
export { AppDirectory } from './directory.ts'
export { ensureMerchant } from './ensureMerchant.ts'
export { findOpenIds } from './findOpenIds.ts'
export {
  appidsEverOf,
  appidsOf,
  appidsWhere,
  findApprovedDomains,
  findRecord,
  getApp,
  listApps,
  listEnabledApps,
  listSecrets,
} from './listApps.ts'
export { requireNotArchived } from './requireNotArchived.ts'
export { rotateSecret } from './rotateSecret.ts'
export {
  existsAnyApp,
  findPublicationApproval,
  listAppNames,
  lockApp,
  lockArchive,
  onlyTesters,
  updatePublicationApproval,
} from './store.ts'
export { applySettings, enableInTransaction, updateApp } from './updateApp.ts'
