import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A request with a body that costs the server as much as possible. */
export interface ExpensiveRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer
}

/** Repeats a text, which may contain its number, up to `size` bytes, between `start` and `end`. */
function fill(size: number, start: string, part: string | ((index: number) => string), end: string): string {
  const left = size - start.length - end.length
  if (typeof part === 'string') return start + part.repeat(left / part.length) + end
  const parts: string[] = []
  for (let index = 0, length = 0; ; index++) {
    const next = part(index)
    length += next.length
    if (length > left) return start + parts.join('') + end
    parts.push(next)
  }
}

const levels = 60

/** JSON texts of almost `size` bytes by what makes them expensive: the first value, and what follows it. */
const jsonShapes: Record<string, (size: number) => string> = {
  'empty objects': (size) => fill(size, '[{}', ',{}', ']'),
  'empty lists': (size) => fill(size, '[[]', ',[]', ']'),
  'objects with different names': (size) => fill(size, '[0', (n) => `,{"k${n}":0}`, ']'),
  'an object with many names': (size) => fill(size, '{"k":0', (n) => `,"k${n}":{}`, '}'),
  'parameters that do not exist': (size) => fill(size, '0', (n) => `,"k${n}":[]`, ''),
  'many deep lists': (size) => fill(size, '[0', `,${'['.repeat(levels)}${']'.repeat(levels)}`, ']'),
  'one deep list': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'one-digit numbers': (size) => fill(size, '[0', ',0', ']'),
  'one number': (size) => fill(size, '1', '1', ''),
  'short texts': (size) => fill(size, '[""', (n) => `,"${n}"`, ']'),
  'escaped characters': (size) => fill(size, '"', '\\u00e9\\\\', '"'),
  spaces: (size) => fill(size, '[', ' ', ']'),
}

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** Forms of almost `size` bytes. */
const formShapes: Record<string, (size: number) => string> = {
  'many parameters': (size) => fill(size, 'a=', (n) => `&p${n}`, ''),
  'a long encoded value': (size) => fill(size, 'text=', '%E2%82%AC', ''),
  'many separators': (size) => fill(size, 'a=b', '&', ''),
}

const boundary = 'x'
const part = (head: string, content: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
const multipart = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }

/** Multipart bodies of almost `size` bytes. */
const multipartShapes: Record<string, (size: number) => string> = {
  'a file': (size) => `${part('name="fileData"; filename="a.png"', 'x'.repeat(size - 200))}--${boundary}--\r\n`,
  'a field': (size) => `${part('name="title"', 'x'.repeat(size - 200))}--${boundary}--\r\n`,
  'many parts': (size) => fill(size, '', (n) => part(`name="p${n}"`, ''), `--${boundary}--\r\n`),
}

const shapes = { json: jsonShapes, form: formShapes, multipart: multipartShapes }
const types = { json: { 'Content-Type': 'application/json' }, form, multipart }
export type BodyKind = keyof typeof shapes

/** Bytes that the name of a parameter takes. */
const nameSize = 64
const created = new Map<string, Buffer>()

/** Returns a body of at most `size` bytes. `name` is a parameter of the operation. */
function expensiveBody(kind: BodyKind, shape: string, { size, name }: { size: number; name: string }): Buffer {
  const key = `${kind} ${shape} ${size}`
  let body = created.get(key)
  if (!body) {
    body = Buffer.from(shapes[kind][shape]!(kind === 'json' ? size - nameSize : size))
    created.set(key, body)
  }
  return kind === 'json' ? Buffer.concat([Buffer.from(`{"${name}":`), body, Buffer.from('}')]) : body
}

/** Returns functions that create a request for each shape of a kind of body. */
export function expensiveRequests(
  { method, path, headers }: Omit<ExpensiveRequest, 'body'>,
  kind: BodyKind,
  { size, name = 'a' }: { size: number; name?: string | undefined },
): (() => ExpensiveRequest)[] {
  return Object.keys(shapes[kind]).map((shape) => () => ({
    method,
    path,
    headers: { ...headers, ...types[kind] },
    body: expensiveBody(kind, shape, { size, name }),
  }))
}

/**
 * Sends requests on a connection each from the address of one client: all but the last bytes first, then the last
 * bytes at the same moment. Resolves with the statuses of the answers; undefined for a connection that was closed
 * without one.
 */
export async function sendAtOnce(
  { hostname, port }: URL,
  requests: readonly ExpensiveRequest[],
  localAddress = '127.0.0.2',
): Promise<(number | undefined)[]> {
  const sockets = await Promise.all(
    requests.map(async ({ method, path, headers, body }) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress, noDelay: true }).on('error', () => {})
      await Promise.race([once(socket, 'connect'), once(socket, 'close')])
      const lines = Object.entries({ Host: 'localhost', 'Content-Length': String(body.length), ...headers })
      const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([field, value]) => `${field}: ${value}\r\n`).join('')}\r\n`
      const status = statusOf(socket)
      socket.write(head)
      socket.write(body.subarray(0, -1))
      if (socket.writableLength > 0) await Promise.race([once(socket, 'drain'), status])
      return { socket, status, last: body.subarray(-1) }
    }),
  )
  for (const { socket, last } of sockets) socket.write(last)
  const statuses = await Promise.all(sockets.map(({ status }) => status))
  for (const { socket } of sockets) socket.destroy()
  return statuses
}

async function statusOf(socket: Socket): Promise<number | undefined> {
  const answered = once(socket, 'data').then(([data]) => Number(String(data).split(' ')[1]))
  const closed = once(socket, 'close').then(() => undefined)
  return Promise.race([answered, closed])
}
