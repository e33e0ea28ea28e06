import { request } from 'node:http'
import {
  consoleOperations,
  hostOperations,
  type Operation,
  openOperations,
  operations,
  opsOperations,
  platformOperations,
} from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createUser } from '../../src/domain/users/index.ts'
import { startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
/** Credentials by surface. */
let credentials: Record<string, Record<string, string>>
/** Identifiers of resources, which have to exist before a large body is read. */
let existing: Record<string, string>
beforeAll(async () => {
  souk = await startTestSouk()
  const { uid } = await createUser(souk.context, { kind: 'admin' }, { nickname: 'Layla' })
  const { session } = (await souk.raw('POST', '/host/v1/sessions', {}, { uid })).body
  const admin = { Authorization: `Bearer ${souk.adminToken}` }
  credentials = { console: admin, platform: admin, host: { Authorization: `Bearer ${session}` } }
  const { projectId } = (await souk.console('POST', '/console/v1/projects', { name: 'Tea' })).body
  const { appid } = (await souk.console('POST', '/console/v1/apps', { projectId, name: 'Tea House' })).body
  const dataset = { name: 'notes', fields: [{ name: 'title', type: 'string' }] }
  const { datasetId } = (await souk.console('POST', `/console/v1/projects/${projectId}/datasets`, dataset)).body
  existing = { appid, datasetId }
})
afterAll(() => souk.stop())

const urlOf = ({ path }: Operation) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => existing?.[name] ?? 'f'.repeat(32))

/** Sends a request with any Host header, which `fetch` does not allow. */
function send(
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: object; body: string }> {
  return new Promise((resolve, reject) => {
    request(souk.url + path, { headers: { Connection: 'close', ...headers } }, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
        if (body.startsWith(': connected')) response.destroy()
      })
      response.on('close', () => resolve({ status: response.statusCode!, headers: response.headers, body }))
    })
      .on('error', reject)
      .end()
  })
}

const json = Object.values({ ...consoleOperations, ...platformOperations, ...hostOperations } as Record<
  string,
  Operation
>)
  .filter(({ method, body }) => method !== 'GET' && body?.includes('json') !== false)
  // Tests of hosts cover those that repair texts.
  .filter(({ file, repairsText }) => !file && !repairsText)
  .map((operation) => [operation.id, operation] as const)

describe('lone surrogates', () => {
  test.each(json)('are rejected in every parameter of %s', async (_id, operation) => {
    const names = Object.keys(operation.parameters.properties).filter((name) => !operation.path.includes(`{${name}}`))
    for (const name of names.filter((name) => name !== 'records')) {
      for (const value of ['\ud800', ['a', 'b\udfff'], { a: [{ b: '\ud800' }] }, { '\ud800': 1 }]) {
        const answer = await souk.raw(operation.method, urlOf(operation), credentials[operation.surface]!, {
          [name]: value,
        })
        expect([name, value, answer.status, answer.body.code]).toEqual([name, value, 400, 'parameter_malformed'])
      }
    }
  })

  test('are rejected in forms of the open API', async () => {
    for (const operation of Object.values<Operation>(openOperations).filter(({ body }) => body?.includes('form'))) {
      const body = Buffer.from('appid=a%ED%A0%80')
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      const answer = await souk.send(operation.method, operation.path, { headers, body })
      expect([operation.id, answer.code]).toEqual([operation.id, 'parameter_malformed'])
    }
  })
})

test.each(json)('deeply nested JSON is rejected in every parameter of %s', async (_id, operation) => {
  const names = Object.keys(operation.parameters.properties).filter((name) => !operation.path.includes(`{${name}}`))
  const nested = '['.repeat(8_000) + ']'.repeat(8_000)
  for (const name of names) {
    const response = await fetch(souk.url + urlOf(operation), {
      method: operation.method,
      headers: { ...credentials[operation.surface], 'Content-Type': 'application/json' },
      body: `{"${name}":${nested}}`,
    })
    const { code } = (await response.json()) as { code: string }
    expect([name, response.status, code]).toEqual([name, 400, 'parameter_malformed'])
  }
})

test.each([opsOperations.openapi.path, opsOperations.pagesSchema.path])(
  'requests for %s, which need no authentication, do not serialize it again',
  async (path) => {
    const stringify = vi.spyOn(JSON, 'stringify')
    const { status, headers, body } = await send(path, { Host: 'localhost' })
    const longest = Math.max(0, ...stringify.mock.results.map(({ value }) => String(value).length))
    stringify.mockRestore()
    expect([status, headers]).toMatchObject([200, { 'content-type': 'application/json; charset=utf-8' }])
    expect(JSON.parse(body)).toBeTypeOf('object')
    expect(longest).toBeLessThan(body.length / 2)
  },
)

test('metrics are not served at another spelling of their path, which a proxy may not block', async () => {
  expect((await send('/metrics?a=1', { Host: 'localhost' })).status).toBe(200)
  expect((await send('/%6detrics', { Host: 'localhost' })).status).toBe(404)
})

test.each([
  '/healthz',
  '/readyz',
  '/',
  '/host',
  '/host/',
  '/host/v1/nothing',
  '/host/embed/x',
  '/files/avatars/4c.svg',
])('HEAD %s has the status and headers of GET', async (path) => {
  const answers = await Promise.all(
    ['GET', 'HEAD'].map(async (method) => {
      const response = await fetch(souk.url + path, { method, redirect: 'manual' })
      const { status, headers } = response
      await response.arrayBuffer()
      return [status, headers.get('content-type'), headers.get('content-length'), headers.get('location')]
    }),
  )
  // An error names its own request, in an id of constant length.
  expect(answers[1]).toEqual(answers[0])
})

describe('another Host header', () => {
  const health = ['/healthz', '/readyz', '/metrics']
  const paths = [...new Set(operations.filter(({ method }) => method === 'GET').map(urlOf))]
  const checked = [
    ...paths,
    '/',
    '/host/',
    '/console/',
    '/mini/a/b/index.html',
    '/local-pages/a/b/hybrid/html/a.html',
    '/files/a.png',
    '/npm/a',
  ].filter((path) => !health.includes(path))

  test.each(checked)('is rejected at %s, with advice', async (path) => {
    const { status, body } = await send(path, { Host: 'evil.example' })
    expect(status).toBe(421)
    expect(body).toMatch(/Use http:\/\/souk\.test\. If the server has other names, add them to SOUK_ALLOWED_HOSTS/)
  })

  test.each(health)('is accepted at %s', async (path) => {
    expect((await send(path, { Host: '10.1.2.3:7070' })).status).toBe(200)
  })

  test.each([
    '127.0.0.1',
    '127.0.0.1:7070',
    '127.9.9.9',
    'localhost',
    'LocalHost:1234',
    'app.localhost',
    '[::1]:7070',
    '[::ffff:127.0.0.1]',
    'souk.test',
    'SOUK.TEST.:443',
    'souk.internal:7070',
    '192.0.2.10',
    '[2001:db8:0::10]:7070',
  ])('%s is the server itself', async (host) => {
    expect((await send('/console/v1/setup', { Host: host })).status).toBe(200)
  })

  test.each([
    '192.0.2.11',
    '0.0.0.0',
    '[::]',
    '[2001:db8::11]',
    'evil.souk.test',
    'souk.test.evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1@evil.example',
    'evil.example#localhost',
    'evil.example/localhost',
    'evil.example:x',
  ])('"%s" is not', async (host) => {
    expect((await send('/console/v1/setup', { Host: host })).status).toBe(421)
  })
})

describe('headers', () => {
  const paths = [...new Set([...operations, ...Object.values<Operation>(opsOperations)].map(urlOf))]

  test.each([...paths, '/', '/nothing', '/%', '/host/', '/host/v1/events'])('%s is not sniffed', async (path) => {
    expect((await send(path, credentials.host!)).headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
  })

  test('require https in a live installation that has it, and in no other', async () => {
    const cases = [
      { options: { sandbox: false, publicUrl: 'https://souk.test' }, header: 'max-age=31536000' },
      { options: { sandbox: false, publicUrl: 'http://souk.test' }, header: undefined },
      { options: { sandbox: true, publicUrl: 'https://souk.test' }, header: undefined },
    ]
    for (const { options, header } of cases) {
      const other = await startTestSouk(options)
      for (const path of ['/healthz', '/host/', '/api/v1/me', '/nothing', '/%']) {
        const { headers } = await fetch(other.url + path)
        expect([path, headers.get('strict-transport-security') ?? undefined]).toEqual([path, header])
      }
      await other.stop()
    }
  })
})
