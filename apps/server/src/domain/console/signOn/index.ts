export { addSignOnProvider, explainSignOn, listSignOnProviders, removeSignOnProvider } from './manageProviders.ts'
export { allowPasswordSignIn } from './passwordSignIn.ts'
export { completeSignOn, getSignOn, startSignOn } from './signOn.ts'
export { explainSuspensions, restoreAccount, revokeSuspended } from './suspension.ts'
