import { createHash, createPublicKey, verify } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { consoleOperations, releaseStatement } from '@souk/contract'
import { unpackTar } from 'modern-tar'
import { Value } from 'typebox/value'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runIn } from '../../test/command.ts'
import { appid, release } from '../../test/release.ts'
import { describeKey, readSigningKey } from '../signingKey.ts'

const { releaseId } = release

let folder: string
let keyFile: string
let server: Server
let url: string
let refusal: { status?: number; code: string; detail: string } | undefined
/** End of the URLs that are refused. */
let refusedAt: string
/** The upload: fields and paths in the archive. */
let uploads: {
  fields: Record<string, unknown>
  signature: string
  paths: string[]
  authorization: string | undefined
}[]
let published: string[]
/** Releases besides the uploaded one. */
let listed: object[]
/** Paths in the archives of source maps, by URL. */
let sourceMaps: [url: string, paths: string[]][]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-upload-'))
  keyFile = join(folder, 'config/souk/signing-key.pem')
  uploads = []
  published = []
  listed = []
  sourceMaps = []
  refusal = undefined
  refusedAt = ''
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = { 'Content-Type': String(request.headers['content-type']) }
    if (request.method === 'POST' && request.url === `/console/v1/apps/${appid}/releases`) {
      const form = await new Response(Buffer.concat(chunks), { headers }).formData()
      const file = form.get('fileData') as File
      form.delete('fileData')
      const [signingKey, signature] = ['signingKey', 'signature'].map((name) => String(form.get(name)))
      const archiveHash = createHash('sha256')
        .update(Buffer.from(await file.arrayBuffer()))
        .digest('hex')
      const statement = releaseStatement({ appid, version: String(form.get('version')), archiveHash })
      const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: signingKey! }, format: 'jwk' })
      const isValid = verify(null, Buffer.from(statement), publicKey, Buffer.from(signature!, 'base64url'))
      const fields: Record<string, unknown> = { appid, ...Object.fromEntries(form) }
      if (typeof fields.notes === 'string') fields.notes = JSON.parse(fields.notes)
      expect(Value.Errors(consoleOperations.uploadRelease.parameters, fields)).toEqual([])
      delete fields.signingKey
      delete fields.signature
      const entries = await unpackTar(gunzipSync(Buffer.from(await file.arrayBuffer())), { strict: true })
      uploads.push({
        fields,
        signature: isValid ? 'valid' : 'invalid',
        paths: entries.map(({ header }) => header.name),
        authorization: request.headers.authorization,
      })
    } else if (request.url?.endsWith('/source-maps')) {
      const file = (await new Response(Buffer.concat(chunks), { headers }).formData()).get('fileData') as File
      const entries = await unpackTar(gunzipSync(Buffer.from(await file.arrayBuffer())), { strict: true })
      sourceMaps.push([request.url, entries.map(({ header }) => header.name)])
    } else if (request.url?.endsWith('/publish')) published.push(request.url)
    const isList = request.method === 'GET'
    const refused = request.url?.endsWith(refusedAt) ? refusal : undefined
    const one = request.url?.endsWith('/publish') ? { ...release, stage: 'published', current: true } : release
    response.writeHead(refused ? (refused.status ?? 400) : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(refused ?? (isList ? [one, ...listed] : one)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

async function put(files: Record<string, string>) {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

const souk = (...args: string[]) => run('upload', ...args)

const run = (...args: string[]) =>
  runIn(folder, args, {
    serverUrl: async () => url,
    adminToken: () => ({ token: 'admin-1', source: 'here' }),
    signingKey: () => readSigningKey(keyFile),
  })

const built = {
  'dist/index.html': '<!doctype html>',
  'dist/souk-app.json': '{}',
  'dist/assets/a.js': 'x',
  'dist/.env': 'KEY',
}

test('uploads an existing build without hidden files', async () => {
  await put(built)
  const { status, out, err } = await souk('--dir', 'dist', '--appid', appid, '--version', '1.4.0', '--note', 'New menu')
  expect({ status, err }).toEqual({ status: 0, err: '' })
  expect(uploads).toEqual([
    {
      fields: { appid, version: '1.4.0', note: 'New menu' },
      signature: 'valid',
      paths: ['assets/a.js', 'index.html', 'souk-app.json'],
      authorization: 'Bearer admin-1',
    },
  ])
  expect(published).toEqual([])
  expect(out).toContain('1.4.0 for Mini App uploaded; testers can open it')
  expect(out).toContain(`${url}/mini/${appid}/${releaseId}/`)
})

test('uploads what links in a build lead to, and nothing if one leads nowhere or to a folder', async () => {
  await put({ ...built, 'shared/logo.png': 'x' })
  await symlink(join(folder, 'shared/logo.png'), join(folder, 'dist/assets/logo.png'))
  await symlink(join(folder, 'nowhere'), join(folder, 'dist/.cache'))
  const upload = () => souk('--dir', 'dist', '--appid', appid, '--version', '1')
  expect((await upload()).status).toBe(0)
  expect(uploads[0]!.paths).toContain('assets/logo.png')
  for (const to of ['nowhere', 'shared']) {
    await symlink(join(folder, to), join(folder, 'dist/link'))
    expect(await upload()).toMatchObject({ status: 2, err: expect.stringContaining('dist/link cannot be read') })
    await rm(join(folder, 'dist/link'))
  }
  expect(uploads).toHaveLength(1)
})

test('sends notes per language, from options and from a file', async () => {
  await put({ ...built, 'notes.json': '{ "en": "New menu", "fr": "Carte" }', 'list.json': '[1]' })
  const upload = (...args: string[]) => souk('--dir', 'dist', '--appid', appid, '--version', '1', ...args)
  await upload('--notes', 'notes.json', '--note', 'en=New cakes', '--note', 'zh_CN=新菜单', '--note', 'Tea = life')
  expect(uploads[0]!.fields).toMatchObject({
    note: 'Tea = life',
    notes: { en: 'New cakes', fr: 'Carte', zh_CN: '新菜单' },
  })
  for (const file of ['list.json', 'dist/index.html']) {
    expect((await upload('--notes', file)).err).toContain('Write them as {"en": "New menu"')
  }
  expect((await upload('--notes', 'gone.json')).err).toContain('gone.json cannot be read')
  expect(uploads).toHaveLength(1)
})

test('--publish publishes the release, and --json prints only the release', async () => {
  await put({ ...built, 'package.json': '{ "version": "2.0.0" }' })
  const { status, out } = await souk('--dir', 'dist', '--appid', appid, '--platform', 'mini-app', '--publish', '--json')
  expect([status, uploads[0]!.fields]).toEqual([0, { appid, version: '2.0.0', platform: 'Mini App' }])
  expect(published).toEqual([`/console/v1/apps/${appid}/releases/${releaseId}/publish`])
  expect(JSON.parse(out)).toEqual({ ...release, stage: 'published', current: true })
})

test('builds and uploads a mini app', async () => {
  await put({
    'pages.json': '{ "pages": [{ "path": "pages/index/index", "style": { "navigationBarTitleText": "Tea" } }] }',
    'pages/index/index.vue': '<template><view>Tea</view></template>',
    'package.json': '{ "version": "0.3.1" }',
  })
  const { status, out, err } = await souk('--appid', appid)
  expect({ status, err }).toEqual({ status: 0, err: '' })
  expect(out).toContain('for App (default) uploaded')
  expect(uploads[0]!.fields).toEqual({ appid, version: '0.3.1', platform: 'App' })
  expect(uploads[0]!.paths).toEqual(expect.arrayContaining(['index.html', 'souk-app.json']))
  const scripts = uploads[0]!.paths.filter((path) => path.endsWith('.js'))
  const [[to, maps]] = sourceMaps as [(typeof sourceMaps)[number]]
  expect(to).toBe(`/console/v1/apps/${appid}/releases/${releaseId}/source-maps`)
  expect(maps.length).toBeGreaterThan(1)
  expect(scripts.map((path) => `${path}.map`)).toEqual(expect.arrayContaining(maps))
  expect(uploads[0]!.paths.filter((path) => path.endsWith('.map'))).toEqual([])
})

test.each([
  [{}, [], /^Hosts prefer 1\.3\.0 for Mini App, which stays published, .* use --platform "Mini App"\.\n$/],
  [{ souk: { platform: 'App' } }, [], /^$/],
  [{}, ['--platform', 'Mini App'], /^$/],
])('warns if hosts prefer the published release: package.json %j, options %j', async (settings, options, said) => {
  listed = [{ ...release, version: '1.3.0', stage: 'published', current: true }]
  await put({
    'pages.json': '{ "pages": [{ "path": "pages/index/index" }] }',
    'pages/index/index.vue': '<template><view>Tea</view></template>',
    'package.json': JSON.stringify({ version: '1.5.0', ...settings }),
  })
  expect((await souk('--appid', appid, ...options)).err).toMatch(said)
})

test('builds nothing for a version that is taken, or without a token', async () => {
  await put({
    'pages.json': '{ "pages": [{ "path": "pages/index/index" }] }',
    'pages/index/index.vue': '<template><view>Tea</view></template>',
    'package.json': '{ "version": "1.4.0" }',
  })
  // Reads the version beside a pages.json that is named instead of its folder.
  for (const path of ['pages.json', 'src/pages.json']) {
    expect(await souk(path, '--appid', appid, '--platform', 'mini app')).toMatchObject({
      status: 1,
      err: expect.stringContaining('1.4.0 for Mini App. (release_version_taken)'),
    })
  }
  refusal = { status: 401, code: 'service_token_invalid', detail: 'Invalid token.' }
  const refused = await souk('--appid', appid, '--version', '1.4.1')
  expect(refused).toMatchObject({ status: 2, err: expect.stringContaining('(service_token_invalid)') })
  expect([uploads, await readdir(folder)]).toEqual([[], expect.not.arrayContaining(['dist'])])
})

test('uploads the source maps beside an existing build that belong to it, also later', async () => {
  await put({ ...built, 'dist-source-maps/assets/a.js.map': '{}', 'dist-source-maps/assets/old.js.map': '{}' })
  const { out } = await souk('--dir', 'dist', '--appid', appid, '--version', '1')
  expect(sourceMaps.map(([, paths]) => paths)).toEqual([['assets/a.js.map']])
  expect(out).toContain('source maps  1')
  const later = (...args: string[]) => run('source-maps', releaseId, '--appid', appid, ...args)
  for (const same of ['dist/', 'dist//', './dist/.', 'dist/assets/..']) {
    expect(await later('--dir', same)).toMatchObject({ status: 0, out: 'ok 1 source map uploaded.\n' })
  }
  const unknown = await run('source-maps', 'f'.repeat(32), 'not-built', '--appid', appid)
  expect(unknown).toMatchObject({ status: 1, err: expect.stringContaining('has no release ffff') })
  await rm(join(folder, 'dist-source-maps'), { recursive: true })
  expect(await later('--dir', 'dist')).toMatchObject({ status: 1, err: expect.stringContaining('no source maps') })
  expect(sourceMaps).toHaveLength(5)
})

test('uploads nothing if pages.json has errors, the version is missing, or there is no mini app', async () => {
  await put({ 'pages.json': '{ "pages": [] }' })
  expect((await souk('--appid', appid, '--version', '1')).status).toBe(1)
  expect((await souk('--appid', appid)).err).toContain('Set it with --version 1.0.0')
  expect((await souk('--appid', appid, '--version', '1', '--dir', 'gone')).err).toContain('no such file')
  expect((await souk('--version', '1')).status).toBe(2)
  expect(uploads).toEqual([])
})

test('names a package.json that is not valid JSON, and reads one with a byte order mark', async () => {
  await put({ ...built, 'package.json': '{ "version": "1.0.0", }' })
  expect(await souk('--dir', 'dist', '--appid', appid)).toMatchObject({
    status: 2,
    err: expect.stringContaining('package.json is not valid JSON: '),
  })
  expect(uploads).toEqual([])
  await put({ 'package.json': '\uFEFF{ "version": "2.0.0" }', 'notes.json': '\uFEFF{ "en": "New menu" }' })
  expect((await souk('--dir', 'dist', '--appid', appid, '--notes', 'notes.json')).status).toBe(0)
  expect(uploads[0]!.fields).toEqual({ appid, version: '2.0.0', notes: { en: 'New menu' } })
})

test('prints the reason of a server error', async () => {
  await put(built)
  refusal = { code: 'release_refused', detail: 'It was built for App, not for H5.' }
  const { status, err } = await souk('--dir', 'dist', '--appid', appid, '--version', '1')
  expect([status, err]).toEqual([
    1,
    `souk: It was built for App, not for H5. (release_refused)\n      What to do: ${url}/docs/errors/release_refused\n`,
  ])
})

test('says that the release was uploaded if what follows fails', async () => {
  await put({ 'built/index.html': 'hello', 'built/souk-app.json': '{}', 'built-source-maps/index.html.map': '{}' })
  refusal = { code: 'scope_missing', detail: 'The service account lacks the scope.' }
  for (refusedAt of ['/publish', '/source-maps']) {
    const { status, err } = await souk('--dir', 'built', '--appid', appid, '--version', '1.4.0', '--publish')
    expect(status).toBe(1)
    expect(err).toContain('1.4.0 was uploaded, then: The service account lacks the scope.')
  }
})

test('creates the signing key on first use, for the user only, and keeps it', async () => {
  await put(built)
  const upload = () => souk('--dir', 'dist', '--appid', appid, '--version', '1')
  await upload()
  const key = await readFile(keyFile, 'utf8')
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
  expect((await stat(dirname(keyFile))).mode & 0o777).toBe(0o700)
  await upload()
  expect(await readFile(keyFile, 'utf8')).toBe(key)
  expect(uploads.map(({ signature }) => signature)).toEqual(['valid', 'valid'])
})

test('creates one signing key if several commands start at once, and leaves no other files', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => readSigningKey(keyFile)))
  expect(new Set(keys.map((key) => describeKey(key).keyId)).size).toBe(1)
  expect(await readdir(dirname(keyFile))).toEqual(['signing-key.pem'])
})

test('refuses a signing key that others can read, or that is not an Ed25519 key', async () => {
  await put(built)
  await readSigningKey(keyFile)
  const upload = () => souk('--dir', 'dist', '--appid', appid, '--version', '1')
  await chmod(keyFile, 0o644)
  expect(await upload()).toMatchObject({ status: 2, err: expect.stringContaining('chmod 600') })
  await chmod(keyFile, 0o600)
  for (const content of ['', 'secret nonsense']) {
    await writeFile(keyFile, content)
    const { status, err } = await upload()
    expect([status, err]).toEqual([2, expect.stringContaining('does not contain an Ed25519 private key')])
    expect(err).not.toContain('nonsense')
  }
  expect(uploads).toEqual([])
})
