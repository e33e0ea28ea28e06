import { SoukApiError, SoukConnectionError, SoukPlatform } from '@souk/sdk'
import type { Environment } from './environment.ts'
import { Failure, Unreachable } from './failure.ts'

/** Where the key of an account comes from. */
export interface KeyOptions {
  apiKeyStdin?: true
}

/**
 * Works with the platform data API of the server, with the key of an account, and tells what goes wrong as commands do.
 * @throws Failure 1 when the server refuses, 2 when it cannot be asked; Unreachable when it is not there at the moment
 */
export async function withPlatform<T>(
  environment: Environment,
  { apiKeyStdin }: KeyOptions,
  work: (platform: SoukPlatform) => Promise<T>,
): Promise<T> {
  const apiKey = apiKeyStdin ? (await environment.readStdin()).trim() : environment.apiKey
  if (!apiKey) {
    throw new Failure(
      2,
      apiKeyStdin ? 'There is no API key on standard input.' : 'SOUK_API_KEY is not set.',
      'The console shows the key of your account under Profile, API Key Management. Or hand it over with --api-key-stdin.',
    )
  }
  try {
    return await work(new SoukPlatform({ baseUrl: environment.serverUrl, apiKey }))
  } catch (error) {
    throw asFailure(error, environment)
  }
}

function asFailure(error: unknown, { serverUrl }: Environment): unknown {
  const cause = error instanceof Error && error.cause instanceof SoukApiError ? error.cause : error
  if (cause instanceof SoukConnectionError) {
    return new Unreachable(`Souk cannot be reached at ${serverUrl}: ${(error as Error).message}`, 'Is SOUK_URL right?')
  }
  if (cause instanceof SoukApiError) {
    const request = cause.requestId ? `, request ${cause.requestId}` : ''
    const before = cause === error ? '' : `${(error as Error).message.split(',')[0]}, and then: `
    const message = `${before}${cause.msg}${cause.code ? ` (${cause.code}${request})` : ''}`
    if (cause.code === 'unavailable') return new Unreachable(message)
    const cannotAsk = cause.code === undefined || cause.status === 401
    return new Failure(cannotAsk ? 2 : 1, message, advices[cause.code ?? ''])
  }
  // What the client finds wrong with its settings is wrong with the variables.
  return error instanceof TypeError ? new Failure(2, error.message) : error
}

const advices: Record<string, string> = {
  api_key_invalid:
    'The key ends when it is refreshed. The console shows under Profile, API Key Management how yours ends.',
  dataset_not_found: 'Your datasets: souk datasets list',
  project_not_found: 'Your datasets with their projects: souk datasets list',
}
