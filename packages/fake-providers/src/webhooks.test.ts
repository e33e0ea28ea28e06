import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fairWeather, type Weather, Webhooks } from './webhooks.ts'

let server: Server
let url: string
let received: string[]
/** How many of the next deliveries are answered with 500. */
let refuses: number
let webhooks: Webhooks

beforeEach(async () => {
  received = []
  refuses = 0
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push(body)
    response.writeHead(refuses-- > 0 ? 500 : 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  webhooks = new Webhooks()
})
afterEach(() => {
  webhooks.close()
  server.closeAllConnections()
  server.close()
})

const send = (count: number, from = webhooks) => {
  for (let index = 0; index < count; index++) from.send({ url, body: String(index), signed: () => ({}) })
}

/** What arrives of 40 webhooks. */
async function through(weather: Partial<Weather>): Promise<string[]> {
  received = []
  const some = new Webhooks()
  some.weather = { ...fairWeather, ...weather }
  send(40, some)
  await some.settled()
  some.close()
  return received.sort()
}

test('in fair weather each arrives once', async () => {
  expect(new Set(await through({}))).toHaveLength(40)
  expect(received).toHaveLength(40)
})

test('a seed decides which are lost and which come twice', async () => {
  const weather = { seed: 3, lost: 0.3, duplicated: 0.3 }
  const first = await through(weather)
  const distinct = new Set(first).size
  expect(distinct).toBeLessThan(40)
  expect(first.length).toBeGreaterThan(distinct)
  expect(await through(weather)).toEqual(first)
  expect(await through({ ...weather, seed: 4 })).not.toEqual(first)
  expect(await through({ lost: 1 })).toEqual([])
})

test('with delays they overtake each other', async () => {
  webhooks.weather = { ...fairWeather, maxDelay: 80 }
  send(20)
  await expect.poll(() => received.length).toBe(20)
  expect(received).not.toEqual([...received].sort((a, b) => Number(a) - Number(b)))
})

test('one that is not taken comes again', async () => {
  refuses = 1
  send(1)
  await expect.poll(() => received).toEqual(['0', '0'])
  await webhooks.settled()
  expect(webhooks.deliveries.map(({ status }) => status)).toEqual([500, 200])
})

test('what is held back is sent in the order that is asked for', async () => {
  webhooks.weather = { ...fairWeather, held: true }
  send(3)
  expect(received).toEqual([])
  await webhooks.release([2, 0, 0])
  expect(received).toEqual(['2', '0', '0'])
})
