import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomOf } from './seededRandom.ts'

/** A request as the routes see it. */
export interface Request {
  path: string
  /** The parts of the path that its pattern names. */
  params: Record<string, string>
  query: URLSearchParams
  headers: Record<string, string>
  body: string
}

export interface Answer {
  status: number
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body: string | object
}

/** `kind` says who calls: programs, whom faults befall, or people and tests, whom they spare. */
export interface Route {
  kind: 'api' | 'page' | 'control'
  method: 'GET' | 'POST'
  /** Such as `/payments/:id`. */
  pattern: string
  handle: (request: Request) => Answer | Promise<Answer>
}

/**
 * What can go wrong with a request: `error` answers 500 and does nothing, `limit` answers 429, `dropBefore` breaks the
 * connection and does nothing, `dropAfter` does it and breaks the connection, `hang` never answers. `none` spares a request.
 */
export type Fault = 'none' | 'error' | 'limit' | 'dropBefore' | 'dropAfter' | 'hang'

/** Faults by chance, from 0 to 1 for each request. */
export interface Trouble {
  seed: number
  error: number
  dropBefore: number
  dropAfter: number
}

export const noTrouble: Trouble = { seed: 1, error: 0, dropBefore: 0, dropAfter: 0 }

const mostBytes = 1_000_000

/** The HTTP side of a provider: routes, and what goes wrong on the way to them. */
export class FakeProviderServer {
  /** What befalls the next requests, one each. */
  readonly faults: Fault[] = []
  #trouble = noTrouble
  #random = randomOf(noTrouble.seed)
  readonly #routes: { route: Route; names: string[]; test: RegExp }[]
  readonly #server = createServer((message, response) => {
    this.#answer(message, response).catch(() => response.destroy())
  })
  url = ''

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map((route) => {
      const names: string[] = []
      const pattern = route.pattern.replace(/:(\w+)/g, (_, name: string) => {
        names.push(name)
        return '([^/]+)'
      })
      return { route, names, test: new RegExp(`^${pattern}$`) }
    })
  }

  set trouble(trouble: Trouble) {
    this.#trouble = trouble
    this.#random = randomOf(trouble.seed)
  }

  /** @throws Error with the code EADDRINUSE where the port is taken. */
  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', () => resolve())
    })
    this.url = `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(message.url ?? '/', 'http://provider')
    const found = this.#routes
      .map((each) => ({ ...each, match: each.test.exec(pathname) }))
      .find(({ route, match }) => match && route.method === message.method)
    if (!found) return write(response, { status: 404, body: { error: { type: 'not_found', message: 'Not found' } } })

    const fault = found.route.kind === 'api' ? this.#nextFault() : undefined
    if (fault === 'hang') return
    if (fault === 'dropBefore') return void message.socket.destroy()
    if (fault === 'error') return write(response, { status: 500, body: { error: { message: 'rehearsed' } } })
    if (fault === 'limit') return write(response, { status: 429, body: { error: { message: 'rehearsed' } } })

    const params = found.names.map((name, index) => [name, decodeURIComponent(found.match![index + 1]!)])
    const answer = await found.route.handle({
      path: pathname,
      params: Object.fromEntries(params),
      query: searchParams,
      headers: Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)])),
      body: await bodyOf(message),
    })
    if (fault === 'dropAfter') return void message.socket.destroy()
    write(response, answer)
  }

  #nextFault(): Fault | undefined {
    const chosen = this.faults.shift()
    if (chosen) return chosen
    const { error, dropBefore, dropAfter } = this.#trouble
    const drawn = this.#random()
    if (drawn < error) return 'error'
    if (drawn < error + dropBefore) return 'dropBefore'
    return drawn < error + dropBefore + dropAfter ? 'dropAfter' : undefined
  }
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostBytes) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  const json = typeof body !== 'string'
  response.writeHead(status, { 'content-type': json ? 'application/json' : 'text/html; charset=utf-8', ...headers })
  response.end(json ? JSON.stringify(body) : body)
}

/** A body of JSON; an empty object where it is none. */
export function jsonOf(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
