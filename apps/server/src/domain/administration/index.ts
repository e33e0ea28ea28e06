export { createPasswordReset, resetPassword, showPasswordReset, updateAccount } from './accounts.ts'
