export { createAccount } from './createAccount.ts'
export { disable, enable } from './enableAccount.ts'
export { newPasswordReset, passwordResetOf, replacePassword } from './passwordReset.ts'
export { hashPassword } from './passwords.ts'
export { accountOfToken, changePassword, createToken, listAccounts, updateProfile } from './profile.ts'
export { pruneAccounts } from './pruneAccounts.ts'
export {
  accountBySession,
  type BegunSession,
  beginSession,
  csrfTokenOf,
  getSession,
  signInAccount,
  signOutAccount,
} from './sessions.ts'
export { allowSetup, getSetup, setUp } from './setup.ts'
export { holdAccount } from './store.ts'
export { whoAmI } from './whoAmI.ts'
