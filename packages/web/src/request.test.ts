import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { send } from './request.ts'

/** Takes every request and answers none. */
let silent: Server
let url: string
beforeEach(async () => {
  silent = createServer(() => {})
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
})
afterEach(() => {
  silent.closeAllConnections()
  silent.close()
})

test('a server that does not answer in time counts as one that cannot be reached', async () => {
  await expect(send(new Request(url), undefined, 50)).rejects.toMatchObject({ name: 'Problem', code: 'unreachable' })
})

test('who has asked can give up before that, which is no problem', async () => {
  const asking = new AbortController()
  const answer = send(new Request(url), asking.signal, 60_000)
  asking.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
})
