import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How far a request has got that passes a tap: before it is handed on, once it is answered, once the answer is handed back. */
export type Stage = 'asked' | 'acted' | 'answered'

/** A place on the way between two processes, where each request can be held up or lost. */
export interface Tap {
  url: string
  close(): Promise<void>
}

/**
 * Opens a tap in front of `target`, which is asked for with each request; undefined: nobody is there. `passes` is waited for at
 * each stage, and where it says false the connection breaks.
 */
export async function openTap(
  target: () => string | undefined,
  passes: (stage: Stage) => Promise<boolean>,
): Promise<Tap> {
  const server = createServer((asked, answer) => {
    pass(asked, answer).catch(() => answer.destroy())
  })

  async function pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await bytesOf(asked)
    if (!(await passes('asked'))) return void answer.destroy()
    const base = target()
    if (base === undefined) return void answer.destroy()
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = asked.headers
    const handedOn = request(new URL(asked.url ?? '/', base), { method: asked.method, headers, agent: false })
    handedOn.end(body)
    const [came] = (await once(handedOn, 'response')) as [IncomingMessage]
    const reply = await bytesOf(came)
    if (!(await passes('acted'))) return void answer.destroy()
    answer.writeHead(came.statusCode ?? 502, { ...came.headers, connection: 'close' })
    answer.end(reply)
    await passes('answered')
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

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
