export {
  appOfProviderAccount,
  createProviderAccount,
  enableProviderAccount,
  listProviderAccounts,
  testProviderAccount,
  updateProviderAccount,
} from './accounts.ts'
export { claimTrial, recordFailure, recordSuccess } from './circuitBreaker.ts'
export { findProviderAccount, providerOfAttempt } from './findAccount.ts'
export { findPaymentRoutes, type PaymentRoute } from './paymentRoutes.ts'
export { getRouting, setRouting } from './routingRules.ts'
