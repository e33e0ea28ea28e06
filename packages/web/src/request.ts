import { Problem } from './problem.ts'

/** Run-time description of an operation. */
export interface OperationInfo {
  method: string
  path: string
  body?: 'json' | 'form' | 'multipart'
}

/** Builds the request of an operation: path parameters, then the rest in the query string or JSON body. */
export function buildRequest(
  { method, path: template, body }: OperationInfo,
  input: Record<string, unknown>,
  extraHeaders: Record<string, string>,
): Request {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  const headers = { Accept: 'application/json', ...extraHeaders }
  if (!body) {
    const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)])).toString()
    return new Request(query ? `${path}?${query}` : path, { method, headers })
  }
  return new Request(path, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(rest)),
  })
}

/**
 * Sends a request. `timeout` is in ms; there is no timeout if it is omitted.
 *
 * @throws Problem `unreachable`
 * @throws DOMException `AbortError` if `signal` was aborted
 */
export async function send(request: Request, signal?: AbortSignal, timeout?: number): Promise<Response> {
  const signals = [signal, timeout === undefined ? undefined : AbortSignal.timeout(timeout)].filter(
    (each) => each !== undefined,
  )
  try {
    return await fetch(request, { signal: AbortSignal.any(signals) })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Problem({ code: 'unreachable', status: 0, detail: 'The server cannot be reached.' })
  }
}

/** Returns the body of a successful response. @throws Problem if the server rejected the request, or `unreadable` */
export async function readBody(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok && body !== undefined) return body
  const requestId = response.headers.get('x-request-id')
  const details = { status: response.status, ...(requestId ? { requestId } : {}) }
  if (typeof body !== 'object' || body === null || !('code' in body)) {
    throw new Problem({ ...details, code: 'unreadable', detail: `The response (${response.status}) is not from Souk.` })
  }
  const { code, detail, data } = body as { code: string; detail?: string; data?: object }
  throw new Problem({ ...details, code, detail: detail ?? code, ...(data ? { data } : {}) })
}
