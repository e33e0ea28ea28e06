import { Problem } from './problem.ts'

/** What a page knows of an operation at run time. */
export interface OperationFacts {
  method: string
  path: string
  body?: 'json' | 'form' | 'multipart'
}

/** Puts each parameter where the operation has it: the path's braces, the query string, or the JSON body. */
export function requestOf(
  { method, path: template, body }: OperationFacts,
  input: Record<string, unknown>,
  own: Record<string, string>,
): Request {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  const headers = { Accept: 'application/json', ...own }
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
 * `patience` is how long an answer may take, ms; as long as it wants where none is given.
 *
 * @throws Problem `unreachable`
 * @throws DOMException `AbortError` when `signal` was aborted
 */
export async function send(request: Request, signal?: AbortSignal, patience?: number): Promise<Response> {
  const ends = [signal, patience === undefined ? undefined : AbortSignal.timeout(patience)].filter(
    (end) => end !== undefined,
  )
  try {
    return await fetch(request, { signal: AbortSignal.any(ends) })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Problem({ code: 'unreachable', status: 0, detail: 'The server cannot be reached.' })
  }
}

/** What was answered. @throws Problem what the server refused, or `unreadable` */
export async function bodyOf(answer: Response): Promise<unknown> {
  const body: unknown = await answer.json().catch(() => undefined)
  if (answer.ok && body !== undefined) return body
  const requestId = answer.headers.get('x-request-id')
  const facts = { status: answer.status, ...(requestId ? { requestId } : {}) }
  if (typeof body !== 'object' || body === null || !('code' in body)) {
    throw new Problem({ ...facts, code: 'unreadable', detail: `The answer (${answer.status}) is not one of Souk’s.` })
  }
  const { code, detail, data } = body as { code: string; detail?: string; data?: object }
  throw new Problem({ ...facts, code, detail: detail ?? code, ...(data ? { data } : {}) })
}
