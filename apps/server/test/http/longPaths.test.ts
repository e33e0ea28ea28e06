import { operations } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk

beforeAll(async () => {
  souk = await startTestSouk()
})
afterAll(() => souk.stop())

const marker = 'do-not-log-this'
const segments = [101, 4000].map((length) => marker.padEnd(length, 'x'))

const paths = operations.filter(({ path }) => path.includes('{')).map(({ method, path }) => ({ method, path }))
const others = [
  '/webhooks/{}',
  '/files/{}',
  '/npm/{}',
  '/mini/{}/{}/index.html',
  '/local-pages/{}/{}/hybrid/html/a.html',
  '/neuopenapi/{}',
  '/api/v1/{}',
  '/{}',
].map((path) => ({ method: path.startsWith('/webhooks') ? 'POST' : 'GET', path }))

test.each([...paths, ...others])(
  'a long segment in $method $path is refused without logging it',
  async ({ method, path }) => {
    for (const segment of segments) {
      const answer = await fetch(souk.url + path.replace(/\{\w*\}/g, segment), {
        method,
        headers: { Authorization: `Bearer ${souk.adminToken}` },
      })
      expect([400, 404]).toContain(answer.status)
      const body = await answer.text()
      const isOpen = path.startsWith('/neuopenapi')
      if (isOpen)
        expect(JSON.parse(body).responseHeader).toMatchObject({ status: answer.status, code: expect.any(String) })
      else if (answer.headers.get('content-type')?.includes('json')) {
        expect(answer.headers.get('content-type')).toContain('application/problem+json')
        expect(JSON.parse(body)).toMatchObject({ status: answer.status, code: expect.any(String) })
      }
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/)
    }
    expect(souk.logged.filter((line) => line.includes(marker))).toEqual([])
  },
)
