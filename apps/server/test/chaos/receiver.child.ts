import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received callback. */
export interface Received {
  body: string
  acknowledged: boolean
  /** Time of receipt, ms. */
  time: number
}

/** An event received by the company's backend. */
export interface ReceivedEvent {
  eventId: string
  acknowledged: boolean
}

// The backends of merchant and company, in a process that is not killed. GET /received lists the callbacks, GET /events
// the events.
const received: Received[] = []
const events: ReceivedEvent[] = []
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    return void response.end(JSON.stringify(request.url === '/events' ? events : received))
  }
  let body = ''
  request.setEncoding('utf8').on('data', (text) => {
    body += text
  })
  request.on('end', () => {
    if (request.url === '/events') {
      const acknowledged = events.length % 11 !== 10
      events.push({ eventId: String(request.headers['webhook-id']), acknowledged })
      return void response.writeHead(acknowledged ? 204 : 500).end()
    }
    // Rejects everything at /refuses, and every 11th callback otherwise.
    const acknowledged = request.url !== '/refuses' && received.length % 11 !== 10
    received.push({ body, acknowledged, time: Date.now() })
    response.writeHead(acknowledged ? 200 : 500).end(acknowledged ? 'success' : 'injected fault')
  })
})
const host = process.argv[2] ?? '127.0.0.1'
server.listen(0, host, () => {
  process.send?.(`http://${host}:${(server.address() as AddressInfo).port}`)
})
process.once('disconnect', () => process.exit())
