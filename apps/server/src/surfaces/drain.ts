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
  server.addHook('onRequest', async (_request, reply) => {
    underWay++
    reply.raw.once('close', () => {
      underWay--
      closeRest()
    })
  })
  server.addHook('preClose', async () => {
    closing = true
    // Not before the server has stopped listening.
    setImmediate(closeRest)
  })
}
