import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Measures deliveries per second, from the time all are due until this process has received the last one. `queue` makes
 * them due.
 */
export async function measureDeliveries(queue: (url: string) => Promise<void>, count: number): Promise<number> {
  let received = 0
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-length': 7 }).end('success')
      if (++received === count) receiver.emit('all')
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const all = once(receiver, 'all', { signal: AbortSignal.timeout(120_000) })
  try {
    await queue(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callback`)
    const start = performance.now()
    await all
    return count / ((performance.now() - start) / 1000)
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
}
