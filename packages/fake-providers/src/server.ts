import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { seededRandom } from './seededRandom.ts'

/** A request as route handlers receive it. */
export interface Request {
  path: string
  /** Named parts of the route's pattern. */
  params: Record<string, string>
  query: URLSearchParams
  headers: Record<string, string>
  body: string
}

export interface Reply {
  status: number
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body: string | object
}

/** A route. Faults are injected into requests of kind `api` only. */
export interface Route {
  kind: 'api' | 'page' | 'control'
  method: 'GET' | 'POST'
  /** Path pattern, such as `/payments/:id`. */
  pattern: string
  handle: (request: Request) => Reply | Promise<Reply>
}

/**
 * A fault injected into a request: `error` responds with 500, `limit` with 429, `dropBefore` closes the connection and
 * `hang` never responds, all without executing the request. `dropAfter` executes it and closes the connection. `none`
 * leaves the request alone.
 */
export type RequestFault = (typeof requestFaults)[number]
export const requestFaults = ['none', 'error', 'limit', 'dropBefore', 'dropAfter', 'hang'] as const

/** Rates of random faults, each from 0 to 1. */
export interface RequestFaults {
  seed: number
  errorRate: number
  dropBeforeRate: number
  dropAfterRate: number
}

export const noRequestFaults: RequestFaults = { seed: 1, errorRate: 0, dropBeforeRate: 0, dropAfterRate: 0 }

const maxBodyBytes = 1_000_000

/** HTTP server of a fake provider: routing and fault injection. */
export class FakeProviderServer {
  /** Faults for the next API requests, one each. */
  readonly nextFaults: RequestFault[] = []
  #faults = noRequestFaults
  #random = seededRandom(noRequestFaults.seed)
  readonly #routes: { route: Route; names: string[]; test: RegExp }[]
  readonly #server = createServer((message, response) => {
    this.#handle(message, response).catch(() => response.destroy())
  })
  url = ''

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map((route) => {
      const names: string[] = []
      const pattern = route.pattern.replace(/:(\w+)/g, (_, name: string) => {
        names.push(name)
        return '([^/]+)'
      })
      // ReDoS: the segments of this package's routes cannot overlap.
      return { route, names, test: new RegExp(`^${pattern}$`) }
    })
  }

  set faults(faults: RequestFaults) {
    this.#faults = faults
    this.#random = seededRandom(faults.seed)
  }

  /** @throws Error with the code EADDRINUSE if the port is taken */
  async listen(port: number, host: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => resolve())
    })
    this.url = `http://${host === '127.0.0.1' ? 'localhost' : host}:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(message.url ?? '/', 'http://provider')
    const found = this.#routes
      .map((each) => ({ ...each, match: each.test.exec(pathname) }))
      .find(({ route, match }) => match && route.method === message.method)
    if (!found) return write(response, { status: 404, body: { error: { type: 'not_found', message: 'Not found' } } })

    const fault = found.route.kind === 'api' ? this.#nextFault() : undefined
    if (fault === 'hang') return
    if (fault === 'dropBefore') return void message.socket.destroy()
    if (fault === 'error') return write(response, { status: 500, body: { error: { message: 'injected fault' } } })
    if (fault === 'limit') return write(response, { status: 429, body: { error: { message: 'injected fault' } } })

    const params = found.names.map((name, index) => [name, decodeURIComponent(found.match![index + 1]!)])
    const reply = await found.route.handle({
      path: pathname,
      params: Object.fromEntries(params),
      query: searchParams,
      headers: Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)])),
      body: await readBody(message),
    })
    if (fault === 'dropAfter') return void message.socket.destroy()
    write(response, reply)
  }

  #nextFault(): RequestFault | undefined {
    const queued = this.nextFaults.shift()
    if (queued) return queued
    const { errorRate, dropBeforeRate, dropAfterRate } = this.#faults
    const random = this.#random()
    if (random < errorRate) return 'error'
    if (random < errorRate + dropBeforeRate) return 'dropBefore'
    return random < errorRate + dropBeforeRate + dropAfterRate ? 'dropAfter' : undefined
  }
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBodyBytes) throw new Error(`The body exceeds ${maxBodyBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function write(response: ServerResponse, { status, headers, body }: Reply): void {
  const json = typeof body !== 'string'
  response.writeHead(status, { 'content-type': json ? 'application/json' : 'text/html; charset=utf-8', ...headers })
  response.end(json ? JSON.stringify(body) : body)
}

/** Parses a JSON object; returns an empty object if the body is not one. */
export function parseJsonObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
