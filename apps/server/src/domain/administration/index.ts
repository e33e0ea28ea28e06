export { createPasswordReset, resetPassword, showPasswordReset, updateAccount } from './accounts.ts'
export { approveChange, rejectChange } from './approvals.ts'
