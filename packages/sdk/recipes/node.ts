import { createServer } from 'node:http'
import { settleOrder } from './orders.ts'
import { souk } from './souk.ts'

const receive = souk.callbacks.node(settleOrder)

export const server = createServer((request, response) => {
  if (request.url === '/souk/callback') return receive(request, response)
  response.writeHead(404).end()
})
