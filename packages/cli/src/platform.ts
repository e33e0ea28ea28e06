import { AppendInterruptedError, SoukApiError, SoukConnectionError, SoukPlatform } from '@souk/sdk'
import type { Environment } from './environment.ts'
import { Failure, pageOfError, Unreachable } from './failure.ts'

/** Source of the API key. */
export interface KeyOptions {
  apiKeyStdin?: true
}

/**
 * Calls the platform data API with the token of a service account or the API key of an account, and converts errors to
 * failures.
 * @throws Failure 1 for an error of the server, 2 for a usage error; Unreachable if it is temporarily unreachable
 */
export async function withPlatform(
  environment: Environment,
  { apiKeyStdin }: KeyOptions,
  work: (platform: SoukPlatform) => Promise<undefined>,
): Promise<undefined> {
  const { token } = environment
  const apiKey = apiKeyStdin ? (await environment.readStdin()).trim() : environment.apiKey
  if (!apiKey && (!token || apiKeyStdin)) {
    throw new Failure(
      2,
      apiKeyStdin ? 'Standard input contains no API key.' : 'SOUK_API_KEY is not set.',
      'The console shows the key of your account under Profile, API Key Management. Alternatively use --api-key-stdin, or set SOUK_TOKEN to the token of a service account.',
    )
  }
  const usesToken = token !== undefined && !apiKeyStdin
  const secret = usesToken ? token : (apiKey as string)
  if (!/^[!-~]+$/.test(secret)) {
    const source = usesToken ? 'SOUK_TOKEN' : apiKeyStdin ? 'Standard input' : 'SOUK_API_KEY'
    throw new Failure(2, `${source} contains a space, a line break or another character that no key has.`)
  }
  const baseUrl = await environment.serverUrl()
  try {
    const credential = usesToken ? { token: secret } : { apiKey: secret }
    return await work(new SoukPlatform({ baseUrl, ...credential }))
  } catch (error) {
    throw asFailure(error, baseUrl)
  }
}

function asFailure(error: unknown, serverUrl: string): unknown {
  if (error instanceof AppendInterruptedError) {
    const failure = asFailure(error.cause, serverUrl)
    if (!(failure instanceof Failure)) return error
    const message = `The first ${error.appended} records were stored, then: ${failure.message}`
    return new Failure(failure.status, message, failure.advice, failure.refusal)
  }
  if (error instanceof SoukConnectionError) {
    return new Unreachable(`Souk cannot be reached at ${serverUrl}: ${error.message}`, 'Check SOUK_URL.')
  }
  if (error instanceof SoukApiError) {
    const { msg, code, requestId, status } = error
    const request = requestId ? `, request ${requestId}` : ''
    const message = `${msg}${code ? ` (${code}${request})` : ''}`
    if (code === 'unavailable') return new Unreachable(message, undefined, error)
    const cannotAsk = code === undefined || status === 401
    const advice = advices[code ?? ''] ?? (code && pageOfError(serverUrl, code))
    return new Failure(cannotAsk ? 2 : 1, message, advice, error)
  }
  // An argument that cannot be part of an address.
  return error instanceof TypeError ? new Failure(2, error.message) : error
}

const advices: Record<string, string> = {
  api_key_invalid:
    'The key becomes invalid when it is refreshed. Compare its last four characters in the console under Profile, API Key Management.',
  dataset_not_found: 'List your datasets: souk datasets list',
  project_not_found: 'List your datasets with their projects: souk datasets list',
}
