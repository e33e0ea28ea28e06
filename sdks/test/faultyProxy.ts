import { once } from 'node:events'
import { createServer, request as forward, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a client sent. */
interface SeenRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The parameters of the query string and of an urlencoded body. */
  parameters: Record<string, string>
}

/**
 * A fault: a request gets this status with these headers and this body, or its connection breaks, with `lose` after the
 * request has been answered.
 */
type Fault = { status: number; headers?: Record<string, string>; body?: string } | 'break' | 'lose'

/** A proxy in front of Souk that records requests and causes faults. */
export interface FaultyProxy {
  url: string
  seen: SeenRequest[]
  /** Number of connections that clients have opened. */
  connections(): number
  /** The faults of the next requests, in order. Those after them are forwarded. */
  faults: Fault[]
  close(): Promise<void>
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const seen: SeenRequest[] = []
  const faults: Fault[] = []
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const { method = 'GET', url = '/', headers } = incoming
    const [path = '', query] = url.split('?')
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    const parameters = new URLSearchParams([query, isForm ? body.toString() : ''].filter(Boolean).join('&'))
    seen.push({ method, path, headers, parameters: Object.fromEntries(parameters) })
    const fault = faults.shift()
    if (fault === 'break') {
      incoming.socket.destroy()
      return
    }
    if (typeof fault === 'object') {
      outgoing.writeHead(fault.status, fault.headers).end(fault.body)
      return
    }
    forward(`${target}${url}`, { method, headers: { ...headers, host: new URL(target).host } }, (answer) => {
      if (fault === 'lose') {
        answer.resume().on('end', () => incoming.socket.destroy())
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    }).end(body)
  })
  let connections = 0
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    faults,
    connections: () => connections,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
