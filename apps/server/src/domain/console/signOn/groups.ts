import type { SignOnProvider } from './store.ts'

/** The groups of an account as the claims of its provider say. */
export type ReadGroups =
  | { kind: 'list'; groups: readonly string[] }
  /** The claim is absent, which can mean that there are none, or that the provider does not send it anymore. */
  | { kind: 'missing' }
  /** The claim has a form that is not understood, or says that the groups are elsewhere. `found` says which. */
  | { kind: 'unreadable'; found: string }

type Claims = Readonly<Record<string, unknown>>

/**
 * Reads the groups of an account. A value is understood only if no other reading of it contains a mapped group: a text
 * that is a list in itself, or a path whose last part has the name of a mapped group, is not. `found` contains types
 * and positions, but no values, because group names can be personal data.
 */
export function readGroups(
  claims: Claims,
  { groupsClaim, roles }: Pick<SignOnProvider, 'groupsClaim' | 'roles'>,
): ReadGroups {
  const mapped = new Set(roles.map(({ group }) => group))
  const claim = Object.hasOwn(claims, groupsClaim) ? claims[groupsClaim] : undefined
  const elsewhere = findElsewhere(claims, groupsClaim, claim)
  if (elsewhere !== undefined) return unreadable(elsewhere)
  // Claims without a value are omitted, or null or empty (OpenID Connect Core).
  if (claim === undefined || claim === null || claim === '') return { kind: 'missing' }
  if (typeof claim === 'string') {
    if (mapped.has(claim)) return { kind: 'list', groups: [claim] }
    return explainText(claim, mapped) ?? asList([claim], mapped)
  }
  if (!Array.isArray(claim)) return unreadable(typeNameOf(claim))
  return asList(claim, mapped)
}

/** Returns where the groups are instead, or undefined if the claims do not say so. */
function findElsewhere(claims: Claims, groupsClaim: string, claim: unknown): string | undefined {
  const { _claim_names: names, hasgroups } = claims
  if (names !== undefined && names !== null) {
    // OpenID Connect Core, distributed claims: the members are the claims that are elsewhere.
    if (typeof names !== 'object') return `_claim_names, which is ${typeNameOf(names)}`
    if (Object.hasOwn(names, groupsClaim)) return `a reference to another source (_claim_names)`
  }
  // Microsoft Entra ID instead of groups, where a token would become too long.
  const hasGroups = hasgroups !== undefined && hasgroups !== null && String(hasgroups) !== 'false'
  if (hasGroups && !(Array.isArray(claim) && claim.length > 0)) return 'hasgroups instead of the groups'
  return undefined
}

function asList(values: readonly unknown[], mapped: ReadonlySet<string>): ReadGroups {
  for (const [index, value] of values.entries()) {
    const position = values.length > 1 ? `, at position ${index + 1} of ${values.length}` : ''
    if (typeof value !== 'string' || value === '') return unreadable(`a list with ${typeNameOf(value)}${position}`)
    const problem = mapped.has(value) ? undefined : explainAmbiguity(value, mapped)
    if (problem !== undefined) return unreadable(`a list with ${problem}${position}`)
  }
  return { kind: 'list', groups: (values as string[]).flatMap(namesOf) }
}

/** Refuses a single text that could be a list. Texts without separators are a list of one group. */
function explainText(text: string, mapped: ReadonlySet<string>): ReadGroups | undefined {
  if (/^\s*[[{"]/.test(text)) return unreadable('a text that contains JSON')
  if (/[,;|\n]/.test(text)) return unreadable('a text with separators')
  if (text.split(/\s+/).some((part) => mapped.has(part))) return unreadable('a text with several words')
  return undefined
}

/** Returns what a value could be besides a group that has no role, or undefined. */
function explainAmbiguity(value: string, mapped: ReadonlySet<string>): string | undefined {
  if (/^\s*[[{]/.test(value)) return 'a text that contains JSON'
  if (value.split(/[,;|\n]/).some((part) => value !== part && mapped.has(part.trim()))) return 'a text with separators'
  const path = /^\/.*\/([^/]+)$/.exec(value)
  // /tea is the group tea; /other/tea can be another one.
  return path && mapped.has(path[1]!) ? 'a path; give the role to the full path of the group instead' : undefined
}

/** Returns the names that a group can be mapped by: Keycloak sends /tea for tea if its mapper sends full paths. */
function namesOf(group: string): string[] {
  return /^\/[^/]+$/.test(group) ? [group, group.slice(1)] : [group]
}

function typeNameOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === '') return 'an empty text'
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string') ? 'a list of texts' : 'a list'
  return (
    { object: 'an object', string: 'a text', number: 'a number', boolean: `a boolean` }[typeof value as string] ??
    typeof value
  )
}

const unreadable = (found: string): ReadGroups => ({ kind: 'unreadable', found })
