import { readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Souk } from './index.ts'

/** The recipes of the guide, from `recipes/`. */
const recipes = ['node', 'express', 'fastify', 'hono'] as const

const servers: Server[] = []
const addresses: Record<string, string> = {}
let souk: Souk
let settled: () => string[]

beforeAll(async () => {
  vi.stubEnv('SOUK_APPID', 'aaaaaaaaaaaaaaa')
  vi.stubEnv('SOUK_SECRET', '0123456789abcdef0123456789abcdef0123456789abcdef')
  vi.spyOn(console, 'error').mockImplementation(() => {})
  souk = (await import('../recipes/souk.ts')).souk
  settled = (await import('../recipes/orders.ts')).settled
  const fastify = (await import('../recipes/fastify.ts')).app
  await fastify.ready()
  const listeners: Record<(typeof recipes)[number], RequestListener> = {
    node: (await import('../recipes/node.ts')).server.listeners('request')[0] as RequestListener,
    express: (await import('../recipes/express.ts')).app,
    fastify: fastify.routing,
    hono: getRequestListener((await import('../recipes/hono.ts')).app.fetch),
  }
  for (const recipe of recipes) {
    const server = createServer(listeners[recipe])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    addresses[recipe] = `http://127.0.0.1:${(server.address() as { port: number }).port}/souk/callback`
  }
})

afterAll(() => {
  for (const server of servers) server.close()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

async function post(recipe: string, body: string, headers: Record<string, string>) {
  const answer = await fetch(addresses[recipe]!, { method: 'POST', body, headers: { ...headers, connection: 'close' } })
  return { status: answer.status, text: await answer.text() }
}

describe.each(recipes)('the recipe for %s', (recipe) => {
  test('acknowledges a callback and processes a repeated one once', async () => {
    const { body, headers } = souk.callbacks.signTestCallback({
      notifyId: `${recipe}-1`,
      outTradeNo: `${recipe} order`,
    })
    for (let i = 0; i < 2; i++) {
      expect(await post(recipe, body, headers)).toEqual({ status: 200, text: 'success' })
    }
    expect(settled().filter((line) => line.startsWith(recipe))).toEqual([`${recipe} order paid`])
  })

  test('refuses a callback with a changed amount and says why', async () => {
    const { body, headers } = souk.callbacks.signTestCallback({ outTradeNo: `${recipe} forged` })
    const answer = await post(recipe, body.replace('amount=100&', 'amount=1&'), headers)
    expect(answer).toEqual({ status: 400, text: expect.stringContaining('(sign_mismatch)') })
    expect(settled()).not.toContain(`${recipe} forged paid`)
  })

  test('is quoted verbatim in the guide', () => {
    const guide = readFileSync(new URL('../../../docs/guides/verify-callbacks.md', import.meta.url), 'utf8')
    for (const name of [recipe, 'souk', 'orders']) {
      const source = readFileSync(new URL(`../recipes/${name}.ts`, import.meta.url), 'utf8')
      expect(guide).toContain(`\`\`\`ts\n${source}\`\`\`\n`)
    }
  })
})
