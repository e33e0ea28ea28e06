import { requiredConsent, type Scope, scopes } from '@souk/contract'

/** Parses a comma-separated list, validated by the surface, into distinct scopes in the order of the contract. */
export function parseScopes(list: string): Scope[] {
  const requested = new Set(list.split(','))
  return scopes.filter((scope) => requested.has(scope))
}

/** Returns the consent that the scopes require, which is what `consents` stores. */
export function consentFor(requested: readonly Scope[]): Scope[] {
  return [...new Set(requested.map((scope) => requiredConsent[scope]))]
}

/** Returns the scopes that need no further consent. */
export function scopesCoveredBy(consent: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => consent.includes(requiredConsent[scope]))
}
