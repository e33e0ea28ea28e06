export { findProcessorAccount, providerOfAttempt } from './accountOf.ts'
export {
  appOfProcessorAccount,
  createProcessorAccount,
  listProcessorAccounts,
  listShadowAnswers,
  testProcessorAccount,
  updateProcessorAccount,
} from './accounts.ts'
export { claimTrial, noteAnswer, noteFailure } from './circuit.ts'
export { getRouting, setRouting } from './rules.ts'
export { type Way, waysToPay } from './waysToPay.ts'
