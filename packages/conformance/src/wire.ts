import { createHash } from 'node:crypto'

/** The value of a parameter. A list is sent joined with commas, null as an empty string (open-api §4.1). */
export type Value = string | number | null | readonly string[]
/** Parameters by name. Undefined values are left out. */
export type Parameters = Readonly<Record<string, Value | undefined>>
/** Parameters in the order in which they are sent, including repeated names. */
export type Pairs = readonly (readonly [name: string, value: string])[]
/** Part of the request that carries the parameters. */
export type Transport = 'query' | 'form' | 'multipart'

/** The operations of open-api §4.3 and Souk's file upload. Reads also answer POST. */
export const operations = {
  accessToken: { method: 'POST', path: '/neuopenapi/oauth/mini/accessToken' },
  userInfo: { method: 'GET', path: '/neuopenapi/oauth/mini/user/info' },
  trade: { method: 'POST', path: '/neuopenapi/pay/transactions/trade' },
  tradedetail: { method: 'GET', path: '/neuopenapi/pay/transactions/tradedetail' },
  tradeclose: { method: 'POST', path: '/neuopenapi/pay/transactions/tradeclose' },
  refund: { method: 'POST', path: '/neuopenapi/pay/transactions/refund' },
  refunddetail: { method: 'GET', path: '/neuopenapi/pay/transactions/refunddetail' },
  sendNotify: { method: 'POST', path: '/neuopenapi/notify/sendNotify' },
  sendActivity: { method: 'POST', path: '/neuopenapi/activity/sendActivity' },
  fileUpload: { method: 'POST', path: '/neuopenapi/file/upload' },
} as const
export type OperationName = keyof typeof operations

/** Converts parameters to pairs in the order of the object. */
export function pairsOf(parameters: Parameters): [string, string][] {
  const pairs: [string, string][] = []
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) pairs.push([name, Array.isArray(value) ? value.join(',') : String(value ?? '')])
  }
  return pairs
}

/**
 * Returns the canonical string (open-api §4.1, steps 1 to 3). Implemented from the specification and not shared with
 * the server, so that the suite detects errors in the server's signing.
 */
export function canonicalString(pairs: Pairs, secret: string): string {
  return [...pairs.filter(([name]) => !['sign', 'fileData', 'secret'].includes(name)), ['secret', secret] as const]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join('')
}

/** Returns the SHA-256 of a text in lowercase hexadecimal (open-api §4.1, step 4). */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/** Appends `sign` to the pairs, replacing an existing one. */
export function withSign(pairs: Pairs, secret: string): [string, string][] {
  const unsigned = pairs.filter(([name]) => name !== 'sign').map(([name, value]): [string, string] => [name, value])
  return [...unsigned, ['sign', sha256(canonicalString(unsigned, secret))]]
}

/** Encodes pairs as `application/x-www-form-urlencoded`. */
export function encode(pairs: Pairs): string {
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
}

/** A server's response. `envelope` is undefined if the body is not JSON. */
export interface Reply {
  status: number
  headers: Headers
  text: string
  envelope: Envelope | undefined
}

/** The envelope (open-api §2.2). `code` and `data` are Souk's additions. */
export interface Envelope {
  responseHeader: { status: number; msg: string; code?: string; data?: Record<string, unknown> }
  response: unknown
}

/** A request that is sent as it is, without signing or encoding. */
export interface RawRequest {
  method: string
  /** Path with its query string. */
  target: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer> | FormData
}

const maxRetryTime = 10_000

/** Sends a request. Retries after 429 and `Retry-After`, because the suite sends more requests than a mini app. */
export async function request(url: string, raw: RawRequest, retryOn429 = true): Promise<Reply> {
  const deadline = Date.now() + maxRetryTime
  for (;;) {
    const response = await fetch(url + raw.target, {
      method: raw.method,
      redirect: 'manual',
      ...(raw.headers && { headers: raw.headers }),
      ...(raw.body !== undefined && { body: raw.body }),
    })
    const text = await response.text()
    const seconds = Number(response.headers.get('retry-after') ?? '1')
    if (retryOn429 && response.status === 429 && Date.now() + seconds * 1000 < deadline) {
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
      continue
    }
    return { status: response.status, headers: response.headers, text, envelope: parseEnvelope(text) }
  }
}

/** Creates a request of an operation with these pairs, by default with the usual transport of the operation. */
export function requestOf(name: OperationName, pairs: Pairs, transport?: Transport): RawRequest {
  const { method, path } = operations[name]
  const carrier = transport ?? (method === 'GET' ? 'query' : name === 'fileUpload' ? 'multipart' : 'form')
  if (carrier === 'query') return { method, target: `${path}?${encode(pairs)}` }
  if (carrier === 'multipart') {
    const body = new FormData()
    for (const [key, value] of pairs) body.append(key, value)
    return { method: 'POST', target: path, body }
  }
  return {
    method: 'POST',
    target: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: encode(pairs),
  }
}

/** Returns the methods of an operation, its own first. */
export function methodsOf(name: OperationName): string[] {
  return operations[name].method === 'GET' ? ['GET', 'POST'] : ['POST']
}

function parseEnvelope(text: string): Envelope | undefined {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return undefined
  }
}
