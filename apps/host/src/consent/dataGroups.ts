import { type BuiltInScope, requiredConsent } from '@souk/contract'

/** Data of a user that a mini app gets together: name, picture and id without asking, the others after consent. */
export const dataGroups = ['info', 'email', 'phone'] as const
export type DataGroup = (typeof dataGroups)[number]

/** Returns what the scopes of `neu.getAuthCode()` need consent for (open-api §2.4). */
export function groupsOf(scopes: readonly string[]): DataGroup[] {
  const needed = new Set(scopes.map((scope) => requiredConsent[scope as BuiltInScope]))
  return dataGroups.filter((group) => group !== 'info' && needed.has(`user.${group}`))
}
