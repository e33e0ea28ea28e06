import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noWebhookFaults, type WebhookFaults, WebhookSender } from './webhooks.ts'

let server: Server
let url: string
let received: string[]
/** Number of next deliveries that get a 500. */
let failures: number
let webhooks: WebhookSender

beforeEach(async () => {
  received = []
  failures = 0
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push(body)
    response.writeHead(failures-- > 0 ? 500 : 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  webhooks = new WebhookSender()
})
afterEach(() => {
  webhooks.close()
  server.closeAllConnections()
  server.close()
})

const send = (count: number, from = webhooks) => {
  for (let index = 0; index < count; index++) from.send({ url, body: String(index), signatureHeaders: () => ({}) })
}

/** Sends 40 webhooks and returns those that arrive, sorted. */
async function deliver40(faults: Partial<WebhookFaults>): Promise<string[]> {
  received = []
  const some = new WebhookSender()
  some.faults = { ...noWebhookFaults, ...faults }
  send(40, some)
  await some.settled()
  some.close()
  return received.sort()
}

test('delivers each webhook once without faults', async () => {
  expect(new Set(await deliver40({}))).toHaveLength(40)
  expect(received).toHaveLength(40)
})

test('loses and duplicates the same webhooks for the same seed', async () => {
  const faults = { seed: 3, lossRate: 0.3, duplicateRate: 0.3 }
  const first = await deliver40(faults)
  const distinct = new Set(first).size
  expect(distinct).toBeLessThan(40)
  expect(first.length).toBeGreaterThan(distinct)
  expect(await deliver40(faults)).toEqual(first)
  expect(await deliver40({ ...faults, seed: 4 })).not.toEqual(first)
  expect(await deliver40({ lossRate: 1 })).toEqual([])
})

test('delivers out of order with random delays', async () => {
  webhooks.faults = { ...noWebhookFaults, maxDelay: 80 }
  send(20)
  await expect.poll(() => received.length).toBe(20)
  expect(received).not.toEqual([...received].sort((a, b) => Number(a) - Number(b)))
})

test('retries a webhook that was not acknowledged', async () => {
  failures = 1
  send(1)
  await expect.poll(() => received).toEqual(['0', '0'])
  await webhooks.settled()
  expect(webhooks.deliveries.map(({ status }) => status)).toEqual([500, 200])
})

test('releases held webhooks in the requested order', async () => {
  webhooks.faults = { ...noWebhookFaults, hold: true }
  send(3)
  expect(received).toEqual([])
  await webhooks.release([2, 0, 0])
  expect(received).toEqual(['2', '0', '0'])
})
