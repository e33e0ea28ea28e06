import { type BuiltInScope, requiredConsent } from '@souk/contract'
import type { Result } from '../api/client.ts'
import { locale, useCommon } from '../i18n/index.ts'

/** A scope that the operator has defined, with the values of the user. */
export type OwnScope = Result<'listOwnScopes'>[number]

/**
 * Data of a user that a mini app gets together: name, picture and id without asking, e-mail address and phone number
 * after consent, and what the scopes of the operator reveal, by their names.
 */
const builtInGroups = ['info', 'email', 'phone'] as const
export type BuiltInGroup = (typeof builtInGroups)[number]
export type DataGroup = string

export const isBuiltInGroup = (group: DataGroup): group is BuiltInGroup =>
  (builtInGroups as readonly string[]).includes(group)

/** Returns the groups that scopes of `neu.getAuthCode()` reveal besides `info` (open-api §2.4). */
export function groupsOf(scopes: readonly string[]): DataGroup[] {
  const needed = new Set(scopes.map((scope) => (isBuiltIn(scope) ? requiredConsent[scope] : scope)))
  const groups = builtInGroups.filter((group) => group !== 'info' && needed.has(`user.${group}`))
  return [...groups, ...[...needed].filter((scope) => !isBuiltIn(scope))]
}

/** Returns the groups that every mini app gets without asking. */
export function groupsWithoutConsent(defined: readonly OwnScope[]): DataGroup[] {
  return ['info', ...defined.filter(({ requiresConsent }) => !requiresConsent).map(({ scope }) => scope)]
}

const isBuiltIn = (scope: string): scope is BuiltInScope => Object.hasOwn(requiredConsent, scope)

/** Returns those of the scopes that this installation has. */
export function knownScopes(scopes: readonly string[], defined: readonly OwnScope[]): string[] {
  return scopes.filter((scope) => isBuiltIn(scope) || defined.some((each) => each.scope === scope))
}

/** Returns a function that names a group in the user's language. */
export function useGroupTitles(): (group: DataGroup, defined: readonly OwnScope[]) => string {
  const t = useCommon()
  return (group, defined) => {
    if (isBuiltInGroup(group)) return t(`scopes.${group}`)
    const titles = defined.find(({ scope }) => scope === group)?.titles
    return titles?.[locale.value === 'zh-CN' ? 'zh-Hans' : (locale.value as 'en' | 'ar')] ?? group
  }
}
