import { createHash } from 'node:crypto'

/** A parameter before it is written out: a list is joined with commas, null is the empty string (open-api §4.1). */
export type Value = string | number | null | readonly string[]
/** Parameters by name; undefined leaves one out. */
export type Parameters = Readonly<Record<string, Value | undefined>>
/** Parameters as they are sent: in this order, repeated names included. */
export type Pairs = readonly (readonly [name: string, value: string])[]
/** Where the parameters of a request travel. */
export type Transport = 'query' | 'form' | 'multipart'

/** The operations of open-api §4.3, and Souk's file upload. */
export const operations = {
  accessToken: { method: 'POST', path: '/neuopenapi/oauth/mini/accessToken' },
  userInfo: { method: 'GET', path: '/neuopenapi/oauth/mini/user/info' },
  trade: { method: 'POST', path: '/neuopenapi/pay/transactions/trade' },
  tradedetail: { method: 'GET', path: '/neuopenapi/pay/transactions/tradedetail' },
  tradeclose: { method: 'POST', path: '/neuopenapi/pay/transactions/tradeclose' },
  sendNotify: { method: 'POST', path: '/neuopenapi/notify/sendNotify' },
  sendActivity: { method: 'POST', path: '/neuopenapi/activity/sendActivity' },
  fileUpload: { method: 'POST', path: '/neuopenapi/file/upload' },
} as const
export type OperationName = keyof typeof operations

/** Parameters as pairs of texts, in the order of the object. */
export function pairsOf(parameters: Parameters): [string, string][] {
  const pairs: [string, string][] = []
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) pairs.push([name, Array.isArray(value) ? value.join(',') : String(value ?? '')])
  }
  return pairs
}

/**
 * The text that is hashed (open-api §4.1, steps 1 to 3). Written from the document and shared with nobody: a mistake in
 * the server's own signing cannot hide here.
 */
export function canonicalString(pairs: Pairs, secret: string): string {
  return [...pairs.filter(([name]) => !['sign', 'fileData', 'secret'].includes(name)), ['secret', secret] as const]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join('')
}

/** SHA-256 in lowercase hexadecimal (open-api §4.1, step 4). */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/** The pairs with their `sign` at the end; a `sign` among them is replaced. */
export function withSign(pairs: Pairs, secret: string): [string, string][] {
  const unsigned = pairs.filter(([name]) => name !== 'sign').map(([name, value]): [string, string] => [name, value])
  return [...unsigned, ['sign', sha256(canonicalString(unsigned, secret))]]
}

/** Pairs as `application/x-www-form-urlencoded`. */
export function encode(pairs: Pairs): string {
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
}

/** What a server answered. `envelope` is undefined when the body is not JSON. */
export interface Reply {
  status: number
  headers: Headers
  text: string
  envelope: Envelope | undefined
}

/** The envelope of open-api §2.2; `code` is Souk's. */
export interface Envelope {
  responseHeader: { status: number; msg: string; code?: string; data?: Record<string, unknown> }
  response: unknown
}

/** A request to the byte: nothing is signed, encoded or added here. */
export interface RawRequest {
  method: string
  /** Path with its query string. */
  target: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer> | FormData
}

const MOST_PATIENCE_MS = 10_000

/**
 * Sends a request. A server that says 429 is asked again after its `Retry-After`, unless `patient` is false: the suite asks
 * faster than a mini app.
 */
export async function request(url: string, raw: RawRequest, patient = true): Promise<Reply> {
  const deadline = Date.now() + MOST_PATIENCE_MS
  for (;;) {
    const answer = await fetch(url + raw.target, {
      method: raw.method,
      redirect: 'manual',
      ...(raw.headers && { headers: raw.headers }),
      ...(raw.body !== undefined && { body: raw.body }),
    })
    const text = await answer.text()
    const seconds = Number(answer.headers.get('retry-after') ?? '1')
    if (patient && answer.status === 429 && Date.now() + seconds * 1000 < deadline) {
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
      continue
    }
    return { status: answer.status, headers: answer.headers, text, envelope: parseEnvelope(text) }
  }
}

/** The request of an operation with these pairs, by the operation's own transport unless another is named. */
export function requestOf(name: OperationName, pairs: Pairs, transport?: Transport): RawRequest {
  const { method, path } = operations[name]
  const way = transport ?? (method === 'GET' ? 'query' : name === 'fileUpload' ? 'multipart' : 'form')
  if (way === 'query') return { method, target: `${path}?${encode(pairs)}` }
  if (way === 'multipart') {
    const body = new FormData()
    for (const [key, value] of pairs) body.append(key, value)
    return { method, target: path, body }
  }
  return {
    method,
    target: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: encode(pairs),
  }
}

function parseEnvelope(text: string): Envelope | undefined {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return undefined
  }
}
