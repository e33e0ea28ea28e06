export {
  appOfProviderAccount,
  createProviderAccount,
  listProviderAccounts,
  testProviderAccount,
  updateProviderAccount,
} from './accounts.ts'
export { claimTrial, noteAnswer, noteFailure } from './circuitBreaker.ts'
export { findProviderAccount, providerOfAttempt } from './findAccount.ts'
export { type Way, waysToPay } from './paymentRoutes.ts'
export { getRouting, setRouting } from './routingRules.ts'
