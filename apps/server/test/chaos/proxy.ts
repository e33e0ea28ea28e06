import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Phases of a proxied request: before it is forwarded, after its execution, and after the response was returned. */
export type RequestPhase = 'received' | 'executed' | 'answered'

/** A proxy that can delay and drop requests. */
export interface Proxy {
  url: string
  close(): Promise<void>
}

/**
 * Starts a proxy. `target` returns the URL to forward a request to, or undefined to drop it. `onPhase` is awaited at
 * each phase and returns false to drop the request.
 */
export async function startProxy(
  target: () => string | undefined,
  onPhase: (phase: RequestPhase) => Promise<boolean>,
): Promise<Proxy> {
  const server = createServer((incoming, response) => {
    forward(incoming, response).catch(() => response.destroy())
  })

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(incoming)
    if (!(await onPhase('received'))) return void response.destroy()
    const base = target()
    if (base === undefined) return void response.destroy()
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = incoming.headers
    const forwarded = request(new URL(incoming.url ?? '/', base), { method: incoming.method, headers, agent: false })
    forwarded.end(body)
    const [upstream] = (await once(forwarded, 'response')) as [IncomingMessage]
    const reply = await readBody(upstream)
    if (!(await onPhase('executed'))) return void response.destroy()
    response.writeHead(upstream.statusCode ?? 502, { ...upstream.headers, connection: 'close' })
    response.end(reply)
    await onPhase('answered')
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
