import type { consoleOperations, ResultOf } from '@souk/contract'
import type { BackendRequests } from '@souk/host-view/inspector'

type Console = typeof consoleOperations

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
  const requests =
    app && (await read<ResultOf<Console['listRequests']>>(`requests?appid=${appid}&limit=${shownRequests}`))
  return (
    requests && {
      requests: requests.map((request) => ({
        ...request,
        link: `/console/projects/${app.projectId}/requests/${request.requestId}`,
      })),
    }
  )
}
