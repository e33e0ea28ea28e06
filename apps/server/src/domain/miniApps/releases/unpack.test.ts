import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { maxReleaseFiles, maxReleaseSize } from '@souk/contract'
import { packTar, type TarEntry } from 'modern-tar'
import { describe, expect, test } from 'vitest'
import { archiveOf, build } from '../../../../test/archive.ts'
import { expectLinear } from '../../../../test/linear.ts'
import { inlineScripts } from './inlineScripts.ts'
import { readManifest } from './manifest.ts'
import { mediaTypeOf } from './mediaType.ts'
import { readTar } from './tar.ts'
import { unpack } from './unpack.ts'

const soukError = (reason: RegExp) =>
  expect.objectContaining({ code: 'release_refused', message: expect.stringMatching(reason) })
const blockSize = 512
/** Creates PAX records of about 16 bytes each. */
const records = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x.${n}`, 'value']))
const file = (name: string, body: string | Buffer = 'x'): TarEntry => ({
  header: { name, size: Buffer.byteLength(body) },
  body,
})

test('unpacks files unchanged, including empty files and long paths', async () => {
  const files = { ...build(), 'empty.txt': '', [`static/${'long/'.repeat(40)}中文.png`]: Buffer.from([0, 255, 10, 13]) }
  const { files: unpacked } = await unpack(await archiveOf(files))
  expect([...unpacked.keys()].sort()).toEqual(Object.keys(files).sort())
  for (const [path, content] of Object.entries(files)) {
    const file = unpacked.get(path)!
    expect(Buffer.from(file.gzipped ? gunzipSync(file.content) : file.content)).toEqual(Buffer.from(content))
    expect(file.hash).toBe(createHash('sha256').update(content).digest('hex'))
  }
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
    const { files: unpacked } = await unpack(await readFile(join(folder, 'out.tgz')))
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

  test.each(['../../', '/', 'a/../..'])('folder %j', async (name) => {
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
    expect((await unpack(await archiveOf(many(maxReleaseFiles)))).files.size).toBe(maxReleaseFiles)
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

describe('takes time linear in the size of the archive', () => {
  const folder = (name: string): TarEntry => ({ header: { name, size: 0, type: 'directory' } })
  const tarOf = async (...entries: TarEntry[]) => Buffer.from(await packTar(entries))
  const read = async (tar: Buffer) => {
    for await (const _entry of readTar(Readable.from([tar]), () => true));
  }

  test.each([
    ['a path of slashes', (size: number) => tarOf(folder(`a${'/'.repeat(size)}b`))],
    ['a path of "./"', (size: number) => tarOf(folder('./'.repeat(size / 2)))],
    ['many files', (size: number) => tarOf(...Array.from({ length: size / 64 }, (_, n) => file(`${n}`)))],
    ['PAX records', (size: number) => tarOf({ header: { name: 'a', size: 0, pax: records(size / 16) } })],
  ])('%s', async (_what, tar) => {
    await expectLinear(read, tar, 4096)
  })

  test('long paths, which are rejected by their length', async () => {
    for (const name of [`a${'/'.repeat(60_000)}b`, './'.repeat(30_000), `${'a/'.repeat(127)}ab`])
      await expect(unpack(await archiveOf(build(), [folder(name)]))).rejects.toEqual(soukError(/longer than 255/))
  })

  test('PAX records of a wrong length', async () => {
    const pax = { header: { name: 'a', size: 0, pax: { comment: '2x'.repeat(32_000) } } }
    const tar = await tarOf(pax)
    // The content of the record in place of the record.
    tar.write('2x'.repeat(32_000), blockSize)
    await expect(unpack(gzipSync(tar))).rejects.toEqual(soukError(/damaged/))
  })

  test.each([
    ['opening tags', '<script>'],
    ['opening tags without an end', '<script '],
    ['tags', '<script></script>'],
    ['attributes', '<script src '],
    ['line breaks', '\r'],
  ])('a document of %s', async (_what, text) => {
    const document = (size: number) => Buffer.from(text.repeat(size / text.length))
    await expectLinear(inlineScripts, document)
    await unpack(await archiveOf(build('H5', { 'index.html': document(1024 * 1024) })))
  })
})

describe('the thread that unpacks', () => {
  const run = async (code: string, cpuTime?: number) =>
    unpack(await archiveOf(build()), { script: new URL(`data:text/javascript,${encodeURIComponent(code)}`), cpuTime })

  test('ends at its limit of CPU time', async () => {
    await expect(run('for (;;);', 500)).rejects.toEqual(soukError(/more than 0.5 s of CPU time/))
  })

  test('ends when nobody waits for its result any longer', async () => {
    const leaving = new AbortController()
    const script = new URL(`data:text/javascript,${encodeURIComponent('for (;;);')}`)
    const unpacking = unpack(await archiveOf(build()), { script, signal: leaving.signal })
    setImmediate(() => leaving.abort(new Error('gone')))
    await expect(unpacking).rejects.toThrow('gone')
  })

  test('ends at its limit of memory, without ending the server', async () => {
    const code = 'const all = []; for (let n = 0; ; n++) all.push({ n })'
    await expect(run(code)).rejects.toEqual(soukError(/more than 64 MB of memory/))
  })

  test('reports its failures', async () => {
    await expect(run('throw new TypeError("a bug")')).rejects.toThrow('a bug')
    await expect(run('process.exit(3)')).rejects.toThrow('ended with 3')
  })

  test('leaves the event loop free', async () => {
    const files = { 'assets/a.js': randomBytes(8 * 1024 * 1024).toString('hex') }
    const archive = await archiveOf(build('H5', files))
    const before = performance.eventLoopUtilization()
    await unpack(archive)
    // Compressing the file takes a second; a fifth is far more than starting the thread takes.
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
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
  const read = async (files: Record<string, string | Buffer>) => readManifest(await unpack(await archiveOf(files)))

  test('contains platform and pages', async () => {
    const pages = ['pages/index/index', 'pages/order/order']
    const none = { hostFunctions: [], tabs: [], customEvents: {}, minRuntime: null }
    expect(await read(build('App'))).toEqual({ platform: 'App', pages, ...none })
  })

  test('contains tabs with their texts by language; what is unusable is left out', async () => {
    const launch = 'pages/index/index'
    const tabsOf = async (app: object) =>
      (await read(build('App', { 'souk-app.json': manifest({ app: { platform: 'App', launch, ...app } }) }))).tabs
    const list = [
      { pagePath: launch, text: 'Home' },
      { pagePath: 'pages/order/order', text: 'Orders' },
      { pagePath: 'pages/gone/gone', text: 'Gone' },
      { pagePath: launch, text: '' },
      { pagePath: launch, text: 7 },
    ]
    const languages = {
      'zh-Hans': [[['tabBar', 'list', 1, 'text'], '订单'], [['tabBar', 'color'], '#000000'], [['style']]],
      ar: [
        [['tabBar', 'list', 0, 'text'], 'Home'],
        [['tabBar', 'list', 1, 'text'], '\0'],
      ],
      fr: [[['tabBar', 'list', 1, 'text'], '\ud800']],
      'not a language': [[['tabBar', 'list', 1, 'text'], 'x']],
    }
    expect(await tabsOf({ tabBar: { list }, appearances: { languages } })).toEqual([
      { path: launch, title: 'Home', titles: {} },
      { path: 'pages/order/order', title: 'Orders', titles: { 'zh-Hans': '订单' } },
    ])
    for (const tabBar of [null, [], {}, { list: 'x' }, { list: [null] }]) expect(await tabsOf({ tabBar })).toEqual([])
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
    ['too many pages', manifest({ pages: Array(1001).fill({ path: 'a' }) }), /more than 1000 pages/],
    ['a path with U+0000', manifest({ pages: [{ path: 'pages/index/index' }, { path: 'a\0' }] }), /pages\/1\/path/],
    ['half of a surrogate pair', manifest({ pages: [{ path: 'pages/index/index' }, { path: '\ud800' }] }), /pages\/1/],
  ])('rejects a manifest: %s', async (_what, text, reason) => {
    await expect(read(build('H5', { 'souk-app.json': text }))).rejects.toEqual(soukError(reason))
  })

  test('explains an archive that contains the folder itself', async () => {
    const wrapped = Object.fromEntries(Object.entries(build()).map(([path, content]) => [`mini-app/${path}`, content]))
    await expect(read(wrapped)).rejects.toEqual(soukError(/in "mini-app\/": pack the contents of that folder/))
    await expect(read({ 'souk-app.json': '{}' })).rejects.toEqual(soukError(/index.html is missing/))
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
