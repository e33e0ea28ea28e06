import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MapTiles } from '@souk/contract/bridge'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { webSurface } from './index.ts'

const allowedOrigins = async () => ['https://app.example', 'http://localhost:5173']

let directory: string
let server: FastifyInstance

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'souk-web-'))
  server = Fastify()
})
afterEach(async () => {
  await server.close()
  await rm(directory, { recursive: true })
})

const publicUrl = 'https://souk.example.com'
const page = `<!doctype html><meta property="csp-nonce" nonce="__SOUK_NONCE__">
<meta name="souk-environment" content="__SOUK_ENVIRONMENT__"><meta name="souk-map-tiles" content="__SOUK_MAP_TILES__">`

async function withBuild(sandbox = true, miniAppsUrl?: string, mapTiles?: MapTiles): Promise<void> {
  for (const name of ['console', 'host']) {
    const dist = join(directory, name, 'dist')
    await mkdir(join(dist, 'assets'), { recursive: true })
    await writeFile(join(dist, 'index.html'), page)
    await writeFile(join(dist, 'embed.html'), `${page}<title>Embedded</title>`)
    await writeFile(join(dist, 'favicon.svg'), '<svg/>')
    await writeFile(join(dist, 'service-worker.js'), 'worker')
    await writeFile(join(dist, '.sources'), 'hash')
    await writeFile(join(dist, 'assets/main-abc.js'), 'plain')
    await writeFile(join(dist, 'assets/main-abc.js.br'), 'brotli')
  }
  await server.register(webSurface({ sandbox, publicUrl, miniAppsUrl, mapTiles }, allowedOrigins, directory))
}

test('serves the page at every address of the console, uncached and with a new nonce each time', async () => {
  await withBuild()
  const answers = await Promise.all(
    ['/console/', '/console/projects/x/apps'].map((url) => server.inject({ method: 'GET', url })),
  )
  const nonces = answers.map(({ headers, body }) => {
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe')
    const nonce = /nonce="([^"]+)"/.exec(body)?.[1]
    expect(policy).toContain(`'nonce-${nonce}'`)
    return nonce
  })
  expect(nonces[0]).not.toBe(nonces[1])
})

test('redirects the root to the host application', async () => {
  await withBuild()
  const { statusCode, headers } = await server.inject({ method: 'GET', url: '/' })
  expect([statusCode, headers.location]).toEqual([302, '/host/'])
})

test('serves files with a hash in their names as immutable, and compressed if accepted', async () => {
  await withBuild()
  const url = '/console/assets/main-abc.js'
  const plain = await server.inject({ method: 'GET', url })
  expect(plain.body).toBe('plain')
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const small = await server.inject({ method: 'GET', url, headers: { 'accept-encoding': 'gzip, br' } })
  expect(small.body).toBe('brotli')
  expect(small.headers['content-encoding']).toBe('br')
  expect(small.headers['content-type']).toMatch(/^(text|application)\/javascript/)
})

test('does not serve the page for unknown operations or files', async () => {
  await withBuild()
  for (const url of ['/console/v1/nothing', '/host/v1/nothing']) {
    const operation = await server.inject({ method: 'GET', url })
    expect(operation.statusCode).toBe(404)
    expect(operation.json().code).toBe('route_unknown')
  }
  const file = await server.inject({ method: 'GET', url: '/console/assets/gone.js' })
  expect(file.statusCode).toBe(404)
})

/** Returns a directive of the policy that the host has if it is opened by this name. */
async function directiveOf(directive: string, host: string): Promise<string | undefined> {
  const answer = await server.inject({ method: 'GET', url: '/host/', headers: { host } })
  const policy = String(answer.headers['content-security-policy']).split('; ')
  return policy.find((each) => each.startsWith(`${directive} `))
}

test('the host may frame releases and the page around web views only, by the name it is opened with', async () => {
  await withBuild(false)
  for (const host of ['souk.example', 'localhost:7070', '127.0.0.1:7070'])
    expect(await directiveOf('frame-src', host)).toBe(`frame-src ${host}/web-view ${host}/mini/`)
  // A policy cannot name these.
  for (const host of ['192.168.1.4:7070', '[::1]:7070', 'a;script-src *'])
    expect(await directiveOf('frame-src', host)).toBe("frame-src 'self' 'self'")
})

test('the host and the console may read releases of another origin, and the host may frame them there only', async () => {
  const url = 'https://mini.example'
  await withBuild(false, url)
  expect(await directiveOf('frame-src', 'souk.example')).toBe(`frame-src souk.example/web-view ${url}/mini/`)
  expect(await directiveOf('connect-src', 'souk.example')).toBe(`connect-src 'self' ${url}`)
  const { headers } = await server.inject({ method: 'GET', url: '/console/' })
  expect(String(headers['content-security-policy']).split('; ')).toContain(`connect-src 'self' ${url}`)
})

test('in a sandbox the host may also frame development servers on this machine', async () => {
  await withBuild()
  const answer = await server.inject({
    method: 'GET',
    url: '/host/apps/abc?page=pages/index/index',
    headers: { host: 'souk.example' },
  })
  expect(answer.body).toContain('content="sandbox"')
  const development = 'http://localhost:* http://127.0.0.1:*'
  const policy = String(answer.headers['content-security-policy'])
  expect(policy).toContain(`frame-src souk.example/web-view souk.example/mini/ ${development};`)
  expect(policy).toContain(`connect-src 'self' ${development};`)
  expect(policy).not.toContain('unsafe')
})

test('in a live installation the host may not frame servers of this machine, and pages know that it is live', async () => {
  await withBuild(false, undefined, { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: '© "Maps" $&' })
  const answer = await server.inject({ method: 'GET', url: '/host/', headers: { host: 'souk.example' } })
  expect(answer.body).toContain('content="live"')
  expect(answer.body).toContain(
    'content="{&quot;url&quot;:&quot;https://tiles.example/{z}/{x}/{y}.png&quot;,&quot;attribution&quot;:&quot;© \\&quot;Maps\\&quot; $&amp;&quot;}"',
  )
  const policy = String(answer.headers['content-security-policy'])
  expect(policy).not.toContain('localhost')
})

test('serves files next to a page with their media type, service workers uncached, and no hidden files', async () => {
  await withBuild()
  const worker = await server.inject({ method: 'GET', url: '/host/service-worker.js' })
  expect(worker.body).toBe('worker')
  expect(worker.headers['content-type']).toMatch(/^text\/javascript/)
  expect(worker.headers['cache-control']).toBe('no-cache')
  const icon = await server.inject({ method: 'GET', url: '/host/favicon.svg' })
  expect(icon.headers['content-type']).toBe('image/svg+xml')
  const hidden = await server.inject({ method: 'GET', url: '/host/.sources' })
  expect(hidden.body).not.toBe('hash')
})

test('only allowed origins may frame the page of embedded mini apps, which is otherwise as strict as the host', async () => {
  await withBuild(false)
  for (const url of ['/host/embed/0123456789abcdef0123456789abcdef?page=pages/menu', '/host/embed/check']) {
    const { body, headers } = await server.inject({ method: 'GET', url, headers: { host: 'souk.example' } })
    expect(body).toContain('content="live"')
    expect(body).toContain('<title>Embedded</title>')
    expect(headers['cache-control']).toBe('no-store')
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toContain("frame-ancestors 'self' https://app.example http://localhost:5173")
    expect(policy).toContain('frame-src souk.example/web-view souk.example/mini/')
    expect(policy).toContain("script-src 'self'")
  }
  const host = await server.inject({ method: 'GET', url: '/host/' })
  expect(String(host.headers['content-security-policy']).split('; ')).toContain("frame-ancestors 'none'")
  // A page without a policy.
  expect((await server.inject({ method: 'GET', url: '/host/embed.html' })).body).not.toContain('Embedded')
})

async function withDocs(): Promise<void> {
  const dist = join(directory, 'docs', 'dist')
  await mkdir(join(dist, 'assets'), { recursive: true })
  await mkdir(join(dist, 'guides'), { recursive: true })
  const page = (text: string) => `<!doctype html><script id="check-dark-mode">dark()</script><p>${text}</p>`
  await writeFile(join(dist, '404.html'), page('missing'))
  await writeFile(join(dist, 'index.html'), page('home'))
  await writeFile(join(dist, '.sources'), 'hash')
  await writeFile(join(dist, 'assets/app.abc.js'), 'script')
  await writeFile(
    join(dist, 'guides/live.html'),
    page('live <link rel="canonical" href="__SOUK_URL__/docs/guides/live">'),
  )
  await writeFile(join(dist, 'sitemap.xml'), '<loc>__SOUK_URL__/docs/</loc>')
  await writeFile(join(dist, 'guides/live.md'), '# Live')
  await mkdir(join(dist, 'examples/assets'), { recursive: true })
  await mkdir(join(dist, 'examples/hybrid/html'), { recursive: true })
  for (const path of ['examples/index.html', 'examples/hybrid/html/help.html', 'examples/assets/app.abc.js'])
    await writeFile(join(dist, path), 'example')
  await server.register(webSurface({ sandbox: true, publicUrl }, allowedOrigins, directory))
}

test('serves each page of the documentation by its name, with the hashes of its scripts as policy', async () => {
  await withDocs()
  for (const [url, text] of [
    ['/docs/', 'home'],
    ['/docs/guides/live', 'live'],
  ] as const) {
    const { statusCode, body, headers } = await server.inject({ method: 'GET', url })
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ])
    expect(body).toContain(text)
    expect(headers['content-security-policy']).toContain(
      `script-src 'self' 'sha256-${createHash('sha256').update('dark()').digest('base64')}';`,
    )
  }
  const script = await server.inject({ method: 'GET', url: '/docs/assets/app.abc.js' })
  expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const markdown = await server.inject({ method: 'GET', url: '/docs/guides/live.md' })
  expect([markdown.headers['content-type'], markdown.body]).toEqual(['text/markdown; charset=utf-8', '# Live'])
})

test('serves the examples of the documentation with an opaque origin, for frames of the documentation', async () => {
  await withDocs()
  const policyOf = async (url: string) => {
    const { headers } = await server.inject({ method: 'GET', url })
    expect(headers['access-control-allow-origin']).toBe('*')
    return String(headers['content-security-policy']).split('; ')
  }
  const document = await policyOf('/docs/examples/index.html')
  expect(document).toEqual(
    expect.arrayContaining(["script-src 'self'", "frame-ancestors 'self'", 'sandbox allow-scripts allow-forms']),
  )
  const page = await policyOf('/docs/examples/hybrid/html/help.html')
  expect(page).toContain('sandbox allow-scripts allow-forms')
  expect(page.join()).not.toContain('frame-ancestors')
  await policyOf('/docs/examples/assets/app.abc.js')
})

test('names its own address in the metadata of the documentation', async () => {
  await withDocs()
  const [live, sitemap, head, part] = await Promise.all([
    server.inject({ method: 'GET', url: '/docs/guides/live' }),
    server.inject({ method: 'GET', url: '/docs/sitemap.xml' }),
    server.inject({ method: 'HEAD', url: '/docs/guides/live' }),
    server.inject({ method: 'GET', url: '/docs/guides/live', headers: { Range: 'bytes=0-9' } }),
  ])
  expect(live.body).toContain(`<link rel="canonical" href="${publicUrl}/docs/guides/live">`)
  expect(sitemap.body).toBe(`<loc>${publicUrl}/docs/</loc>`)
  expect([live.statusCode, head.statusCode, head.body]).toEqual([200, 200, ''])
  expect([part.statusCode, part.body]).toEqual([200, live.body])
})

test.each(['/docs/nothing', '/docs/.sources', '/docs/guides'])(
  'answers %s with the page of the documentation for what is missing',
  async (url) => {
    await withDocs()
    const { statusCode, body } = await server.inject({ method: 'GET', url })
    expect(statusCode).toBe(404)
    expect(body).toContain('missing')
  },
)

test.each(['console', 'host', 'docs'])('explains how to build the %s if it has not been built', async (name) => {
  await server.register(webSurface({ sandbox: true, publicUrl }, allowedOrigins, directory))
  const answer = await server.inject({ method: 'GET', url: `/${name}/` })
  expect(answer.statusCode).toBe(503)
  expect(answer.body).toContain('npm start')
  if (name === 'host') expect((await server.inject({ method: 'GET', url: '/host/embed/x' })).statusCode).toBe(503)
})
