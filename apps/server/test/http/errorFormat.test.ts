import { once } from 'node:events'
import { connect } from 'node:net'
import { errors } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk()
})
afterAll(() => souk.stop())

/** Sends bytes on a new connection and returns everything that the server sends until it closes the connection. */
async function sendBytes(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(souk.url).port), '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => (received += text))
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  return received
}

function problemOf(answer: string) {
  const [head, body] = answer.split('\r\n\r\n') as [string, string]
  expect(head).toContain('Content-Type: application/problem+json')
  const problem = JSON.parse(body)
  expect(head).toContain(`X-Request-Id: ${problem.requestId}`)
  expect(head).toContain(`Link: </docs/errors/${problem.code}>; rel="help"`)
  expect(Number(head.split(' ')[1])).toBe(errors[problem.code as keyof typeof errors].status)
  return { head, code: problem.code }
}

test.each([
  ['a request line that is not HTTP', 'HELLO\r\n\r\n', 'request_malformed'],
  ['a target with bytes outside of ASCII', 'GET \xe9/ HTTP/1.1\r\nHost: a\r\n\r\n', 'request_malformed'],
  ['too many headers', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 'headers_too_large'],
])('%s gets a registered error, and the connection is closed', async (_name, bytes, code) => {
  const { head, code: answered } = problemOf(await sendBytes(bytes))
  expect(answered).toBe(code)
  // Otherwise the client would send its next request on a connection that is already gone.
  expect(head).toContain('Connection: close')
})

test('an unknown expectation is ignored', async () => {
  const answer = await sendBytes('GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
})

test.each([
  ['an unknown path with a body that is not JSON', 'POST', '/nothing', '{'],
  ['a stream without a session', 'GET', '/host/v1/events', undefined],
  ['a stream of the console without a session', 'GET', '/console/v1/listen', undefined],
])('%s gets a registered error as problem details', async (_name, method, path, body) => {
  const answer = await fetch(souk.url + path, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  })
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  const problem = (await answer.json()) as { code: keyof typeof errors; status: number }
  expect(problem.status).toBe(answer.status)
  expect(errors[problem.code].status).toBe(answer.status)
})

test.each([
  ['open API', '/neuopenapi/oauth/mini/user/info', 'parameter_missing'],
  ['platform data API', '/api/v1/datasets', 'api_key_invalid'],
  ['token endpoint', '/host/v1/token', 'body_unsupported'],
  ['server', '/nothing', 'route_unknown'],
])('errors of the %s name their page in the documentation', async (_api, path, code) => {
  const response = await fetch(new URL(path, souk.url), path.endsWith('token') ? { method: 'POST', body: 'x' } : {})
  const body = (await response.json()) as { code?: string; responseHeader?: { code: string } }
  expect([body.code ?? body.responseHeader?.code, response.headers.get('Link')]).toEqual([
    code,
    `</docs/errors/${code}>; rel="help"`,
  ])
})

const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test.each([
  [undefined, 'en', 'Page not found'],
  ['fr-FR,fr;q=0.9', 'en', 'Page not found'],
  ['fr,ar-SA;q=0.9,en;q=0.8', 'ar', 'الصفحة غير موجودة'],
  ['zh-TW', 'zh-CN', '页面不存在'],
])(
  'an unknown address is a page in a browser with the languages %s, and says nothing about routes',
  async (accepted, language, title) => {
    const headers = { Accept: html, ...(accepted === undefined ? {} : { 'Accept-Language': accepted }) }
    const answers = await Promise.all(
      ['/nope', '/neuopen', '/api/v1/nope', '/nope?a=<script>'].map((path) => fetch(souk.url + path, { headers })),
    )
    const pages = await Promise.all(
      answers.map(async (answer) => {
        expect(answer.status).toBe(404)
        expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
        expect(answer.headers.get('cache-control')).toBe('no-store')
        expect(answer.headers.get('vary')).toContain('Accept, Accept-Language')
        const policy = answer.headers.get('content-security-policy')!
        expect(policy).toMatch(/^default-src 'none'; style-src 'nonce-[^']+'; img-src 'self'; /)
        expect(policy).not.toContain('unsafe')
        const page = await answer.text()
        expect(page).toContain(`<style nonce="${/nonce-([^']+)/.exec(policy)![1]}">`)
        return page.replace(/nonce="[^"]*"/, '')
      }),
    )
    expect(new Set(pages).size).toBe(1)
    expect(pages[0]).toContain(`<html lang="${language}"`)
    expect(pages[0]).toContain(`<h1>${title}</h1>`)
    expect(pages[0]).toContain('href="/host/"')
    expect(pages[0]).not.toMatch(/<script|nope/)
  },
)

test('an unknown address is a problem for programs', async () => {
  for (const init of [{}, { headers: { Accept: 'application/json' } }, { method: 'POST', headers: { Accept: html } }]) {
    const answer = await fetch(new URL('/nope', souk.url), init)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ code: 'route_unknown' })
  }
  const head = await fetch(new URL('/nope', souk.url), { method: 'HEAD', headers: { Accept: html } })
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
    404,
    'text/html; charset=utf-8',
    '',
  ])
})

test('the log says how long a refused request took', async () => {
  const password = { username: 'nobody', password: 'not the password' }
  const began = performance.now()
  const { body } = await souk.raw('POST', '/console/v1/session', {}, password)
  const took = performance.now() - began
  const { ms } = souk.logged.map((line) => JSON.parse(line)).find(({ requestId }) => requestId === body.requestId)
  // The password is hashed, which takes tens of milliseconds.
  expect(ms).toBeGreaterThan(5)
  expect(ms).toBeLessThanOrEqual(took + 1)
})
