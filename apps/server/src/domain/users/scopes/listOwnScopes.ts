import type { hostOperations, ResultOf } from '@souk/contract'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { findUserAttributes, listUserScopeRows } from './store.ts'

type Operation = typeof hostOperations.listOwnScopes

/** Lists the scopes that the operator has defined, with the values of the user that mini apps get. */
export async function listOwnScopes(context: Context, caller: HostUserCaller): Promise<ResultOf<Operation>> {
  const scopes = await listUserScopeRows(context.sql)
  if (scopes.length === 0) return []
  const attributes = await findUserAttributes(context.sql, caller.uid)
  return scopes.map(({ scope, titles, fields, requiresConsent }) => ({
    scope,
    titles,
    requiresConsent,
    values: fields.flatMap(({ claim }) => attributes.get(claim) ?? []),
  }))
}
