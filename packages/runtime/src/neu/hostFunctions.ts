import { findMismatch } from '@souk/contract/hostFunctions'
import { currentCarrier } from '../carriers/current.ts'
import { ApiError } from './api.ts'
import { loadHostFunctions } from './hostFunctionSchemas.ts'
import { jsonOf } from './jsonOf.ts'

/**
 * Calls a function of the application around the mini app. The host checks input and result, too: it does not trust the
 * mini app, nor the mini app a host with another declaration.
 * @throws ApiError with `failure` for a failure that the operator has declared
 */
export async function callHostFunction(name: string, input: object = {}): Promise<unknown> {
  const failed = (reason: string, details?: object) => new ApiError(`host.${name}:fail ${reason}`, details)
  const functions = await loadHostFunctions()
  const schemas = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (!schemas) throw failed('it is not in host-functions.json')
  const given = jsonOf(input, 'input')
  const mismatch = findMismatch(schemas.input, JSON.parse(given), 'input')
  if (mismatch !== undefined) throw failed(mismatch)
  const { result = null, failure } = await currentCarrier()
    .call('callHostFunction', { name, input: given })
    .catch(({ errMsg }: ApiError) => {
      throw failed(errMsg.replace(/^\w+:fail ?/, ''))
    })
  if (failure !== undefined) throw failed(failure, { failure })
  const wrong = findMismatch(schemas.result, result, 'result')
  if (wrong !== undefined) throw failed(wrong)
  return result
}
