import { SoukApiError, SoukConnectionError, SoukPlatform } from '@souk/sdk'
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
export async function withPlatform<T>(
  environment: Environment,
  { apiKeyStdin }: KeyOptions,
  work: (platform: SoukPlatform) => Promise<T>,
): Promise<T> {
  const { serverUrl: baseUrl, token } = environment
  const apiKey = apiKeyStdin ? (await environment.readStdin()).trim() : environment.apiKey
  if (!apiKey && (!token || apiKeyStdin)) {
    throw new Failure(
      2,
      apiKeyStdin ? 'Standard input contains no API key.' : 'SOUK_API_KEY is not set.',
      'The console shows the key of your account under Profile, API Key Management. Alternatively use --api-key-stdin, or set SOUK_TOKEN to the token of a service account.',
    )
  }
  try {
    const credential = token && !apiKeyStdin ? { token } : { apiKey: apiKey as string }
    return await work(new SoukPlatform({ baseUrl, ...credential }))
  } catch (error) {
    throw asFailure(error, environment)
  }
}

function asFailure(error: unknown, { serverUrl }: Environment): unknown {
  const cause = error instanceof Error && error.cause instanceof SoukApiError ? error.cause : error
  if (cause instanceof SoukConnectionError) {
    return new Unreachable(`Souk cannot be reached at ${serverUrl}: ${(error as Error).message}`, 'Check SOUK_URL.')
  }
  if (cause instanceof SoukApiError) {
    const request = cause.requestId ? `, request ${cause.requestId}` : ''
    const before = cause === error ? '' : `${(error as Error).message.split(',')[0]}, then: `
    const message = `${before}${cause.msg}${cause.code ? ` (${cause.code}${request})` : ''}`
    if (cause.code === 'unavailable') return new Unreachable(message)
    const cannotAsk = cause.code === undefined || cause.status === 401
    return new Failure(
      cannotAsk ? 2 : 1,
      message,
      advices[cause.code ?? ''] ?? (cause.code && pageOfError(serverUrl, cause.code)),
    )
  }
  // Invalid options of the client come from the environment variables.
  return error instanceof TypeError ? new Failure(2, error.message) : error
}

const advices: Record<string, string> = {
  api_key_invalid:
    'The key becomes invalid when it is refreshed. Compare its last four characters in the console under Profile, API Key Management.',
  dataset_not_found: 'List your datasets: souk datasets list',
  project_not_found: 'List your datasets with their projects: souk datasets list',
}
