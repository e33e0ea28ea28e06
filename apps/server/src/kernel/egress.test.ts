import type { LookupAddress } from 'node:dns'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createEgress, type Egress, type EgressOptions, EgressRefused } from './egress.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function egressWith(options: Partial<EgressOptions>): Egress {
  const egress = createEgress({ allowlist: [], loopback: false, ...options })
  closing.push(() => egress.close())
  return egress
}

/** Starts an HTTP server on a loopback address. */
async function receiver(
  listener: RequestListener,
  address = '127.0.0.1',
  port = 0,
): Promise<Server & { port: number }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return Object.assign(server, { port: (server.address() as AddressInfo).port })
}

const address = (text: string): LookupAddress => ({ address: text, family: text.includes(':') ? 6 : 4 })
const resolvesTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map(address)

const get = (egress: Egress, url: string, limits: { timeout?: number; maxBytes?: number } = {}) =>
  egress.request({ purpose: 'test', url, method: 'GET', headers: {}, timeout: 30_000, maxBytes: 1_000, ...limits })

/** Returns the EgressRefused of a request. @throws the error or response that came instead */
async function refusalOf(egress: Egress, url: string): Promise<EgressRefused> {
  const reason = await get(egress, url).then(
    (response) => new Error(`status ${response.status}`),
    (error: Error) => error,
  )
  if (!(reason instanceof EgressRefused)) throw reason
  return reason
}

const special: [address: string, kind: RegExp][] = [
  ['10.1.2.3', /private/],
  ['172.16.0.1', /private/],
  ['172.31.255.255', /private/],
  ['192.168.1.1', /private/],
  ['127.0.0.1', /loopback/],
  ['127.8.9.10', /loopback/],
  ['169.254.1.1', /link-local/],
  ['169.254.169.254', /metadata/],
  ['168.63.129.16', /metadata/],
  ['100.100.100.200', /metadata/],
  ['100.64.0.1', /carrier-grade NAT/],
  ['100.127.255.255', /carrier-grade NAT/],
  ['224.0.0.1', /multicast/],
  ['239.255.255.250', /multicast/],
  ['255.255.255.255', /broadcast/],
  ['240.0.0.1', /reserved/],
  ['192.0.2.1', /reserved/],
  ['192.175.48.1', /reserved/],
  ['198.18.0.1', /reserved/],
  ['0.0.0.0', /unspecified/],
  ['0.1.2.3', /unspecified/],
  ['::', /unspecified/],
  ['::1', /loopback/],
  ['fe80::1', /link-local/],
  ['fec0::1', /reserved/],
  ['fc00::1', /unique-local/],
  ['fd12:3456::1', /unique-local/],
  ['fd00:ec2::254', /metadata/],
  ['ff02::1', /multicast/],
  ['::ffff:10.0.0.1', /embeds an IPv4/],
  ['::ffff:8.8.8.8', /embeds an IPv4/],
  ['::ffff:0:127.0.0.1', /embeds an IPv4/],
  ['64:ff9b::127.0.0.1', /embeds an IPv4/],
  ['64:ff9b:1::10.0.0.1', /embeds an IPv4/],
  ['2002:7f00:1::', /embeds an IPv4/],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', /embeds an IPv4/],
  ['::127.0.0.1', /reserved|embeds an IPv4/],
  ['2001:db8::1', /reserved/],
  ['4000::1', /reserved/],
]

describe('refusal, without a DNS lookup', () => {
  test.each(special)('rejects %s unless it is listed', (text, what) => {
    const host = new URL(`https://${text.includes(':') ? `[${text}]` : text}/`).hostname
    expect(egressWith({}).refusal(host)).toMatch(what)
    const opened = egressWith({ allowlist: [host] })
    expect(opened.refusal(host)).toBeUndefined()
  })

  test('rejects localhost unless loopback or the name is allowed; accepts other names and public addresses', () => {
    for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'shop.localhost']) {
      expect(egressWith({}).refusal(host)).toMatch(/resolves to a loopback address/)
      expect(egressWith({ loopback: true }).refusal(host)).toBeUndefined()
      expect(egressWith({ allowlist: ['localhost', '*.localhost'] }).refusal(host)).toBeUndefined()
    }
    for (const host of ['shop.example', 'localhost.example', 'notlocalhost', '93.184.216.34', '[2606:4700::1111]']) {
      expect(egressWith({}).refusal(host)).toBeUndefined()
    }
  })
})

describe('addresses', () => {
  test.each(special)('rejects %s as a literal', async (text, what) => {
    const host = text.includes(':') ? `[${text}]` : text
    const refused = await refusalOf(egressWith({}), `https://${host}/notify`)
    expect(refused.message).toMatch(what)
    expect(refused.message).toContain('SOUK_PRIVATE_HOSTS')
  })

  test.each(special)('rejects a name that resolves to %s', async (text, what) => {
    const refused = await refusalOf(egressWith({ resolve: resolvesTo(text) }), 'https://shop.example/notify')
    expect(refused.message).toMatch(what)
    expect(refused.message).toContain('shop.example')
    expect(refused.address).toBe(text)
  })

  test.each([
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://%31%32%37.0.0.1/',
    'https://１２７.０.０.１/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://user@127.0.0.1/',
  ])('recognizes %s as a loopback address', async (url) => {
    expect((await refusalOf(egressWith({}), url)).message).toMatch(/loopback|embeds an IPv4/)
  })

  test('connects to a private address that an entry of the operator contains', async () => {
    const { port } = await receiver((_, answer) => answer.end('here'))
    for (const entry of ['127.0.0.1', '127.0.0.0/30']) {
      expect(await get(egressWith({ allowlist: [entry] }), `http://127.0.0.1:${port}/`)).toMatchObject({ body: 'here' })
    }
  })

  test('a listed name allows private networks, but neither metadata nor link-local addresses', async () => {
    const { port } = await receiver((_, answer) => answer.end('here'))
    const named = (text: string) => egressWith({ allowlist: ['pay.example'], resolve: resolvesTo(text) })
    expect(await get(named('127.0.0.1'), `http://pay.example:${port}/`)).toMatchObject({ status: 200, body: 'here' })
    for (const text of ['169.254.169.254', 'fd00:ec2::254', '169.254.7.7', '0.0.0.0', '::ffff:127.0.0.1']) {
      expect((await refusalOf(named(text), `http://pay.example:${port}/`)).message).toContain('the address itself')
    }
  })

  test('a range does not allow a metadata service in it, but its own address does', async () => {
    const url = 'https://169.254.169.254/latest/meta-data'
    expect((await refusalOf(egressWith({ allowlist: ['169.254.0.0/16'] }), url)).message).toMatch(/metadata/)
    const opened = createEgress({ allowlist: ['169.254.169.254'], loopback: false })
    expect(opened.allowsPrivate('169.254.169.254')).toBe(true)
  })

  test('resolves a name once and connects to the address that was checked', async () => {
    const requests: string[] = []
    const listed = await receiver((_, answer) => answer.end('listed'))
    await receiver((_, answer) => answer.end('not listed'), '127.0.0.2', listed.port)
    const egress = egressWith({
      allowlist: ['127.0.0.1', '*.example'],
      // The first result is harmless, all later ones are the attacker's target.
      resolve: async (hostname) => [address(requests.push(hostname) === 1 ? '127.0.0.1' : '169.254.169.254')],
    })
    const url = `http://rebind.example:${listed.port}/`
    expect(await get(egress, url)).toMatchObject({ body: 'listed' })
    expect(requests).toEqual(['rebind.example'])

    listed.closeAllConnections()
    expect((await refusalOf(egress, url)).message).toMatch(/metadata/)
    expect(requests).toHaveLength(2)
  })

  test('connects only to the allowed ones of several addresses', async () => {
    const passed = await receiver((_, answer) => answer.end('passed'))
    await receiver((_, answer) => answer.end('refused'), '127.0.0.2', passed.port)
    const egress = egressWith({
      allowlist: ['127.0.0.1'],
      resolve: resolvesTo('127.0.0.2', '::ffff:127.0.0.2', '127.0.0.1'),
    })
    // Plain http would need the name to be listed, which would open the other address too.
    const reason = await get(egress, `https://both.example:${passed.port}/`).catch((error: Error) => error)
    expect(reason).not.toBeInstanceOf(EgressRefused)
    expect(reason).toMatchObject({ code: expect.stringMatching(/SSL|EPROTO/) })
  })
})

describe('plain http', () => {
  test('is rejected for hosts that the operator did not list', async () => {
    const egress = egressWith({ allowlist: ['10.0.0.0/8', 'pay.example'], resolve: resolvesTo('10.0.0.1') })
    for (const url of [
      'http://shop.example/',
      'http://8.8.8.8/',
      'http://notpay.example/',
      'http://pay.example.evil.example/',
    ]) {
      expect((await refusalOf(egress, url)).message).toContain('use https')
    }
  })

  test('rejects invalid URLs and other schemes', async () => {
    for (const url of ['', '/notify', 'ftp://pay.example/', 'file:///etc/passwd', 'https://', 'javascript:1']) {
      await expect(get(egressWith({ loopback: true }), url)).rejects.toThrow(EgressRefused)
    }
  })

  test('reaches the developer’s own machine from a sandbox, by address and by name', async () => {
    const { port } = await receiver((request, answer) => answer.end(request.headers.host))
    const egress = egressWith({ loopback: true })
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await get(egress, `http://${host}:${port}/`)).toMatchObject({ status: 200, body: `${host}:${port}` })
    }
    await expect(get(egressWith({ loopback: false }), `http://localhost:${port}/`)).rejects.toThrow(EgressRefused)
  })

  test('is allowed for listed hosts only', () => {
    const { allowsPrivate } = egressWith({
      allowlist: ['Pay.Example', '*.leased.example', '10.0.0.0/8', '203.0.113.7', 'fd12::/16', 'bücher.example'],
    })
    for (const host of [
      ...['pay.example', 'PAY.example.', 'a.leased.example', 'a.b.leased.example', '10.200.0.1', '203.0.113.7'],
      ...['[fd12::1]', 'xn--bcher-kva.example'],
    ]) {
      expect([host, allowsPrivate(host)]).toEqual([host, true])
    }
    for (const host of [
      'leased.example',
      'xleased.example',
      'a.pay.example',
      '11.0.0.1',
      '203.0.113.8',
      '[fd13::1]',
      'localhost',
    ]) {
      expect([host, allowsPrivate(host)]).toEqual([host, false])
    }
  })

  test.each(['10.0.0.0/40', 'http://pay.example', 'pay.example:8080', 'a b', '*', '*.', 'a.*.example', '0x7f.1', ''])(
    'the entry "%s" throws an error that names it',
    (entry) => {
      expect(() => createEgress({ allowlist: [entry], loopback: false })).toThrow(`"${entry}"`)
    },
  )

  test('the error does not show a password in an entry', () => {
    const allowlist = ['https://souk:hidden@pay.example']
    expect(() => createEgress({ allowlist, loopback: false })).toThrow('contains "…@pay.example"')
  })
})

describe('extraHosts', () => {
  const requestWith = (egress: Egress, url: string, extraHosts: readonly string[]) =>
    egress.request({ purpose: 'test', url, method: 'GET', headers: {}, timeout: 30_000, maxBytes: 1_000, extraHosts })

  test('allow hosts for their request only; other requests do not share its connections', async () => {
    const { port } = await receiver((_, answer) => answer.end('here'))
    const egress = egressWith({ resolve: resolvesTo('127.0.0.1') })
    const url = `http://pay.internal:${port}/`
    expect(egress.allowsPrivate('pay.internal')).toBe(false)
    expect(egress.allowsPrivate('pay.internal', ['*.internal'])).toBe(true)
    for (let time = 0; time < 2; time++) {
      expect(await requestWith(egress, url, ['pay.internal'])).toMatchObject({ body: 'here' })
      expect((await refusalOf(egress, url)).message).toContain('use https')
      await expect(requestWith(egress, url, ['other.internal'])).rejects.toThrow(EgressRefused)
    }
    // Over https any name is allowed, so the address is rejected.
    const secure = `https://pay.internal:${port}/`
    await expect(requestWith(egress, secure, ['other.internal'])).rejects.toThrow(/loopback/)
    await expect(requestWith(egress, secure, ['pay.internal'])).rejects.toMatchObject({
      code: expect.stringMatching(/SSL|EPROTO/),
    })
    expect((await refusalOf(egress, secure)).message).toMatch(/loopback/)
  })

  test.each([
    '169.254.169.254',
    '169.254.0.0/16',
    'fd00:ec2::254',
    '0.0.0.0',
    '224.0.0.0/4',
    'http://a',
    'a b',
    '*',
    '',
  ])('cannot contain %s', (entry) => {
    expect(egressWith({}).explainInvalidEntry(entry)).toContain(JSON.stringify(entry))
  })

  test.each(['10.0.0.0/0', '160.0.0.0/4', '169.0.0.0/8'])('do not allow link-local addresses by %s', (entry) => {
    expect(egressWith({}).refusal('169.254.170.2', [entry])).toMatch(/link-local/)
    expect(egressWith({ allowlist: [entry] }).refusal('169.254.170.2')).toBeUndefined()
  })

  test.each(['pay.internal', '*.leased.example', '10.2.0.0/16', '192.168.1.7', 'fd12::/16', '127.0.0.1', '8.8.8.8'])(
    'can contain %s',
    (entry) => {
      expect(egressWith({}).explainInvalidEntry(entry)).toBeNull()
    },
  )
})

describe('requests', () => {
  test('sends method, headers and body, and returns status, headers and body', async () => {
    const { port } = await receiver((request, answer) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        answer.writeHead(418, { 'X-Twice': ['a', 'b'] })
        answer.end(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`)
      })
    })
    const answer = await egressWith({ loopback: true }).request({
      purpose: 'test',
      url: `http://localhost:${port}/notify?x=1`,
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'grüße',
      timeout: 30_000,
      maxBytes: 1_000,
    })
    expect(answer).toMatchObject({ status: 418, body: 'POST /notify?x=1 text/plain grüße' })
    expect(answer.headers['x-twice']).toBe('a,b')
  })

  test('does not follow redirects', async () => {
    let requests = 0
    const { port } = await receiver((_, answer) => {
      requests++
      answer.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    })
    expect(await get(egressWith({ loopback: true }), `http://localhost:${port}/`)).toMatchObject({ status: 302 })
    expect(requests).toBe(1)
  })

  test('reads an endless response up to the limit and closes the connection', async () => {
    let sent = 0
    const { promise: dropped, resolve: closed } = Promise.withResolvers<void>()
    const { port } = await receiver((_, answer) => {
      const chunk = 'x'.repeat(65_536)
      const more = () => {
        while (!answer.destroyed && answer.write(chunk)) sent += chunk.length
      }
      answer.on('drain', more).on('close', closed)
      more()
    })
    const answer = await get(egressWith({ loopback: true }), `http://localhost:${port}/`, { maxBytes: 1_024 })
    expect(answer.body).toBe('x'.repeat(1_024))
    await dropped
    expect(sent).toBeLessThan(16_000_000)
  })

  test('omits a character that the limit cuts in two', async () => {
    const { port } = await receiver((_, answer) => answer.end('aé€'.repeat(10)))
    expect(await get(egressWith({ loopback: true }), `http://localhost:${port}/`, { maxBytes: 5 })).toMatchObject({
      body: 'aé',
    })
  })

  test('times out if the response never starts, never ends, or the name is never resolved', async () => {
    const { port } = await receiver((request, answer) => {
      if (request.url === '/begins') answer.write('…')
    })
    const egress = egressWith({ loopback: true })
    for (const path of ['/silent', '/begins']) {
      const reason = get(egress, `http://localhost:${port}${path}`, { timeout: 100 })
      await expect(reason).rejects.toMatchObject({ name: 'TimeoutError' })
    }
    const nameless = egressWith({ resolve: () => new Promise(() => {}) })
    await expect(get(nameless, 'https://shop.example/', { timeout: 100 })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })

  test('reuses connections', async () => {
    const connections = new Set()
    const { port } = await receiver((request, answer) => {
      connections.add(request.socket)
      answer.end('ok')
    })
    const egress = egressWith({ loopback: true })
    for (let i = 0; i < 20; i++) await get(egress, `http://localhost:${port}/`)
    expect(connections.size).toBeLessThanOrEqual(2)
  })
})
