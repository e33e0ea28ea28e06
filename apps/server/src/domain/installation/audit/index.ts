export { audit } from './audit.ts'
export { exportAudit } from './exportAudit.ts'
export { listAudit } from './listAudit.ts'
export { logAuditHead } from './logAuditHead.ts'
