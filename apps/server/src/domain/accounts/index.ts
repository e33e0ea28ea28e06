export { createAccount } from './createAccount.ts'
export { disableAccount, enableAccount } from './enableAccount.ts'
export { deviceLifetime, rememberDevice } from './knownDevices.ts'
export { findPasswordResetByToken, issuePasswordReset, replacePassword } from './passwordReset.ts'
export { hashNewPassword } from './passwords.ts'
export { accountByToken, changePassword, createToken, listAccounts, updateProfile } from './profile.ts'
export { allowProjects, mayCreateProjects } from './projectCreation.ts'
export { pruneAccounts } from './pruneAccounts.ts'
export { endOtherSessions, endSession, endSessionsOf, listSessions } from './sessionList.ts'
export {
  accountBySession,
  csrfTokenOf,
  getSession,
  type StartedSession,
  signInAccount,
  signOutAccount,
  startSession,
} from './sessions.ts'
export { allowSetup, getSetup, setUp } from './setup.ts'
export { hasOtherAdministrator, lockAccount } from './store.ts'
export { whoAmI } from './whoAmI.ts'
