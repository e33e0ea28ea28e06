export { audit } from './audit.ts'
export { listAudit } from './listAudit.ts'
