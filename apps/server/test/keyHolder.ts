import type { Role } from '@souk/contract'
import type { ConsoleUser, JsonAnswer, TestSouk } from './souk.ts'

/** An account that calls the platform data API with its key. */
export interface KeyHolder extends ConsoleUser {
  key: string
  /** Calls `/api/v1` with the key. */
  api(method: string, path: string, input?: unknown): Promise<JsonAnswer>
  /** Returns an export as text. */
  export(datasetId: string, query?: Record<string, string>): Promise<string>
}

/** Creates a member of the project with an API key. */
export async function newKeyHolder(souk: TestSouk, projectId: string, role: Role): Promise<KeyHolder> {
  return keyHolderOf(souk, await souk.join(projectId, role))
}

/** Generates and returns the key of an account. */
export async function keyHolderOf(souk: TestSouk, user: ConsoleUser): Promise<KeyHolder> {
  const { key } = (await user.call('POST', '/console/v1/api-key/show', {})).body
  const headers = { 'X-API-Key': key }
  return {
    ...user,
    key,
    api: (method, path, input) => souk.raw(method, `/api/v1${path}`, headers, input),
    export: async (datasetId, query = {}) => {
      const answer = await fetch(`${souk.url}/api/v1/datasets/${datasetId}/export?${new URLSearchParams(query)}`, {
        headers,
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(text)
      return text
    },
  }
}
