import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createProxy } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, connect, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minute, openOperations } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleResponse } from '../../packages/contract/src/examples.ts'
import { type Driver, startDriver } from './driver.ts'
import { languages, typescript } from './languages.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const folder = mkdtempSync(join(tmpdir(), 'souk-tls-'))
const path = (name: string) => join(folder, name)
const id = '0123456789abcdef0123456789abcdef'

const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })

/** Creates a key and a certificate that the authority in `ca.pem` has signed. */
function issue(name: string): void {
  openssl(
    'req',
    '-new',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    `${name}.key`,
    '-subj',
    `/CN=${name}`,
    '-out',
    'csr',
  )
  writeFileSync(path('extensions'), 'subjectAltName=IP:127.0.0.1')
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'extensions', '-days', '2']
  openssl('x509', '-req', '-in', 'csr', ...signed, '-out', `${name}.pem`)
}

let server: Server
let proxy: Server
/** Addresses to which the proxy was asked to connect. */
const connections: string[] = []
const portOf = (one: Server) => (one.address() as AddressInfo).port

beforeAll(async () => {
  if (!hasOpenssl) return
  const authority = ['-keyout', 'ca.key', '-subj', '/CN=ca', '-days', '2', '-out', 'ca.pem']
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...authority)
  issue('server')
  issue('client')
  const both = ['-inkey', 'client.key', '-in', 'client.pem', '-passout', 'pass:password']
  openssl('pkcs12', '-export', ...both, '-out', 'client.p12')
  const read = (name: string) => readFileSync(path(name))
  // It wants a certificate of the client, too.
  const tls = {
    ca: read('ca.pem'),
    cert: read('server.pem'),
    key: read('server.key'),
    requestCert: true,
    rejectUnauthorized: true,
  }
  server = createServer(tls, (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(exampleResponse(openOperations.tradedetail)))
  })
  proxy = createProxy().on('connect', (request, socket, head) => {
    connections.push(request.url!)
    const upstream = connect(portOf(server), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    for (const one of [socket, upstream]) one.on('error', () => {})
  })
  for (const one of [server, proxy]) await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve))
}, minute)
afterAll(() => {
  server?.close()
  proxy?.close()
  rmSync(folder, { recursive: true })
})

const ca = path('ca.pem')
const certificate = { cert: path('client.pem'), key: path('client.key'), p12: path('client.p12') }
const cases: readonly { name: string; given: Record<string, string>; viaProxy?: boolean; fails?: boolean }[] = [
  { name: 'trusts an authority, and shows its own certificate', given: { ca, ...certificate } },
  { name: 'shows no certificate that it does not have', given: { ca }, fails: true },
  { name: 'refuses a server of an unknown authority', given: certificate, fails: true },
  { name: 'connects by a proxy', given: { ca, ...certificate }, viaProxy: true },
]

describe.each([typescript, ...languages])('the $name client', (language) => {
  describe.skipIf(!language.isInstalled || !hasOpenssl)(
    language.isInstalled ? 'with certificates' : `skipped: needs apt-get install openssl ${language.packages}`,
    () => {
      let driver: Driver
      beforeAll(() => {
        driver = startDriver(language.driver(mkdtempSync(join(folder, 'driver-'))), {
          SOUK_URL: 'http://127.0.0.1:9',
          SOUK_APPID: 'aaaaaaaaaaaaaaa',
          SOUK_SECRET: '0'.repeat(48),
          SOUK_API_KEY: 'key',
        })
      }, 10 * minute)
      afterAll(() => driver?.close())

      test.each(cases)(
        '$name',
        async ({ given, viaProxy, fails }) => {
          connections.length = 0
          const { result, error } = await driver.call('secured', {
            url: `https://127.0.0.1:${portOf(server)}`,
            id,
            ...given,
            ...(viaProxy && { proxy: `http://127.0.0.1:${portOf(proxy)}` }),
          })
          if (fails) expect(error).toMatchObject({ kind: 'connection' })
          else expect(result).toMatchObject({ outTradeNo: expect.any(String) })
          expect(connections).toEqual(viaProxy ? [`127.0.0.1:${portOf(server)}`] : [])
        },
        minute,
      )
    },
  )
})
