import { once } from 'node:events'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { minute, openOperations } from '@souk/contract'
import { exampleResponse } from '../../packages/contract/src/examples.ts'
import { type Call, calls, type Fault, faults, id } from './table.ts'

/** A request that a fault answers. */
export interface FaultyRequest {
  readonly response: ServerResponse
  /** Number of the request among those of the call, from 1. */
  readonly number: number
  /** The body of the right response. */
  readonly right: string
  /** A URL that gets no requests. */
  readonly elsewhere: string
  send(status: number, headers: OutgoingHttpHeaders, body: string): void
  /** Answers with the result. `fields` are added to that of `tradedetail`. */
  succeed(fields?: object): void
  /** Answers with an error of Souk. */
  refuse(status: number, code: string, headers?: OutgoingHttpHeaders, data?: object): void
  /** Closes the connection, after it has sent a text as it is. */
  hangUp(text?: string): void
  /** Calls `answer` when as many requests wait as the client makes at once. */
  together(answer: () => void): void
}

/** What the server saw of a call. */
export interface Seen {
  requests: number
  /** Times between an answer and the next request in ms. */
  pauses: number[]
  /** Headers that a function of the client adds, and the client's own, which it cannot replace. */
  readonly headers: { traceparent: unknown; accept: unknown }[]
  /** Distinct signs. */
  readonly signs: Set<string>
  /** Requests whose connection is open and which have no complete answer. */
  held: number
}

export interface FaultServer {
  /** Returns the base URL at which a call meets a fault. */
  urlFor(fault: Fault, call: Call): string
  seenOf(fault: Fault, call: Call): Seen
  /** Requests at other addresses. */
  readonly strays: readonly string[]
  close(): Promise<void>
}

/** Starts a server with all faults. `atOnce` is how many of several calls its client makes at the same time. */
export async function startFaultServer(atOnce: (times: number) => number): Promise<FaultServer> {
  const seen = new Map<string, Seen>()
  const strays: string[] = []
  const waiting = new Map<string, (() => void)[]>()
  const answered = new Map<string, number>()
  const keyOf = (fault: Fault, call: Call) => `${fault.id}-${call}`
  const seenAt = (key: string) => {
    const found = seen.get(key) ?? { requests: 0, pauses: [], headers: [], signs: new Set(), held: 0 }
    seen.set(key, found)
    return found
  }

  const server = createServer((request, response) => {
    const [, key = '', path = ''] = /^\/([^/]+)(\/[^?]*)/.exec(request.url ?? '') ?? []
    const [faultId, call] = key.split('-')
    const fault = faults.find((one) => one.id === faultId)
    if (!fault?.answer || !isCall(call) || path === '/elsewhere') {
      strays.push(`${request.method} ${request.url}`)
      return void response.writeHead(404).end()
    }
    const { answer, times = 1 } = fault
    const record = seenAt(key)
    record.requests++
    record.held++
    record.headers.push({ traceparent: request.headers.traceparent, accept: request.headers.accept })
    const previous = answered.get(key)
    if (previous !== undefined) record.pauses.push(performance.now() - previous)
    answered.delete(key)
    response.on('close', () => {
      record.held--
    })
    // Before the client can have the answer, so that the pause until its next request is not measured too short.
    const endsNow = () => answered.set(key, performance.now())
    const sign = new URL(request.url!, 'http://souk').searchParams.get('sign')
    if (sign) record.signs.add(sign)

    const send: FaultyRequest['send'] = (status, headers, body) => {
      endsNow()
      response.writeHead(status, { 'X-Request-Id': `${key}-${record.requests}`, ...headers }).end(body)
    }
    const json = (status: number, body: object | boolean, headers: OutgoingHttpHeaders = {}) =>
      send(status, { 'Content-Type': 'application/json', ...headers }, JSON.stringify(body))
    request.resume().on('end', () =>
      answer({
        response,
        number: record.requests,
        right: JSON.stringify(resultOf(call)),
        elsewhere: `${urlOf(request)}/elsewhere`,
        send,
        succeed: (fields = {}) => json(200, resultOf(call, fields)),
        refuse: (status, code, headers, data) => {
          const refusal = { status, code, ...(data && { data }) }
          const header = { ...refusal, msg: 'No.' }
          json(status, { responseHeader: header, response: null, ...refusal, detail: 'No.' }, headers)
        },
        hangUp(text = '') {
          endsNow()
          if (text) response.socket!.end(text)
          else response.socket!.destroy()
        },
        together(release) {
          const others = [...(waiting.get(key) ?? []), release]
          waiting.set(key, others)
          if (others.length < atOnce(times)) return
          waiting.delete(key)
          for (const one of others) one()
        },
      }),
    )
  })
  // Clients on slow machines do not meet a connection that the server closes because it is idle.
  server.keepAliveTimeout = 10 * minute
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 })
  const unused = createServer().listen(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(unused, 'listening')])
  const url = (one: typeof server) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`
  const closed = url(unused)
  unused.close()
  await once(unused, 'close')
  return {
    urlFor: (fault, call) => (fault.answer ? `${url(server)}/${keyOf(fault, call)}` : closed),
    seenOf: (fault, call) => seenAt(keyOf(fault, call)),
    strays,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const isCall = (name: string | undefined): name is Call => calls.some((call) => call === name)

const urlOf = ({ headers }: IncomingMessage) => `http://${headers.host}`

/** Returns the body of the right response. */
function resultOf(call: Call, fields: object = {}): object | boolean {
  if (call === 'deleteDataset') return true
  const { response, ...envelope } = exampleResponse(openOperations.tradedetail) as { response: object }
  return { ...envelope, response: { ...response, tradeNo: id, ...fields } }
}
