import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { second } from '@souk/contract/time'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { send } from './request.ts'

/** Server that never responds. */
let server: Server
let url: string
beforeEach(async () => {
  server = createServer(() => {})
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

test('reports a timeout as `unreachable`', async () => {
  await expect(send(new Request(url), undefined, 50)).rejects.toMatchObject({ name: 'Problem', code: 'unreachable' })
})

test('rethrows the AbortError if the caller aborts', async () => {
  const controller = new AbortController()
  const response = send(new Request(url), controller.signal, 60 * second)
  controller.abort()
  await expect(response).rejects.toMatchObject({ name: 'AbortError' })
})
