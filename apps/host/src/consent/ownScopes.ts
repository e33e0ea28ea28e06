import { call } from '../api/client.ts'
import type { OwnScope } from './dataGroups.ts'

/** Reads something together with the scopes that the operator has defined. */
export async function withOwnScopes<T>(
  reading: Promise<T>,
  signal?: AbortSignal,
): Promise<{ read: T; defined: OwnScope[] }> {
  const [read, defined] = await Promise.all([reading, call('listOwnScopes', {}, signal)])
  return { read, defined }
}
