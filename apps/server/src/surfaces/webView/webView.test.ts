import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { webViewSurface } from './index.ts'

let server: FastifyInstance

beforeEach(async () => {
  server = Fastify({ routerOptions: { querystringParser: () => ({}) } })
  await server.register(webViewSurface({ sandbox: false }))
})
afterEach(() => server.close())

const frameOfHost = { host: 'souk.example', 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }
const open = (url: string, headers: Record<string, string> = frameOfHost) =>
  server.inject({ method: 'GET', url: `/web-view?url=${encodeURIComponent(url)}`, headers })

test('frames a foreign page without any script of its own', async () => {
  const { statusCode, body, headers } = await open('https://shop.example/offer?a=1&b="><script>alert(1)</script>')
  expect(statusCode).toBe(200)
  expect(body).toContain('src="https://shop.example/offer?a=1&amp;b=%22%3E%3Cscript%3Ealert(1)%3C/script%3E"')
  expect(body).not.toContain('<script')
  expect(body).not.toContain('allow-top-navigation')
  const policy = String(headers['content-security-policy']).split('; ')
  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", 'frame-src https:', "frame-ancestors 'self'", "form-action 'none'"]),
  )
})

test.each([
  'javascript:alert(1)',
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
