import { noDomains } from '@souk/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { App } from '../../domain/app.ts'
import type { Apps, FullContext } from '../../domain/context.ts'
import { webViewSurface } from './index.ts'

let server: FastifyInstance

/** Starts the surface with a mini app `tea` that may show pages of shop.example. */
async function start(sandbox: boolean): Promise<void> {
  server = Fastify({ routerOptions: { querystringParser: () => ({}) } })
  // Responses are delayed like in the whole server.
  server.addHook('onSend', (_request, _reply, payload, done) => void setImmediate(done, null, payload))
  const app = { domains: { ...noDomains, webView: ['shop.example'] } } as App
  const apps = { find: async (appid: string) => (appid === 'tea' ? app : undefined) } as Apps
  await server.register(
    webViewSurface({ apps, settings: { sandbox }, log: undefined } as unknown as FullContext, async () => [
      'https://app.example',
    ]),
  )
}
beforeEach(() => start(false))
afterEach(() => server.close())

const frameOfHost = { host: 'souk.example', 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }
const open = (url: string, headers: Record<string, string> = frameOfHost, appid = 'tea') =>
  server.inject({ method: 'GET', url: `/web-view?appid=${appid}&url=${encodeURIComponent(url)}`, headers })

test('frames a foreign page without any script of its own', async () => {
  const { statusCode, body, headers } = await open('https://shop.example/offer?a=1&b="><script>alert(1)</script>')
  expect(statusCode).toBe(200)
  expect(body).toContain('src="https://shop.example/offer?a=1&amp;b=%22%3E%3Cscript%3Ealert(1)%3C/script%3E"')
  expect(body).not.toContain('<script')
  expect(body).not.toContain('allow-top-navigation')
  const policy = String(headers['content-security-policy']).split('; ')
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      'frame-src https://shop.example',
      "frame-ancestors 'self' https://app.example",
      "form-action 'none'",
    ]),
  )
})

test.each([
  'javascript:alert(1)',
  'https://other.example/',
  'http://shop.example/',
  'data:text/html,hello',
  'https://souk.example/mini/a/b/',
  'http://souk.example/console/',
  '/console/',
  '',
])('does not frame %s', async (url) => {
  expect((await open(url)).statusCode).toBe(404)
})

test('opens in a frame of the host only, neither in a tab nor in the frame of a mini app', async () => {
  const url = 'https://shop.example/'
  for (const headers of [
    { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' },
    { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' },
  ])
    expect((await open(url, { host: 'souk.example', ...headers })).statusCode).toBe(404)
})

test('an unknown mini app may show no page, and in a sandbox any mini app may show every page but those of Souk', async () => {
  expect((await open('https://shop.example/', frameOfHost, 'cake')).statusCode).toBe(404)
  await server.close()
  await start(true)
  expect((await open('https://other.example/', frameOfHost, 'cake')).statusCode).toBe(200)
  expect((await open('https://souk.example/host/')).statusCode).toBe(404)
})
