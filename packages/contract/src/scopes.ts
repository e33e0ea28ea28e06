/** Scopes that every installation has. openId and unionId need no scope. */
export const builtInScopes = ['user.info', 'user.phone', 'user.email'] as const
export type BuiltInScope = (typeof builtInScopes)[number]
/** A built-in scope, or one that the operator defines. */
export type Scope = BuiltInScope | `user.${string}`

/**
 * The scope to which a user must consent before a mini app can read everything that a scope covers. Nickname and
 * picture need no consent, so that user.info asks for the e-mail address only (open-api §2.4).
 */
export const requiredConsent = {
  'user.info': 'user.email',
  'user.phone': 'user.phone',
  'user.email': 'user.email',
} as const satisfies Record<BuiltInScope, BuiltInScope>

/** The name of a scope: a built-in one, or one that the operator defines. At most 32 characters. */
export const scopePattern = /^user\.[a-z][a-z0-9]{0,26}$/
/** A comma-separated list of scopes. */
export const scopeListPattern = /^user\.[a-z][a-z0-9]{0,26}(,user\.[a-z][a-z0-9]{0,26})*$/
export const scopeListLength = 1024
