import { type hostOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { deleteGrants, insertGrants, listGrantedNames, listHostFunctionRows, listUndeclared } from './store.ts'

type Operation = typeof hostOperations.listFunctionsOfHost

/** Lists the declared functions for a host that shows a mini app, and whether the mini app may call each. */
export async function listFunctionsOfHost(
  context: Context,
  _caller: HostUserCaller,
  { appid }: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const [functions, granted] = await Promise.all([
    listHostFunctionRows(context.sql),
    listGrantedNames(context.sql, appid),
  ])
  return functions.map(({ ctime: _, ...declared }) => ({ ...declared, isGranted: granted.includes(declared.name) }))
}

/**
 * Grants what a reviewer has chosen of the functions that a release asks for, and takes the others of them from the
 * mini app. Those that the release does not ask for stay as they are: the published release may call them.
 * @throws SoukError `parameter_invalid` for a function that the release does not ask for, or that was removed
 */
export async function grantHostFunctions(
  context: Context,
  tx: Tx,
  { appid, requested, chosen }: { appid: string; requested: readonly string[]; chosen: readonly string[] },
): Promise<void> {
  const other = chosen.find((name) => !requested.includes(name))
  if (other !== undefined) throw invalid(`hostFunctions: the release does not ask for ${other}.`)
  const [removed] = await listUndeclared(tx, chosen)
  if (removed !== undefined) throw invalid(`hostFunctions: there is no function ${removed} of the host.`)
  const refused = requested.filter((name) => !chosen.includes(name))
  if (refused.length > 0) await deleteGrants(tx, appid, refused)
  if (chosen.length > 0) await insertGrants(tx, appid, chosen, context.clock.real())
}

const invalid = (text: string) => new SoukError('parameter_invalid', text, { data: { parameters: ['hostFunctions'] } })
