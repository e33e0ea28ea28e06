export { createPasswordReset, resetPassword, sendPasswordReset, showPasswordReset, updateAccount } from './accounts.ts'
export { approveChange, rejectChange } from './approvals.ts'
export { setUp } from './setUp.ts'
export { listVersions } from './versions.ts'
