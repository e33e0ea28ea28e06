import { type InspectedHeader, type InspectionEntry, inspectionLimits } from '@souk/contract/inspection'
import { cut } from '@souk/shell/describe'

type Send = (entry: InspectionEntry) => void

let lastId = 0

/** Reports every request of the document, by `fetch` or XMLHttpRequest. */
export function watchRequests(send: Send): void {
  watchFetch(send)
  watchXhr(send)
}

function watchFetch(send: Send): void {
  const original = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const id = ++lastId
    const inputRequest = input instanceof Request ? input : undefined
    const body = init?.body === undefined || init.body === null ? await textOf(inputRequest) : describeBody(init.body)
    send({
      kind: 'request',
      id,
      time: Date.now(),
      method: cut((init?.method ?? inputRequest?.method ?? 'GET').toUpperCase(), 32),
      url: absolute(inputRequest?.url ?? String(input)),
      headers: headersOf(new Headers(init?.headers ?? inputRequest?.headers)),
      ...(body !== undefined && { body }),
    })
    try {
      const response = await original(input, init)
      void readResponse(id, response, send)
      return response
    } catch (error) {
      send({ kind: 'response', id, time: Date.now(), status: 0, headers: [], error: cut(String(error)) })
      throw error
    }
  }
}

async function readResponse(id: number, response: Response, send: Send): Promise<void> {
  const time = Date.now()
  const { status } = response
  const headers = headersOf(response.headers)
  try {
    const { text, size } = await readStart(response)
    const body = isText(response.headers.get('content-type')) ? text : undefined
    send({ kind: 'response', id, time, status, headers, size, ...(body !== undefined && { body }) })
  } catch (error) {
    // The mini app or the network has ended the response.
    send({ kind: 'response', id, time, status, headers, error: cut(String(error)) })
  }
}

/** Reads a copy of the response up to the limit of a message, since a response may be a stream without an end. */
async function readStart(response: Response): Promise<{ text: string; size: number }> {
  const reader = response.clone().body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader!.read()) {
    size += chunk.value.length
    text += decoder.decode(chunk.value, { stream: true })
    if (text.length < inspectionLimits.text) continue
    void reader!.cancel()
    break
  }
  return { text: cut(text), size: Math.max(size, Number(response.headers.get('content-length')) || 0) }
}

interface XhrRequest {
  id: number
  method: string
  url: string
  headers: InspectedHeader[]
}

function watchXhr(send: Send): void {
  const requests = new WeakMap<XMLHttpRequest, XhrRequest>()
  const { open, setRequestHeader, send: sendBody } = XMLHttpRequest.prototype
  Object.assign(XMLHttpRequest.prototype, {
    open(this: XMLHttpRequest, method: string, url: string, ...more: [boolean]) {
      requests.set(this, {
        id: ++lastId,
        method: cut(method.toUpperCase(), 32),
        url: absolute(String(url)),
        headers: [],
      })
      return open.call(this, method, url, ...more)
    },
    setRequestHeader(this: XMLHttpRequest, name: string, value: string) {
      requests.get(this)?.headers.push([cut(name, inspectionLimits.name), cut(String(value))])
      return setRequestHeader.call(this, name, value)
    },
    send(this: XMLHttpRequest, body?: XMLHttpRequestBodyInit | null) {
      const request = requests.get(this)
      if (request) {
        const text = describeBody(body)
        send({ kind: 'request', time: Date.now(), ...request, ...(text !== undefined && { body: text }) })
        this.addEventListener('loadend', () => reportXhr(this, request, send), { once: true })
      }
      return sendBody.call(this, body)
    },
  })
}

function reportXhr(xhr: XMLHttpRequest, { id }: XhrRequest, send: Send): void {
  const headers = xhr
    .getAllResponseHeaders()
    .split('\r\n')
    .flatMap((line): InspectedHeader[] => {
      const colon = line.indexOf(':')
      return colon < 0 ? [] : [[cut(line.slice(0, colon), inspectionLimits.name), cut(line.slice(colon + 1).trim())]]
    })
    .slice(0, inspectionLimits.properties)
  const hasText = xhr.responseType === '' || xhr.responseType === 'text'
  send({
    kind: 'response',
    id,
    time: Date.now(),
    status: xhr.status,
    headers,
    ...(hasText && xhr.status > 0 && { body: cut(xhr.responseText) }),
    ...(xhr.status === 0 && { error: 'NetworkError' }),
  })
}

function headersOf(headers: Headers): InspectedHeader[] {
  return [...headers]
    .slice(0, inspectionLimits.properties)
    .map(([name, value]) => [cut(name, inspectionLimits.name), cut(value)])
}

/** Returns the body of a request that was created before it is sent. */
async function textOf(request: Request | undefined): Promise<string | undefined> {
  if (!request?.body) return undefined
  return cut(await request.clone().text())
}

/** Returns what an inspector shows of a body; undefined if there is none. */
export function describeBody(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string' || body instanceof URLSearchParams) return cut(String(body))
  if (body instanceof FormData)
    return cut(
      [...body]
        .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : binary(value.size, value.name)}`)
        .join('\n'),
    )
  if (body instanceof Blob) return binary(body.size)
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return binary(body.byteLength)
  return cut(String(body))
}

const binary = (size: number, name = 'binary') => `(${name}, ${size} bytes)`

const isText = (type: string | null) => /^text\/|json|xml|javascript|x-www-form-urlencoded/i.test(type ?? '')

function absolute(address: string): string {
  return cut(URL.parse(address, document.baseURI)?.href ?? address)
}
