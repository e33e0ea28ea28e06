import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'

/**
 * Lets the server close as soon as the requests under way are answered. A connection that has never carried one, such as
 * browsers open ahead of need, would hold it up: Node counts it neither as idle nor as busy.
 */
export function closeWhenAnswered(server: FastifyInstance): void {
  let underWay = 0
  let closing = false
  const closeRest = () => {
    if (closing && underWay === 0) server.server.closeAllConnections()
  }
  const onClose = () => {
    underWay--
    closeRest()
  }
  server.addHook('onRequest', (_request, reply, done) => {
    underWay++
    reply.raw.once('close', onClose)
    done()
  })
  server.addHook('preClose', async () => {
    closing = true
    // Not before the server has stopped listening.
    setImmediate(closeRest)
  })
}

/** How much of a body that nobody wants is read, in bytes, and for how long, in ms. */
const mostDropped = 32 * 1024 * 1024
const dropLimit = 2_000

/** Reads the rest of a body and drops it, within limits. */
export async function readAndDrop(request: IncomingMessage): Promise<void> {
  let dropped = 0
  const enough = new AbortController()
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > mostDropped) enough.abort()
  })
  const signal = AbortSignal.any([enough.signal, AbortSignal.timeout(dropLimit)])
  await finished(request, { signal }).catch(() => {})
}
