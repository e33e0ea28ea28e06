import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Installation } from './installation.ts'

/**
 * How many callbacks a second a server delivers that has many to deliver: from the moment when all are due to the arrival of
 * the last one at a receiver in this process.
 */
export async function deliveries(installation: Installation, count: number): Promise<number> {
  let arrived = 0
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-length': 7 }).end('success')
      if (++arrived === count) receiver.emit('all')
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const all = once(receiver, 'all', { signal: AbortSignal.timeout(120_000) })
  try {
    await installation.queueCallbacks(count, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callback`)
    const began = performance.now()
    await all
    return count / ((performance.now() - began) / 1000)
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
}
