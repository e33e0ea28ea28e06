import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { maxReleaseFiles, maxReleaseSize } from '@souk/contract'
import type { TarEntry } from 'modern-tar'
import { describe, expect, test } from 'vitest'
import { archiveOf, build } from '../../../test/archive.ts'
import { inlineScripts } from './inlineScripts.ts'
import { readManifest } from './manifest.ts'
import { mediaTypeOf } from './mediaType.ts'
import { unpack } from './unpack.ts'

const soukError = (reason: RegExp) =>
  expect.objectContaining({ code: 'release_refused', message: expect.stringMatching(reason) })
const file = (name: string, body: string | Buffer = 'x'): TarEntry => ({
  header: { name, size: Buffer.byteLength(body) },
  body,
})

test('unpacks files unchanged, including empty files and long paths', async () => {
  const files = { ...build(), 'empty.txt': '', [`static/${'long/'.repeat(40)}中文.png`]: Buffer.from([0, 255, 10, 13]) }
  const unpacked = await unpack(await archiveOf(files))
  expect([...unpacked.keys()].sort()).toEqual(Object.keys(files).sort())
  for (const [path, content] of Object.entries(files)) expect(unpacked.get(path)).toEqual(Buffer.from(content))
})

test('unpacks archives of the system tar and skips hidden files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'souk-tar-'))
  const files = { ...build(), '.DS_Store': 'x', 'static/._a.png': 'x', '.git/config': 'x' }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, 'in', path)), { recursive: true })
    await writeFile(join(folder, 'in', path), content)
  }
  for (const format of ['gnu', 'pax', 'ustar']) {
    await promisify(execFile)('tar', [`--format=${format}`, '-czf', 'out.tgz', '-C', 'in', '.'], { cwd: folder })
    const unpacked = await unpack(await readFile(join(folder, 'out.tgz')))
    expect([...unpacked.keys()].sort()).toEqual(Object.keys(build()).sort())
  }
  await rm(folder, { recursive: true })
})

describe('rejects an archive that would be harmful on disk', () => {
  test.each([
    '../evil.js',
    'assets/../../evil.js',
    'assets/./evil.js',
    '/etc/passwd',
    'assets//evil.js',
    '..',
    '..\\evil.js',
    'C:\\evil.js',
    'new\nline.js',
    '\u0001.js',
    '\u0085.js',
    'a\u202egnp.js',
    `${'a'.repeat(300)}.js`,
  ])('path %j', async (name) => {
    await expect(unpack(await archiveOf(build(), [file(name)]))).rejects.toEqual(soukError(/path|characters/))
  })

  test.each(['../', '/', 'a/../..'])('folder %j', async (name) => {
    const folder: TarEntry = { header: { name, size: 0, type: 'directory' } }
    await expect(unpack(await archiveOf(build(), [folder]))).rejects.toEqual(soukError(/not a path within/))
  })

  test.each(['symlink', 'link', 'character-device', 'block-device', 'fifo'] as const)('a %s', async (type) => {
    const entry: TarEntry = { header: { name: 'static/a', size: 0, type, linkname: '/etc/passwd' } }
    await expect(unpack(await archiveOf(build(), [entry]))).rejects.toEqual(soukError(new RegExp(`is a ${type}`)))
  })

  test('one path twice', async () => {
    await expect(unpack(await archiveOf(build(), [file('./index.html')]))).rejects.toEqual(soukError(/twice/))
  })
})

describe('rejects an archive that is too large before buffering it', () => {
  test(`accepts ${maxReleaseFiles} files and rejects 10,000`, async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f/${index}`, '']))
    expect((await unpack(await archiveOf(many(maxReleaseFiles)))).size).toBe(maxReleaseFiles)
    await expect(unpack(await archiveOf(many(10_000)))).rejects.toEqual(soukError(/more than 2000 files/))
  })

  test('large files in total, and a decompression bomb', async () => {
    const half = Buffer.alloc(maxReleaseSize / 2)
    await expect(unpack(await archiveOf({ a: half, b: half, c: 'x' }))).rejects.toEqual(soukError(/larger than 50 MB/))
    const bomb = gzipSync(Buffer.alloc(400 * 1024 * 1024), { level: 1 })
    expect(bomb.length).toBeLessThan(maxReleaseSize / 20)
    const before = process.memoryUsage.rss()
    await expect(unpack(bomb)).rejects.toEqual(soukError(/larger than 50 MB/))
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 * 1024)
  })

  test('an oversized header', async () => {
    const pax = { comment: 'x'.repeat(maxReleaseSize) }
    const entry: TarEntry = { header: { name: 'a', size: 0, pax } }
    await expect(unpack(await archiveOf({}, [entry]))).rejects.toEqual(soukError(/damaged/))
  })
})

describe('rejects what is not an archive with a reason', () => {
  test.each([
    ['nothing', Buffer.alloc(0), /not gzip/],
    ['a zip', Buffer.from('PK\x03\x04 …'), /not gzip/],
    ['gzip of something else', gzipSync('a text that is not a tar, '.repeat(100)), /not a tar archive/],
  ])('%s', async (_what, archive, reason) => {
    await expect(unpack(archive)).rejects.toEqual(soukError(reason))
  })

  test('a truncated gzip or tar, or a flipped bit', async () => {
    const archive = await archiveOf(build())
    await expect(unpack(archive.subarray(0, archive.length - 20))).rejects.toEqual(soukError(/not gzip/))
    const tar = gunzipSync(archive)
    await expect(unpack(gzipSync(tar.subarray(0, 1000)))).rejects.toEqual(soukError(/damaged/))
    tar[0]! ^= 1
    await expect(unpack(gzipSync(tar))).rejects.toEqual(soukError(/damaged/))
  })
})

describe('souk-app.json', () => {
  const manifest = (change: object) => JSON.stringify({ ...JSON.parse(String(build()['souk-app.json'])), ...change })
  const read = (files: Record<string, string | Buffer>) =>
    readManifest(new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)])))

  test('contains platform and pages', () => {
    expect(read(build('App'))).toEqual({ platform: 'App', pages: ['pages/index/index', 'pages/order/order'] })
  })

  test.each([
    ['not JSON', '{', /not valid JSON/],
    ['another format', manifest({ version: 2 }), /version/],
    ['not an object', '[]', /souk-app\.json is invalid/],
    ['null', 'null', /souk-app\.json is invalid/],
    ['no pages', manifest({ pages: [] }), /pages/],
    ['pages without paths', manifest({ pages: [{}] }), /pages\/0/],
    ['another platform', manifest({ app: { platform: 'Watch', launch: 'pages/index/index' } }), /platform/],
    ['an unknown launch page', manifest({ app: { platform: 'H5', launch: 'pages/x/x' } }), /launch page/],
    ['too large', manifest({ more: 'x'.repeat(1024 * 1024) }), /1 MB/],
  ])('rejects a manifest: %s', (_what, text, reason) => {
    expect(() => read(build('H5', { 'souk-app.json': text }))).toThrow(soukError(reason))
  })

  test('explains an archive that contains the folder itself', () => {
    const wrapped = Object.fromEntries(Object.entries(build()).map(([path, content]) => [`mini-app/${path}`, content]))
    expect(() => read(wrapped)).toThrow(soukError(/in "mini-app\/": pack the contents of that folder/))
    expect(() => read({ 'souk-app.json': '{}' })).toThrow(soukError(/index.html is missing/))
  })
})

test('hashes inline scripts of index.html as browsers do', () => {
  const html =
    '<script>\r\n  a()\r\n</script><SCRIPT type="module">b()</SCRIPT ><script src="./x.js"></script><script> </script>'
  // echo -n … | openssl dgst -sha256 -binary | base64
  expect(inlineScripts(Buffer.from(html))).toEqual([
    'sha256-XrdTP8w9c7chErqwKZtQigpcknxM1M8OQbe/Sw5+Yls=',
    'sha256-cf242PFc/kb7xD0Qzhsmd9vvRkc+cWFmbi+k+YvtdKc=',
  ])
})

test('falls back to application/octet-stream for unknown extensions', () => {
  expect(['a.JS', 'a.svg', 'a.exe', 'html', 'a.', 'a.constructor'].map(mediaTypeOf)).toEqual([
    'text/javascript; charset=utf-8',
    'image/svg+xml',
    ...Array.from({ length: 4 }, () => 'application/octet-stream'),
  ])
})
