export * from './accountRules.ts'
export * from './alerts.ts'
export * from './analytics.ts'
export { appidPattern } from './appid.ts'
export * from './audit.ts'
export * from './calendar.ts'
export * from './callback.ts'
export * from './canary.ts'
export * from './console/index.ts'
export * from './csv.ts'
export { isListed } from './domainRules.ts'
export * from './domains.ts'
export * from './errors.ts'
export * from './events.ts'
export * from './feedback.ts'
export {
  accessTokenType,
  analyticsHostOperations,
  hostOperations,
  logoutEvent,
  logoutOperations,
  refreshTokenGrant,
  signInOperations,
  tokenExchangeGrant,
  tokenOperations,
} from './host/index.ts'
export * from './inspections.ts'
export * from './listing.ts'
export { isLocalLink, type LinkTarget, miniAppLink } from './miniAppLink.ts'
export * from './open/ambiguity.ts'
export * from './open/diagnose.ts'
export * from './open/envelope.ts'
export { maxFileSize } from './open/files.ts'
export { openOperations } from './open/index.ts'
export { validityTimeRule } from './open/messages.ts'
export { mostRecipients } from './open/openIds.ts'
export * from './open/parameters.ts'
export * from './open/sign.ts'
export { errorsOf, openapi, operations } from './openapi.ts'
export * from './operation.ts'
export { opsOperations } from './ops/index.ts'
export { webViewPage, webViewUrl, withoutLeadingSlash } from './pagePath.ts'
export * from './platform/index.ts'
export * from './providers.ts'
export * from './release.ts'
export * from './review.ts'
export * from './roles.ts'
export * from './runtimeVersion.ts'
export * from './sandbox.ts'
export { type Language, languages, languageTagPattern, requiredConsent, type Scope, scopes } from './schemas.ts'
export { type ServiceScope, scopesOf, scopesWith, serviceScopes } from './serviceScopes.ts'
export * from './states.ts'
export * from './time.ts'
export * from './trade.ts'
