export { findProviderAccount, providerOfAttempt } from './accountOf.ts'
export {
  appOfProviderAccount,
  createProviderAccount,
  listProviderAccounts,
  testProviderAccount,
  updateProviderAccount,
} from './accounts.ts'
export { claimTrial, noteAnswer, noteFailure } from './circuit.ts'
export { getRouting, setRouting } from './rules.ts'
export { type Way, waysToPay } from './waysToPay.ts'
