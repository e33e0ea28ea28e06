export { confirmSession, requireConfirmation, startConfirmation } from './confirmation.ts'
export { createAccount } from './createAccount.ts'
export { changeEmail, changeEmailOf, confirmEmail, getEmail } from './email.ts'
export { disableAccount, enableAccount, requireActive } from './enableAccount.ts'
export { getFactors, resetFactors } from './factors/factors.ts'
export { addPasskey, removePasskey, renamePasskey, startPasskey } from './factors/passkeys.ts'
export { createRecoveryCodes } from './factors/recoveryCodes.ts'
export { deleteFactors } from './factors/store.ts'
export { enableTotp, removeTotp, startTotp } from './factors/totp.ts'
export { recordFailedSignIn } from './failedSignIns.ts'
export { deviceLifetime, rememberDevice } from './knownDevices.ts'
export { passkeySignIn, startPasskeySignIn } from './passkeySignIn.ts'
export { findPasswordResetByToken, issuePasswordReset, replacePassword } from './passwordReset.ts'
export { hashNewPassword } from './passwords.ts'
export { accountByToken, changePassword, createToken, listAccounts, updateProfile } from './profile.ts'
export { allowProjects, mayCreateProjects } from './projectCreation.ts'
export { pruneAccounts } from './pruneAccounts.ts'
export { requestPasswordReset, sendRequestedReset, sendReset } from './requestPasswordReset.ts'
export { endOtherSessions, endSession, endSessionsOf, listSessions } from './sessionList.ts'
export {
  accountBySession,
  csrfTokenOf,
  getSession,
  requirePasswordSignIn,
  type StartedSession,
  signInAccount,
  signOutAccount,
  startSession,
} from './sessions.ts'
export { allowSetup, closeSetup, getSetup, requireSetupToken } from './setup.ts'
export {
  countSuspended,
  deleteCredentials,
  deleteSetupTokens,
  existsOtherAdministrator,
  existsSignOnProvider,
  findAccount,
  findAdministratorName,
  findPasswordSignIn,
  type LockedAccount,
  listEndedSuspensions,
  lockAccount,
  lockAdministrators,
  lockSetup,
  type Suspension,
  updateSuspension,
} from './store.ts'
export { whoAmI } from './whoAmI.ts'
