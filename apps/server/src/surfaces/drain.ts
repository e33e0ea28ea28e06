import type { IncomingMessage } from 'node:http'
import { SoukError, second } from '@souk/contract'
import type { FastifyInstance } from 'fastify'

/**
 * Closes all connections once pending requests are answered and the server is closing. Otherwise connections that
 * browsers opened in advance would delay it, since Node counts them neither as idle nor as active.
 */
export function closeWhenAnswered(server: FastifyInstance): void {
  let pending = 0
  let closing = false
  const closeRest = () => {
    if (closing && pending === 0) server.server.closeAllConnections()
  }
  const onClose = () => {
    pending--
    closeRest()
  }
  server.addHook('onRequest', (_request, reply, done) => {
    pending++
    reply.raw.once('close', onClose)
    done()
  })
  server.addHook('preClose', async () => {
    closing = true
    // After the server has stopped listening.
    setImmediate(closeRest)
  })
}

/**
 * Moves clients to other servers: while the server drains, each response closes its connection, and once it has stopped
 * listening, requests on connections that are still open are rejected.
 */
export function announceStop(server: FastifyInstance, draining: () => boolean): void {
  let closing = false
  server.addHook('preClose', async () => {
    closing = true
  })
  server.addHook('onRequest', (_request, _reply, done) => {
    done(closing ? new SoukError('unavailable', 'The server is stopping; repeat the request.') : undefined)
  })
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (draining()) reply.header('Connection', 'close')
    done(null, payload)
  })
}

/** Limits for discarding a body. */
const maxDiscarded = 32 * 1024 * 1024
const discardTimeout = 2 * second

/** Reads and discards the rest of a body, within limits. */
export function discardBody(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let discarded = 0
    const end = () => {
      clearTimeout(limit)
      request.off('data', count).off('end', end).off('error', end).off('close', end)
      resolve()
    }
    const count = (chunk: Buffer) => {
      discarded += chunk.length
      if (discarded > maxDiscarded) end()
    }
    const limit = setTimeout(end, discardTimeout)
    request.on('data', count).on('end', end).on('error', end).on('close', end)
  })
}
