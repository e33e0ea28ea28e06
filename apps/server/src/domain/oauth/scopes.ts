import { type Scope, scopes } from '@souk/contract'

/** The scopes of a comma-separated list that the surface has checked, each once, in the order of the contract. */
export function parseScopes(list: string): Scope[] {
  const asked = new Set(list.split(','))
  return scopes.filter((scope) => asked.has(scope))
}
