import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { maxArchiveSize } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveOf, build } from '../archive.ts'
import { type ConsoleUser, startTestSouk, type TestSouk } from '../souk.ts'

let souk: TestSouk
let appid: string
let editor: ConsoleUser
let viewer: ConsoleUser
let owner: ConsoleUser

beforeAll(async () => {
  souk = await startTestSouk()
  const { projectId } = (await souk.console('POST', '/console/v1/projects', { name: 'Coffee' })).body
  appid = (await souk.console('POST', '/console/v1/apps', { name: 'Tea House', projectId })).body.appid
  ;[owner, editor, viewer] = (await Promise.all(
    (['owner', 'editor', 'viewer'] as const).map((role) => souk.join(projectId, role)),
  )) as [ConsoleUser, ConsoleUser, ConsoleUser]
})
afterAll(() => souk.stop())

const asAdmin = () => ({ Authorization: `Bearer ${souk.adminToken}` })
const asUser = ({ cookie, csrf }: ConsoleUser) => ({ Cookie: cookie, 'X-Souk-CSRF': csrf })

type Part = [name: string, value: string | Buffer]
async function post(parts: readonly Part[], headers: Record<string, string> = asAdmin(), at = appid) {
  const form = new FormData()
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([new Uint8Array(value)]), 'release.tar.gz')
  }
  const answer = await fetch(`${souk.url}/console/v1/apps/${at}/releases`, { method: 'POST', headers, body: form })
  // biome-ignore lint/suspicious/noExplicitAny: wrong accesses fail the test.
  return { status: answer.status, body: (await answer.json()) as any }
}
let uploads = 0
const upload = async (files: Record<string, string | Buffer> = {}, headers?: Record<string, string>) =>
  post(
    [
      ['version', `1.0.${uploads++}`],
      ['fileData', await archiveOf(build('Mini App', files))],
    ],
    headers,
  )
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(souk.url + path, { headers, redirect: 'manual' })

test('the admin token and editors may upload a release, viewers may not', async () => {
  const archive = await archiveOf(build('App'))
  const parts: Part[] = [
    ['platform', 'App'],
    ['version', '1.2.3'],
    ['note', 'كوب شاي'],
    ['fileData', archive],
  ]
  const uploaded = await post(parts)
  expect(uploaded).toMatchObject({
    status: 200,
    body: { platform: 'App', version: '1.2.3', note: 'كوب شاي', stage: 'development', uploadedBy: 'admin' },
  })
  expect(await post(parts, asUser(editor))).toMatchObject({ status: 409, body: { code: 'release_version_taken' } })
  const next: Part[] = [
    ...parts.filter(([name]) => name !== 'version'),
    ['version', '1.2.4'],
    ['notes', '{"fr":"Thé"}'],
  ]
  expect((await post(next, asUser(editor))).body).toMatchObject({
    uploadedBy: editor.username,
    notes: { en_US: 'كوب شاي', fr: 'Thé' },
  })
  expect((await post(parts, asUser(viewer))).body.code).toBe('permission_denied')
  expect((await post(parts, {})).body.code).toBe('session_invalid')
  expect((await post(parts, { Cookie: editor.cookie })).body.code).toBe('csrf_invalid')
  expect((await post(parts, asUser(editor), 'zzzzzzzzzzzzzzz')).body.code).toBe('app_not_found')
  const path = `/console/v1/apps/${appid}/releases`
  expect((await viewer.call('GET', path)).body).toHaveLength(2)
  // Only owners may publish.
  const publish = `${path}/${uploaded.body.releaseId}/publish`
  expect((await editor.call('POST', publish, {})).body.code).toBe('permission_denied')
  expect((await owner.call('POST', publish, {})).body).toMatchObject({ stage: 'published', current: true })
})

test('refuses undocumented requests by name', async () => {
  const archive = await archiveOf(build())
  const version: Part = ['version', '1']
  for (const [parts, code] of [
    [[version], 'file_missing'],
    [[['fileData', archive]], 'parameter_missing'],
    [[version, ['archive', archive]], 'parameter_unknown'],
    [[version, ['colour', 'red'], ['fileData', archive]], 'parameter_unknown'],
    [[version, version, ['fileData', archive]], 'parameter_repeated'],
    [
      [
        ['version', '../1'],
        ['fileData', archive],
      ],
      'parameter_invalid',
    ],
    [[version, ['platform', 'Watch'], ['fileData', archive]], 'parameter_invalid'],
    [[version, ['platform', 'H5'], ['fileData', archive]], 'release_refused'],
    [[version, ['fileData', archive], ['fileData', archive]], 'body_too_large'],
    [[version, ['note', 'x'.repeat(20_000)], ['fileData', archive]], 'body_too_large'],
    [[version, ['note', 'a\0b'], ['fileData', archive]], 'parameter_control_character'],
    [[version, ['notes', '{"en":"a\\u0000b"}'], ['fileData', archive]], 'parameter_control_character'],
    [[version, ['notes', '{"en":1}'], ['fileData', archive]], 'parameter_invalid'],
    [[version, ['notes', '{"../en":"a"}'], ['fileData', archive]], 'parameter_invalid'],
    [[version, ['notes', 'en'], ['fileData', archive]], 'parameter_invalid'],
  ] as [Part[], string][]) {
    expect([code, (await post(parts)).body.code]).toEqual([code, code])
  }
  const json = await souk.console('POST', `/console/v1/apps/${appid}/releases`, { version: '1' })
  expect([json.status, json.body.code]).toEqual([415, 'body_unsupported'])
})

test('refuses hostile archives with a reason and stores nothing of them', async () => {
  const before = (await souk.console('GET', `/console/v1/apps/${appid}/releases`)).body.length
  const files = build()
  const entry = (name: string, more: object = {}) => archiveOf(files, [{ header: { name, size: 0, ...more } }])
  for (const [archive, reason] of [
    [await entry('../../etc/cron.d/evil'), /not a path within the release/],
    [await entry('/etc/passwd'), /not a path within the release/],
    [await entry('static/link', { type: 'symlink', linkname: '/etc/passwd' }), /symlink/],
    [await entry('static/hard', { type: 'link', linkname: 'index.html' }), /link/],
    [gzipSync(Buffer.alloc(80 * 1024 * 1024), { level: 1 }), /larger than 50 MB/],
    [
      await archiveOf({ ...files, ...Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`f/${n}`, ''])) }),
      /files/,
    ],
    [await archiveOf({ 'souk-app.json': files['souk-app.json']! }), /index.html is missing/],
    [await archiveOf({ 'index.html': 'x' }), /souk-app.json is missing/],
    [
      await archiveOf({ ...files, 'souk-app.json': '{"version":1,"app":{},"pages":[]}' }),
      /souk-app.json is invalid at/,
    ],
    [
      await archiveOf(build('Mini App', {}, ['pages/index/index', 'pages/a\0'])),
      /souk-app.json is invalid at \/pages\/1\/path/,
    ],
    [randomBytes(4096), /not gzip/],
  ] as [Buffer, RegExp][]) {
    const { status, body } = await post([
      ['version', '1'],
      ['fileData', archive],
    ])
    expect([String(reason), status, body.code]).toEqual([String(reason), 400, 'release_refused'])
    expect(body.detail).toMatch(reason)
  }
  expect((await souk.console('GET', `/console/v1/apps/${appid}/releases`)).body).toHaveLength(before)
})

test('accepts an archive of 20 MB, and not a byte more', async () => {
  const parts = (size: number): Part[] => [
    ['version', '1'],
    ['fileData', Buffer.alloc(size)],
  ]
  expect((await post(parts(maxArchiveSize))).body.code).toBe('release_refused')
  expect(await post(parts(maxArchiveSize + 1))).toMatchObject({ status: 413, body: { code: 'file_too_large' } })
})

test('serves files to opaque origins: readable by any, never run with the origin of this server', async () => {
  const { url } = (await upload({ 'index.html': '<script>start()</script>', 'static/logo.svg': '<svg/>' })).body
  const document = await get(url)
  expect(document.status).toBe(200)
  expect(Object.fromEntries(document.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'access-control-allow-origin': '*',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  expect(document.headers.get('set-cookie')).toBeNull()
  const policy = document.headers.get('content-security-policy')!
  expect(policy).toMatch(/^default-src 'none'; script-src 'self' 'sha256-[\w+/=]{44}'; /)
  for (const part of [
    "frame-ancestors 'self'",
    'sandbox allow-scripts allow-forms',
    "form-action 'none'",
    "base-uri 'none'",
  ]) {
    expect(policy.split('; ')).toContain(part)
  }
  expect(policy).not.toMatch(/allow-same-origin|unsafe-eval|script-src[^;]*unsafe/)

  // All files are sandboxed, because even an image can be opened as a document.
  const logo = await get(`${url}static/logo.svg`)
  expect(logo.headers.get('content-security-policy')).toContain('sandbox allow-scripts')
  expect(logo.headers.get('content-type')).toBe('image/svg+xml')

  const script = await get(`${url}assets/entry-a1b2c3d4.js`, { 'Accept-Encoding': 'br, gzip;q=0.5' })
  expect(Object.fromEntries(script.headers)).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'gzip',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'Accept-Encoding, Sec-Fetch-Dest, Sec-Fetch-Site',
  })
  expect(await script.text()).toBe(String(build()['assets/entry-a1b2c3d4.js']))
  for (const encoding of ['identity', 'br', 'gzip;q=0']) {
    const plain = await get(`${url}assets/entry-a1b2c3d4.js`, { 'Accept-Encoding': encoding })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await plain.text()).toBe(String(build()['assets/entry-a1b2c3d4.js']))
  }
})

test('does not serve scripts of a mini app to pages of this server', async () => {
  const { url } = (await upload()).body
  const ask = async (site: string, dest: string, path = 'assets/entry-a1b2c3d4.js') =>
    (await get(url + path, { 'Sec-Fetch-Site': site, 'Sec-Fetch-Dest': dest })).status
  for (const dest of ['script', 'style', 'worker', 'serviceworker', 'object']) {
    expect([dest, await ask('same-origin', dest), await ask('cross-site', dest)]).toEqual([dest, 404, 200])
  }
  expect(await ask('same-origin', 'iframe', '')).toBe(200)
  expect(await ask('same-origin', 'empty', 'souk-app.json')).toBe(200)
})

test('serves documents into frames of this server’s pages, not into a frame that a mini app navigated', async () => {
  const { url } = (await upload({ 'other.html': 'x' })).body
  const ask = async (site: string, dest: string, path = '') =>
    (await get(url + path, { 'Sec-Fetch-Site': site, 'Sec-Fetch-Dest': dest })).status
  for (const path of ['', 'index.html', 'other.html'])
    expect([path, await ask('same-origin', 'iframe', path), await ask('cross-site', 'iframe', path)]).toEqual([
      path,
      200,
      404,
    ])
  // Opened directly it has no host.
  expect(await ask('none', 'document')).toBe(200)
})

test('serves local pages of web-views under a path of their own, and nothing else there', async () => {
  const { url } = (await upload({ 'hybrid/html/help.html': '<script>1</script>', 'other.html': 'x' })).body
  const local = url.replace('/mini/', '/local-pages/')
  const ask = (path: string) => get(local + path, { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'iframe' })
  const answer = await ask('hybrid/html/help.html')
  expect(answer.status).toBe(200)
  const policy = answer.headers.get('content-security-policy')!.split('; ')
  expect(policy).toContain("script-src 'self' 'unsafe-inline'")
  expect(policy).toContain('sandbox allow-scripts allow-forms')
  expect(policy.join()).not.toContain('frame-ancestors')
  for (const path of [
    '',
    'index.html',
    'other.html',
    'souk-app.json',
    'hybrid/html/../../other.html',
    'hybrid/html/gone',
  ])
    expect([path, (await ask(path)).status]).toEqual([path, 404])
  expect(
    (await get(`${url}hybrid/html/help.html`, { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'iframe' })).status,
  ).toBe(404)
})

test('does not resend an unchanged document, and stops serving a deleted one immediately', async () => {
  const { url, releaseId } = (await upload()).body
  const tag = (await get(url)).headers.get('etag')!
  expect((await get(url, { 'If-None-Match': tag })).status).toBe(304)
  expect((await get(url, { 'If-None-Match': '"other"' })).status).toBe(200)
  expect((await get(url.slice(0, -1))).headers.get('location')).toBe(url)
  const path = `/console/v1/apps/${appid}/releases/${releaseId}`
  expect((await souk.console('DELETE', path)).body).toBe(true)
  expect((await get(url, { 'If-None-Match': tag })).status).toBe(404)
  expect((await souk.console('DELETE', path)).body.code).toBe('release_not_found')
})

test('lets browsers keep a document under the address that hosts get, which changes with its policy', async () => {
  const { url, releaseId } = (await upload()).body
  await souk.console('POST', `/console/v1/apps/${appid}/releases/${releaseId}/publish`, {})
  const { uid } = (await souk.console('POST', '/console/v1/sandbox/users', { nickname: 'Noura' })).body
  const { session } = (await souk.json('', 'POST', '/host/v1/sessions', { uid })).body
  const opened = (await souk.json(session, 'POST', `/host/v1/apps/${appid}/open`, {})).body
  const cacheControl = async (path: string) => (await get(url + path)).headers.get('cache-control')
  const lasting = 'public, max-age=31536000, immutable'
  expect(await cacheControl(`index.html?v=${opened.documentVersion}`)).toBe(lasting)
  expect(await cacheControl('index.html?v=0123456789abcdef')).toBe('no-cache')
  expect(await cacheControl('index.html')).toBe('no-cache')
  expect(await cacheControl('souk-app.json')).toBe(lasting)
  const document = await get(`${url}index.html?v=${opened.documentVersion}`)
  // A copy may not be used in a frame that a mini app has navigated.
  expect(document.headers.get('vary')).toContain('Sec-Fetch-Site')
})

test('compares entity tags as HTTP defines it, in time linear in the length of the header', async () => {
  const { url } = (await upload()).body
  const tag = (await get(url)).headers.get('etag')!
  const cpuOf = async (list: string) => {
    const before = process.cpuUsage()
    for (let round = 0; round < 30; round++) expect((await get(url, { 'If-None-Match': list })).status).toBe(200)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const length = 15_000
  const plain = await cpuOf('a'.repeat(length))
  // A list that takes quadratic time costs 2,500 ms.
  for (const filling of [' ', '\t', ',', ' ,', '"'])
    expect(await cpuOf(`a${filling.repeat(length / filling.length)}b`)).toBeLessThan(5 * plain + 500)
  for (const list of [`W/${tag}`, `"other" , ${tag}`, `"other",${tag}`, '*']) {
    expect([list, (await get(url, { 'If-None-Match': list })).status]).toEqual([list, 304])
  }
})

test.each(['..%2f..%2fetc%2fpasswd', '%2e%2e%2findex.html', 'assets', 'nothing.js', 'index.html%00', '//index.html'])(
  'there is nothing at %s',
  async (path) => {
    const { url } = (await upload()).body
    const answer = await get(url + path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ])
  },
)

test('tells a backend that its messages reach testers only, and logs skipped recipients', async () => {
  const app = (await souk.console('POST', '/console/v1/apps', { name: 'New' })).body
  const upsertOpenId = async (nickname: string) => {
    const { uid } = (await souk.console('POST', '/console/v1/sandbox/users', { nickname })).body
    const { code } = (await souk.console('POST', '/console/v1/sandbox/codes', { appid: app.appid, uid })).body
    const token = await souk.signed(app, 'POST', '/neuopenapi/oauth/mini/accessToken', {
      code,
      grantType: 'authorization_code',
      scope: 'user.info',
    })
    const path = `/neuopenapi/oauth/mini/user/info?accessToken=${token.response.accessToken}`
    return { uid, openId: (await souk.send('GET', path)).response.openId }
  }
  const [tester, user] = [await upsertOpenId('Layla'), await upsertOpenId('Sam')]
  await post(
    [
      ['version', '0.1'],
      ['fileData', await archiveOf(build())],
    ],
    asAdmin(),
    app.appid,
  )
  const notify = (openIds: string, link = 'pages/index/index') =>
    souk.signed(app, 'POST', '/neuopenapi/notify/sendNotify', {
      openIds,
      link,
      title: 'T',
      text: 'Text',
      language: 'en_US',
      notifyType: 1,
      navigateType: '1',
    })
  expect(await notify(`${tester.openId},${user.openId}`)).toMatchObject({ status: 403, code: 'testers_only' })
  await souk.console('POST', `/console/v1/apps/${app.appid}/testers`, { uids: [tester.uid] })
  expect(await notify(`${tester.openId},${user.openId},${'f'.repeat(32)}`)).toMatchObject({ response: true })
  expect(await notify(tester.openId, 'pages/gone/gone')).toMatchObject({ status: 400, code: 'parameter_invalid' })
  await souk.requestLog.flush()
  const requests = (await souk.console('GET', `/console/v1/requests?appid=${app.appid}&limit=2`)).body
  expect(requests[1].reason).toBe(
    'Skipped 1 of 3 openIds: unknown under this appid. No release is published; skipped 1 user who is not a tester.',
  )
})

test('the host lists the releases that the user may open', async () => {
  const { appid: other } = (await souk.console('POST', '/console/v1/apps', { name: 'New' })).body
  const uids = await Promise.all(
    ['Layla', 'Sam'].map(
      async (nickname) => (await souk.console('POST', '/console/v1/sandbox/users', { nickname })).body.uid,
    ),
  )
  const [tester, user] = await Promise.all(
    uids.map(async (uid) => (await souk.json('', 'POST', '/host/v1/sessions', { uid })).body.session as string),
  )
  const archive = await archiveOf(build())
  const { body } = await post(
    [
      ['version', '0.1'],
      ['fileData', archive],
    ],
    asAdmin(),
    other,
  )
  const testers = `/console/v1/apps/${other}/testers`
  expect((await souk.console('POST', testers, { uids: [uids[0]] })).body).toEqual({ uids: [uids[0]] })
  expect((await souk.console('POST', testers, { uids: [999_999_999] })).body.code).toBe('user_not_found')
  expect((await souk.console('POST', testers, { uids: [1, 1] })).body.code).toBe('parameter_invalid')
  const listed = async (session: string) =>
    (await souk.json(session, 'GET', `/host/v1/apps?appids=${other}`)).body.items[0]
  expect(await listed(user!)).toBeUndefined()
  expect(await listed(tester!)).toMatchObject({ release: null, releases: [{ url: body.url, stage: 'development' }] })
  await souk.console('POST', `/console/v1/apps/${other}/releases/${body.releaseId}/publish`, {})
  expect(await listed(user!)).toMatchObject({ release: { url: body.url, version: '0.1', platform: 'Mini App' } })
  expect((await souk.console('POST', testers, { uids: [] })).body).toEqual({ uids: [] })
})

test('in a live installation a release may reach approved hosts only, in a sandbox all', async () => {
  const directives = async (souk: TestSouk) => {
    const { projectId } = (await souk.console('POST', '/console/v1/projects', { name: 'Tea' })).body
    const { appid } = (await souk.console('POST', '/console/v1/apps', { name: 'Tea', projectId })).body
    const form = new FormData()
    form.append('version', '1')
    form.append('fileData', new Blob([new Uint8Array(await archiveOf(build()))]), 'release.tar.gz')
    const headers = { Authorization: `Bearer ${souk.adminToken}` }
    const sent = await fetch(`${souk.url}/console/v1/apps/${appid}/releases`, { method: 'POST', headers, body: form })
    const { url } = (await sent.json()) as { url: string }
    const read = async () => {
      const { headers } = await fetch(souk.url + url)
      const policy = headers.get('content-security-policy')!.split('; ')
      const sources = (name: string) => policy.find((each) => each.startsWith(`${name} `))
      return {
        tag: headers.get('etag'),
        policy: ['connect-src', 'img-src', 'media-src', 'font-src', 'frame-src'].map(sources),
      }
    }
    const before = await read()
    const domains = {
      request: ['api.tea.example'],
      upload: ['up.tea.example:8443'],
      download: ['*.cdn.example'],
      webView: ['tea.example'],
    }
    expect((await souk.console('PATCH', `/console/v1/apps/${appid}`, { domains })).status).toBe(200)
    return { before, after: await read() }
  }
  const mapTiles = { url: 'https://tiles.example/a;b/{z}/{x}/{y}.png' }
  const live = await startTestSouk({ sandbox: false, mapTiles })
  try {
    const { before, after } = await directives(live)
    expect(before.policy).toEqual([
      "connect-src 'self' data: blob:",
      "img-src 'self' data: blob: https://tiles.example/a%3Bb/",
      "media-src 'self' data: blob:",
      "font-src 'self' data:",
      "frame-src 'self'",
    ])
    expect(after.policy).toEqual([
      "connect-src 'self' data: blob: https://api.tea.example https://up.tea.example:8443 https://*.cdn.example wss://api.tea.example",
      "img-src 'self' data: blob: https://*.cdn.example https://tiles.example/a%3Bb/",
      "media-src 'self' data: blob: https://*.cdn.example",
      "font-src 'self' data: https://*.cdn.example",
      "frame-src 'self' https://tea.example",
    ])
    // Browsers keep the policy of a file that has not changed.
    expect(after.tag).not.toBe(before.tag)
  } finally {
    await live.stop()
  }
  const { before, after } = await directives(souk)
  expect(before.policy).toContain("connect-src 'self' data: blob: https: http: wss: ws:")
  expect(after.policy).toEqual(before.policy)
})
