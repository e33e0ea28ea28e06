import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A received callback. */
export interface Received {
  body: string
  acknowledged: boolean
}

// The merchant's backend, in a process that is not killed. GET /received lists the callbacks.
const received: Received[] = []
const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(JSON.stringify(received))
  let body = ''
  request.setEncoding('utf8').on('data', (text) => {
    body += text
  })
  request.on('end', () => {
    // Rejects everything at /refuses, and every 11th callback otherwise.
    const acknowledged = request.url !== '/refuses' && received.length % 11 !== 10
    received.push({ body, acknowledged })
    response.writeHead(acknowledged ? 200 : 500).end(acknowledged ? 'success' : 'injected fault')
  })
})
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.once('disconnect', () => process.exit())
