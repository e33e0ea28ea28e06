import type { consoleOperations, ResultOf } from '@souk/contract'

type Console = typeof consoleOperations
type LoggedRequest = ResultOf<Console['listRequests']>[number]

export interface BackendRequests {
  requests: LoggedRequest[]
  /** Address of the request in the console, with its diagnosis. */
  linkOf(request: LoggedRequest): string
}

const shownRequests = 50

/**
 * Reads the last requests of a mini app's backend with the console session of this browser.
 *
 * @returns undefined without a session of a member of the project
 */
export async function readBackendRequests(appid: string): Promise<BackendRequests | undefined> {
  const read = async <T>(path: string): Promise<T | undefined> => {
    const response = await fetch(`/console/v1/${path}`)
    if ([401, 403, 404].includes(response.status)) return undefined
    if (!response.ok) throw new Error(`The request log could not be read: HTTP ${response.status}`)
    return (await response.json()) as T
  }
  const app = await read<ResultOf<Console['getApp']>>(`apps/${appid}`)
  const requests = app && (await read<LoggedRequest[]>(`requests?appid=${appid}&limit=${shownRequests}`))
  if (!requests) return undefined
  return { requests, linkOf: ({ requestId }) => `/console/projects/${app.projectId}/requests/${requestId}` }
}
