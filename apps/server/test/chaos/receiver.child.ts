import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What came as a callback, and whether it was acknowledged. */
export interface Received {
  body: string
  acknowledged: boolean
}

// A merchant's backend in a process of its own. What it has taken it knows for ever: GET /received.
const received: Received[] = []
const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(JSON.stringify(received))
  let body = ''
  request.setEncoding('utf8').on('data', (text) => {
    body += text
  })
  request.on('end', () => {
    // One merchant in a while never takes anything, and all of them have bad moments.
    const acknowledged = request.url !== '/refuses' && received.length % 11 !== 10
    received.push({ body, acknowledged })
    response.writeHead(acknowledged ? 200 : 500).end(acknowledged ? 'success' : 'rehearsed')
  })
})
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.once('disconnect', () => process.exit())
