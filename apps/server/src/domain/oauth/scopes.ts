import { type Scope, scopes } from '@souk/contract'

/** Parses a comma-separated list, validated by the surface, into distinct scopes in the order of the contract. */
export function parseScopes(list: string): Scope[] {
  const requested = new Set(list.split(','))
  return scopes.filter((scope) => requested.has(scope))
}
