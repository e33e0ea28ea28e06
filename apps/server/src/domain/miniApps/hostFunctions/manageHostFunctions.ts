import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { findDeclarationProblem } from '@souk/contract/hostFunctions'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { lockApp } from '../apps/index.ts'
import {
  deleteGrants,
  deleteHostFunction,
  listGrantRows,
  listHostFunctionRows,
  lockHostFunctions,
  upsertHostFunction,
} from './store.ts'

type Operations = typeof consoleOperations

const maxFunctions = 100
/** Maximum length of a declaration as JSON, in characters. */
const maxLength = 32_768

/** Lists the functions that the operator has declared, by name. */
export async function listHostFunctions(context: Context): Promise<ResultOf<Operations['listHostFunctions']>> {
  return listHostFunctionRows(context.sql)
}

/**
 * Declares a function, or replaces its declaration.
 * @throws SoukError `parameter_invalid`, `host_function_limit_reached`
 */
export async function putHostFunction(
  context: Context,
  caller: ConsoleCaller,
  input: ParametersOf<Operations['putHostFunction']>,
): Promise<ResultOf<Operations['putHostFunction']>> {
  checkDeclaration(input)
  return context.sql.begin(async (tx) => {
    await lockHostFunctions(tx)
    const existing = await listHostFunctionRows(tx)
    const previous = existing.find(({ name }) => name === input.name)
    if (!previous && existing.length >= maxFunctions) {
      throw new SoukError('host_function_limit_reached', `Remove one first: there can be ${maxFunctions}.`)
    }
    const declared = { ...input, ctime: previous?.ctime ?? context.clock.real() }
    await upsertHostFunction(tx, declared)
    const { name, ...detail } = input
    await audit(context, tx, caller, { action: 'hostFunction.put', subject: name, detail })
    return declared
  })
}

/**
 * Removes a function with all grants.
 * @throws SoukError `host_function_not_found`
 */
export async function removeHostFunction(
  context: Context,
  caller: ConsoleCaller,
  { name }: ParametersOf<Operations['removeHostFunction']>,
): Promise<ResultOf<Operations['removeHostFunction']>> {
  await context.sql.begin(async (tx) => {
    await lockHostFunctions(tx)
    if (!(await deleteHostFunction(tx, name))) throw new SoukError('host_function_not_found')
    await audit(context, tx, caller, { action: 'hostFunction.remove', subject: name })
  })
  return true
}

/** Lists which mini apps may call which functions. */
export async function listHostFunctionGrants(
  context: Context,
): Promise<ResultOf<Operations['listHostFunctionGrants']>> {
  return listGrantRows(context.sql)
}

/**
 * Takes a function from a mini app.
 * @throws SoukError `app_not_found`, `host_function_not_found` if the mini app may not call it
 */
export async function revokeHostFunction(
  context: Context,
  caller: ConsoleCaller,
  { name, appid }: ParametersOf<Operations['revokeHostFunction']>,
): Promise<ResultOf<Operations['revokeHostFunction']>> {
  await context.sql.begin(async (tx) => {
    const projectId = await lockApp(tx, appid)
    if (projectId === undefined) throw new SoukError('app_not_found')
    if ((await deleteGrants(tx, appid, [name])) === 0) {
      throw new SoukError('host_function_not_found', 'The mini app may not call it.')
    }
    const detail = { name }
    await audit(context, tx, caller, { action: 'hostFunction.revoke', subject: appid, projectId, detail })
  })
  return true
}

function checkDeclaration(input: ParametersOf<Operations['putHostFunction']>): void {
  const problem =
    JSON.stringify(input).length > maxLength
      ? `input: the declaration must be at most ${maxLength} characters of JSON.`
      : findDeclarationProblem(input)
  if (problem === undefined) return
  const [parameter] = /^\w+/.exec(problem)!
  throw new SoukError('parameter_invalid', problem, { data: { parameters: [parameter] } })
}
