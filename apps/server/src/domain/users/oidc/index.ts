export {
  type Authorized,
  type Client,
  completeAuthorization,
  defaultScopes,
  flowLifetime,
  providerOfFlow,
  signOutUrl,
  startAuthorization,
} from './authorization.ts'
export { algorithmsOf, explainKeys } from './keys.ts'
export { forgetProvider, type Provider } from './provider.ts'
export { checkIssuerText, requireIssuer } from './requireIssuer.ts'
export { insertTokenId } from './usedTokens.store.ts'
export { decodeToken, isStorable, type VerifiedJwt, verifyJwt } from './verifyJwt.ts'
