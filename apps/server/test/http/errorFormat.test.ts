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
