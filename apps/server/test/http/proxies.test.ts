import { once } from 'node:events'
import { get } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk

beforeAll(async () => {
  souk = await startTestSouk({ trustProxy: 1, rateLimit: 2, publicUrl: 'https://souk.example' })
})
afterAll(() => souk.stop())

test.each([
  ['an IPv4 address', (n: number) => `192.0.2.1:${50_000 + n}`],
  ['an IPv6 address', (n: number) => `[2001:db8::1]:${50_000 + n}`],
])('the port of %s that a proxy forwards does not make another client', async (_name, address) => {
  const attempt = async (n: number) => {
    const headers = { 'X-Forwarded-For': address(n) }
    return (await souk.raw('POST', '/console/v1/sign-on', headers, { providerId: 'f'.repeat(32) })).body.code
  }
  const codes = await Promise.all(Array.from({ length: 6 }, (_, n) => attempt(n)))
  expect(codes).toContain('sign_on_provider_not_found')
  expect(codes).toContain('rate_limited')
})

test('policies contain a forwarded host only if it is one of this server', async () => {
  const policyFor = async (forwarded: string) => {
    const { headers } = await fetch(`${souk.url}/host/embed/`, { headers: { 'X-Forwarded-Host': forwarded } })
    return headers.get('content-security-policy')
  }
  expect(await policyFor('souk.example')).toContain('souk.example/mini/')
  expect(await policyFor('evil.example')).toContain(`${new URL(souk.url).host}/mini/`)
})

test('a forwarded host does not admit a request to another name', async () => {
  const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'souk.example' }
  const [answer] = await once(get(`${souk.url}/console/v1/setup`, { headers }), 'response')
  answer.resume()
  expect(answer.statusCode).toBe(421)
})
