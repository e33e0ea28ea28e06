import { createServer, type Socket } from 'node:net'
import { type Operation, openOperations, platformOperations } from '@souk/contract'

/** Every secret that a test gives to a client contains this text, so that a part of one is found, too. */
export const marker = 'MARK'

/** Secrets as a program gives them to a client. Some characters differ when they are encoded. */
export const secrets = {
  secret: `${marker}app-secret+/=0123456789`,
  apiKey: `${marker}api-key+/=0123456789`,
  token: `${marker}token+/=0123456789`,
  code: `${marker}code+/=&0123456789`,
  accessToken: `${marker}access-token+/=&0123456789`,
}

/** A base URL that no client accepts, or at which calls fail; each shows what must not be in an error. */
export const invalidBaseUrls = [
  `ftp://user:${marker}password@localhost`,
  `http://localhost:7070?token=${marker}query`,
  `http://localhost:7070/#${marker}fragment`,
  `http://localhost:7070/neuopenapi/api/v1?token=${marker}query&mail=a@b`,
  `http://user:${marker}pass/word@localhost`,
  `http://user:${marker}pass?word@localhost`,
  `user:${marker}password@localhost:7070`,
  `http://user:${marker}password@local host`,
  'http://local host',
  'http://localhost:a',
  'http://localhost:99999',
  'http://[::1',
  'http://localhost/%zz',
  'http://localhost/a\\b',
  'http://localhost/a b',
]

/** Responses by fault, with which the path of a request starts. `echo` is what the request contained. */
const faults: Record<string, (echo: string, request: Received) => string | null> = {
  redirect: (echo) =>
    response(302, { Location: `https://user:${marker}password@elsewhere.example/sign-in?${inUrl(echo)}#${marker}` }),
  'redirect-relative': (echo) => response(307, { Location: `/sign-in?back=${encodeURIComponent(echo)}` }),
  'redirect-invalid': (echo) => response(302, { Location: `http://[user:${marker}password@bad?${echo}` }),
  'redirect-path': (echo) => response(301, { Location: `https://elsewhere.example/${echo}` }),
  html: (echo) => response(404, { 'Content-Type': 'text/html' }, `<p>Cannot GET ${echo}`),
  'content-type': (echo) => response(200, { 'Content-Type': `text/html; ${echo}` }, 'hello'),
  'invalid-json': (echo) => response(200, { 'Content-Type': 'application/json' }, `{"request": "${echo}`),
  'other-json': (echo) => response(200, {}, JSON.stringify({ echo })),
  unauthorized: (echo) => refusal(401, echo),
  limited: (echo) => refusal(429, echo),
  failed: (echo) => refusal(500, echo),
  busy: (echo) => refusal(503, echo),
  'no-http': (echo) => `${echo}\r\n\r\n`,
  'invalid-status': (echo) => `HTTP/1.1 ${echo}\r\n\r\n`,
  'invalid-header': (echo) => `HTTP/1.1 200 OK\r\n${echo.replaceAll(':', '')}\r\n\r\n`,
  short: (echo) => `HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: 1000000\r\n\r\n${echo}`,
  break: () => '',
  silent: () => null,
  success: (_, request) => success(request),
  'invalid-result': (_, request) => success(request, `${marker}number`),
  'second-append': (echo, request) =>
    request.path.endsWith('/records') && request.count === 1 ? success(request) : refusal(500, echo),
}

/** Returns a text for a query; `&` and `=` are kept. */
const inUrl = (text: string) => text.replace(/[^!-~]|["'<>]/g, encodeURIComponent)

interface Received {
  readonly method: string
  readonly path: string
  /** Requests so far with these credentials at this path. */
  readonly count: number
}

export interface HostileServer {
  /** Base URLs by fault, among them one at which nothing listens and one with TLS, which the server does not speak. */
  readonly urls: Readonly<Record<string, string>>
  /** The signs that it received. */
  readonly signs: ReadonlySet<string>
  close(): Promise<void>
}

/** Starts a server that fails in all ways in which one can fail, and repeats the secrets of the request in doing so. */
export async function startHostileServer(): Promise<HostileServer> {
  const signs = new Set<string>()
  const counts = new Map<string, number>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      // The greeting of TLS.
      if (text.startsWith('\x16')) return void socket.end('no TLS here')
      const end = text.indexOf('\r\n\r\n')
      const [, length = '0'] = /^content-length: (\d+)/im.exec(text) ?? []
      const isChunked = /^transfer-encoding: chunked/im.test(text) && !text.endsWith('0\r\n\r\n')
      if (end < 0 || isChunked || text.length < end + 4 + Number(length)) return
      const [, method = '', fault = '', path = '', query = ''] = /^(\S+) \/([\w-]+)([^ ?]*)\??(\S*)/.exec(text) ?? []
      const [, credentials = ''] = /^(?:x-api-key|authorization): (.*)$/im.exec(text) ?? []
      const body = text.slice(end + 4)
      const count = (counts.get(fault + path + credentials) ?? 0) + 1
      counts.set(fault + path + credentials, count)
      for (const [, sign = ''] of text.matchAll(/(?<![\da-f])([\da-f]{64})(?![\da-f])/g)) signs.add(sign)
      text = ''
      // The last is decoded, as in a message of a server.
      const sent = `${credentials}${query}${body.replace(/[\r\n]+/g, ' ')}`
      const echo = `${sent} ${decodeURIComponent(sent.replace(/%(?![\da-f]{2})/gi, '%25'))}`
      const answer = faults[fault]?.(echo, { method, path, count })
      if (answer === null || answer === undefined) return
      socket.end(answer, 'latin1')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const unused = createServer()
  await new Promise<void>((resolve) => unused.listen(0, '127.0.0.1', resolve))
  const { port: closed } = unused.address() as { port: number }
  await new Promise((resolve) => unused.close(resolve))
  return {
    urls: {
      ...Object.fromEntries(Object.keys(faults).map((fault) => [fault, `http://127.0.0.1:${port}/${fault}`])),
      refused: `http://127.0.0.1:${closed}`,
      tls: `https://127.0.0.1:${port}/tls`,
    },
    signs,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function response(status: number, headers: Record<string, string>, body = ''): string {
  const all = { 'Content-Length': String(Buffer.byteLength(body, 'latin1')), Connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Fault\r\n${lines.join('')}\r\n${body}`
}

/** Returns an error in the formats of both APIs. */
function refusal(status: number, echo: string): string {
  const error = { status, code: 'sign_mismatch', data: { received: [echo] } }
  const body = { responseHeader: { ...error, msg: `Not ${echo}.` }, ...error, detail: `Not ${echo}.` }
  return response(status, { 'X-Request-Id': echo, 'Retry-After': '60' }, JSON.stringify(body))
}

/** Returns a result of the operation with a secret in each field that is never logged, and numbers of this value. */
function success({ method, path }: Received, number: unknown = 1): string {
  const operations: readonly Operation[] = [...Object.values(openOperations), ...Object.values(platformOperations)]
  const operation = operations.find(
    (it) => it.method === method && new RegExp(`^${it.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )!
  if (operation.media) return response(200, { 'Content-Type': 'application/x-ndjson' }, '{"title":"tea"}\n')
  const result = sample(operation.result as Schema, operation.redact, number)
  const body = operation.surface === 'open' ? { responseHeader: { status: 200, msg: 'OK' }, response: result } : result
  return response(200, { 'Content-Type': 'application/json' }, JSON.stringify(body))
}

/** The part of JSON Schema that results use. */
interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Returns a value of a schema, with a marker in each field of these names. */
function sample(schema: Schema, redacted: readonly string[], number: unknown, name = ''): unknown {
  const choice = schema.anyOf?.[0]
  if (choice) return sample(choice, redacted, number, name)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  switch (schema.type) {
    case 'string':
      return redacted.includes(name) ? `${marker}${name}` : 'text'
    case 'integer':
    case 'number':
      return number
    case 'boolean':
      return true
    case 'array':
      return [sample(schema.items ?? {}, redacted, number, name)]
  }
  const fields = Object.entries(schema.properties ?? {}).map(([key, value]) => [
    key,
    sample(value, redacted, number, key),
  ])
  return Object.fromEntries(fields)
}
