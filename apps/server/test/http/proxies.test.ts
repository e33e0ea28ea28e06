import { once } from 'node:events'
import { get } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk

beforeAll(async () => {
  souk = await startTestSouk({ trustProxy: 1, rateLimit: 2, publicUrl: 'https://souk.example' })
})
afterAll(() => souk.stop())

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
