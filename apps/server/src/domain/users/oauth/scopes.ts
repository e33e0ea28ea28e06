import { type BuiltInScope, builtInScopes, requiredConsent, SoukError } from '@souk/contract'
import type { UserScope } from '../scopes/index.ts'

const isBuiltIn = (scope: string): scope is BuiltInScope => Object.hasOwn(requiredConsent, scope)

/** Parses a comma-separated list, validated by the surface, into distinct scopes: the built-in ones, then by name. */
export function parseScopes(list: string): string[] {
  const requested = new Set(list.split(','))
  const others = [...requested].filter((scope) => !isBuiltIn(scope))
  return [...builtInScopes.filter((scope) => requested.has(scope)), ...others.sort()]
}

/** Returns those of the scopes that the installation knows. @throws SoukError `scope_not_granted` if it knows none */
export function knownScopes(requested: readonly string[], defined: readonly UserScope[]): string[] {
  const names = [...builtInScopes, ...defined.map(({ scope }) => scope)]
  const known = requested.filter((scope) => names.includes(scope))
  if (known.length > 0) return known
  throw new SoukError(
    'scope_not_granted',
    `This installation has the scopes ${names.join(',')}, but ${requested.join(',')} was requested.`,
  )
}

/** Returns the consent that a scope requires; undefined for one that users are not asked for. */
function consentOf(scope: string, defined: readonly UserScope[]): string | undefined {
  if (isBuiltIn(scope)) return requiredConsent[scope]
  return defined.find((each) => each.scope === scope)?.requiresConsent === false ? undefined : scope
}

/** Returns the consent that the scopes require, which is what `consents` stores. */
export function consentFor(requested: readonly string[], defined: readonly UserScope[]): string[] {
  return [...new Set(requested.flatMap((scope) => consentOf(scope, defined) ?? []))]
}

/** Returns the scopes that need no further consent. */
export function scopesCoveredBy(consent: readonly string[], defined: readonly UserScope[]): string[] {
  return [...builtInScopes, ...defined.map(({ scope }) => scope)].filter((scope) => {
    const required = consentOf(scope, defined)
    return required === undefined || consent.includes(required)
  })
}
