import type { Operation } from './operation.ts'
import type { Action } from './roles.ts'

/**
 * Scopes of service accounts and the actions that each includes, the only such table. What a scope permits follows from
 * the `access` of the operations. Managing projects, secrets, money and provider accounts is not for programs.
 */
const actionsByScope = {
  /** Read the project, its members and what other scopes permit to search. */
  'projects:read': ['project.read'],
  'apps:read': ['app.read'],
  'releases:read': ['release.read'],
  /** Upload, submit for review and delete releases; choose testers. */
  'releases:write': ['release.read', 'release.upload'],
  /** Publish and roll back releases. */
  'releases:publish': ['release.read', 'release.publish'],
  'trades:read': ['trade.read'],
  'callbacks:read': ['callback.read'],
  'callbacks:replay': ['callback.read', 'callback.replay'],
  'messages:read': ['message.read'],
  'requests:read': ['request.read'],
  'feedback:read': ['feedback.read'],
  /** Answer, close and reopen feedback of users. */
  'feedback:answer': ['feedback.read', 'feedback.answer'],
  'datasets:read': ['dataset.read'],
  /** Create datasets and append records. */
  'datasets:write': ['dataset.read', 'dataset.create', 'dataset.append'],
  'datasets:delete': ['dataset.read', 'dataset.delete'],
  'audit:read': ['audit.read'],
} as const satisfies Record<string, readonly Action[]>

export type ServiceScope = keyof typeof actionsByScope
export const serviceScopes = Object.keys(actionsByScope) as ServiceScope[]

/** Returns the scopes that include an action. */
export function scopesWith(action: Action): ServiceScope[] {
  return serviceScopes.filter((scope) => (actionsByScope[scope] as readonly Action[]).includes(action))
}

/**
 * Returns the scopes that allow a service account to call an operation (one is enough), or `any` if it needs none. An
 * empty list means that service accounts cannot call it.
 */
export function scopesOf({ access, stepUp, programs }: Operation): readonly ServiceScope[] | 'any' {
  if (programs === 'none') return []
  if (programs !== undefined) return programs === 'any' ? 'any' : scopesWith(programs)
  if (typeof access !== 'object' || access.by === 'anyProject' || access.by === 'accountId' || stepUp) return []
  return scopesWith(access.action)
}
