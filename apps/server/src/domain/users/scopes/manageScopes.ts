import { builtInScopes, type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import {
  deleteUserScope,
  listUserScopeRows,
  lockScopeChanges,
  type UserScope,
  updateConsentsWithout,
  upsertUserScope,
} from './store.ts'

type Operations = typeof consoleOperations
type Definition = ParametersOf<Operations['putUserScope']>

const maxScopes = 20

/** Lists the scopes that the operator has defined, by name. */
export async function listUserScopes(context: Context): Promise<ResultOf<Operations['listUserScopes']>> {
  return listUserScopeRows(context.sql)
}

/**
 * Defines a scope, or replaces its definition. Users who have consented to it are asked again if it reveals more.
 * @throws SoukError `parameter_invalid`, `user_scope_limit_reached`
 */
export async function putUserScope(
  context: Context,
  caller: ConsoleCaller,
  input: Definition,
): Promise<ResultOf<Operations['putUserScope']>> {
  const { scope, titles, fields, requiresConsent } = input
  return context.sql.begin(async (tx) => {
    await lockScopeChanges(tx)
    const existing = await listUserScopeRows(tx)
    checkDefinition(input, existing)
    const previous = existing.find((each) => each.scope === scope)
    if (!previous && existing.length >= maxScopes) {
      throw new SoukError('user_scope_limit_reached', `Remove one first: there can be ${maxScopes}.`)
    }
    const defined = { scope, titles, fields, requiresConsent, ctime: previous?.ctime ?? context.clock.real() }
    await upsertUserScope(tx, defined)
    if (previous && !fields.every((field) => hasField(previous, field))) await updateConsentsWithout(tx, scope)
    await audit(context, tx, caller, {
      action: 'userScope.put',
      subject: scope,
      detail: { titles, fields, requiresConsent },
    })
    return defined
  })
}

/**
 * Removes a scope. Its fields can no longer be read, and a scope of this name that is defined later needs new consents.
 * @throws SoukError `user_scope_not_found`
 */
export async function removeUserScope(
  context: Context,
  caller: ConsoleCaller,
  { scope }: ParametersOf<Operations['removeUserScope']>,
): Promise<ResultOf<Operations['removeUserScope']>> {
  await context.sql.begin(async (tx) => {
    await lockScopeChanges(tx)
    if (!(await deleteUserScope(tx, scope))) {
      throw new SoukError('user_scope_not_found', 'souk scopes list shows the scopes.')
    }
    await updateConsentsWithout(tx, scope)
    await audit(context, tx, caller, { action: 'userScope.remove', subject: scope })
  })
  return true
}

const hasField = ({ fields }: UserScope, { name, claim }: UserScope['fields'][number]) =>
  fields.some((each) => each.name === name && each.claim === claim)

/** Checks that the name is free, and that a field has one claim in all scopes. */
function checkDefinition({ scope, fields }: Definition, existing: readonly UserScope[]): void {
  const invalid = (parameter: string, text: string) =>
    new SoukError('parameter_invalid', text, { data: { parameters: [parameter] } })
  if ((builtInScopes as readonly string[]).includes(scope)) throw invalid('scope', `scope: ${scope} is built in.`)
  const names = fields.map(({ name }) => name)
  if (new Set(names).size < names.length) throw invalid('fields', 'fields must have different names.')
  for (const other of existing) {
    if (other.scope === scope) continue
    const clash = other.fields.find(({ name, claim }) =>
      fields.some((field) => field.name === name && field.claim !== claim),
    )
    if (clash) {
      throw invalid(
        'fields',
        `fields: in ${other.scope}, ${clash.name} has the claim ${clash.claim}. Use the same one.`,
      )
    }
  }
}
