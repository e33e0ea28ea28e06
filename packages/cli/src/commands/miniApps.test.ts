import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Environment, systemEnvironment } from '../environment.ts'
import { runCommand } from '../program.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-mini-apps-'))
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

async function put(path: string, content: string | object) {
  await mkdir(join(folder, path, '..'), { recursive: true })
  await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
}

const page = '<template><view>a page</view></template>'
const good = { pages: [{ path: 'pages/a/a', style: { navigationBarTitleText: 'Coffee' } }] }

/** Runs a command that may continue to run; `begun` resolves to its first output. */
function souk(args: string[], signal = new AbortController().signal) {
  let out = ''
  let err = ''
  const { promise: begun, resolve: begin } = Promise.withResolvers<string>()
  const environment: Environment = {
    ...systemEnvironment(),
    folder,
    colors: false,
    out: (text) => {
      out += text
      begin(text)
    },
    err: (text) => {
      err += text
    },
    untilInterrupted: () => signal,
  }
  const ended = runCommand(args, environment).then((status) => ({ status, out, err }))
  return { begun, ended }
}

const run = (...args: string[]) => souk(args).ended

test('prints the files of a release and the size of the launch page', async () => {
  await put('app/pages.json', good)
  await put('app/pages/a/a.vue', page)
  const { status, out } = await run('build', 'app', '--platform', 'mini app')
  expect(status).toBe(0)
  expect(out).toMatch(/^file +size +gzipped\nassets\/index-.*\.js +[\d.]+ KB +[\d.]+ KB/)
  expect(out).toContain('ok app/dist/mini-app: Mini App (--platform), ')
  expect(out).toMatch(/The launch page loads \d+\.\d KB of JavaScript, gzipped\./)
  const json = await run('build', 'app', '--out', 'release', '--json')
  const built = JSON.parse(json.out)
  expect(built).toMatchObject({ platform: 'App', platformSource: 'default', folder: 'release' })
  expect(built.files.map(({ path }: { path: string }) => path)).toEqual(
    expect.arrayContaining(['index.html', 'souk-app.json']),
  )
  expect(built.firstLoad).toBeGreaterThan(20_000)
  expect(await readFile(join(folder, 'release/index.html'), 'utf8')).toContain('<title>Coffee</title>')
})

test.each([
  [undefined, [], 'dist/app: App (default)'],
  [{ platform: 'H5' }, [], 'dist/h5: H5 (package.json)'],
  [{ platform: 'H5' }, ['--platform', 'mini-app'], 'dist/mini-app: Mini App (--platform)'],
])('builds for the platform of a project with %j and options %j, and says why', async (settings, options, said) => {
  await put('pages.json', good)
  await put('package.json', { souk: settings })
  await put(
    'pages/a/a.vue',
    `<template><view /></template>
<script>
let platform = 'none'
// #ifdef APP-PLUS
platform = 'kept-by-app'
// #endif
// #ifdef H5
platform = 'kept-by-h5'
// #endif
console.log(platform)
</script>`,
  )
  // The platform of a vite.config is for Vite without this command.
  const plugin = JSON.stringify(join(import.meta.dirname, '../../../vite-plugin/src/index.ts'))
  await put(
    'vite.config.mjs',
    `const { souk } = await import(${plugin})\nexport default { plugins: [souk({ platform: 'Mini App' })] }`,
  )
  const { status, out } = await run('build', ...options)
  expect([status, out]).toEqual([0, expect.stringContaining(`ok ${said}, `)])
  const assets = join(folder, said.split(':')[0]!, 'assets')
  const scripts = await Promise.all(
    (await readdir(assets)).filter((name) => name.endsWith('.js')).map((name) => readFile(join(assets, name), 'utf8')),
  )
  const found = /kept-by-\w+/.exec(scripts.join(''))?.[0]
  expect(found).toBe({ 'dist/app': 'kept-by-app', 'dist/h5': 'kept-by-h5' }[said.split(':')[0]!])
})

test('names an unknown platform in package.json', async () => {
  await put('pages.json', good)
  await put('package.json', { souk: { platform: 'web' } })
  for (const command of ['build', 'dev', 'migrate']) {
    const { status, err } = await run(command, '.')
    expect(status).toBe(2)
    expect(err).toMatch(/package\.json is "web"; expected one of: H5, App, Mini App\.[\s\S]*--platform/)
  }
})

test('prints errors in pages.json and creates no release', async () => {
  await put('pages.json', { pages: [{ path: 'pages/gone/gone' }] })
  const result = await run('build')
  expect(result).toMatchObject({ status: 1, out: '' })
  expect(result.err).toMatch(
    /error\[page-file-missing\][\s\S]*pages\.json:1:\d+[\s\S]*No release was created because pages\.json has errors/,
  )
  const { status, out } = await run('build', '--json')
  expect([status, JSON.parse(out).diagnostics[0]]).toMatchObject([
    1,
    { file: 'pages.json', severity: 'error', line: 1 },
  ])
})

test('prints an error in a page with its location, without a stack trace', async () => {
  await put('pages.json', good)
  await put('pages/a/a.vue', '<template>\n  <view></template>')
  const { status, err } = await run('build')
  expect(status).toBe(1)
  expect(err).toMatch(/pages\/a\/a\.vue:2:\d+[\s\S]*Element is missing end tag/)
  expect(err).not.toContain('node_modules')
})

test('names the missing style compiler and the file that requires it', async () => {
  await put('pages.json', good)
  await put('pages/a/a.vue', `${page}<style lang="stylus">.a\n  color red</style>`)
  const { status, err } = await run('build')
  expect(status).toBe(1)
  expect(err).toMatch(/pages\/a\/a\.vue\n.*npm install -D stylus/)
})

test.each([
  [['build', 'nowhere'], /no such file or directory[\s\S]*npm create @souk\/miniapp/],
  [['dev'], /There is no pages\.json[\s\S]*npm create @souk\/miniapp/],
  [['build', '--platform', 'web'], /Use one of H5, App, Mini App/],
  [['dev', '--port', '0'], /Use a port from 1 to 65535/],
  [['dev', '--server', 'localhost'], /Use a URL such as http:\/\/localhost:7070/],
])('%j fails with advice', async (args, said) => {
  const { status, err } = await run(...args)
  expect(status).toBe(2)
  expect(err).toMatch(said)
})

test('refuses an output folder that contains other files', async () => {
  await put('pages.json', good)
  await put('pages/a/a.vue', page)
  await put('docs/notes.md', 'mine')
  await put('dist/app/notes.md', 'mine as well')
  for (const [taken, ...args] of [['docs', '--out', 'docs'], ['dist/app']]) {
    const { status, err } = await run('build', ...args)
    expect(status).toBe(2)
    expect(err).toMatch(new RegExp(`${taken} is not empty[\\s\\S]*Choose another folder with --out`))
    expect(await readdir(join(folder, taken!))).toEqual(['notes.md'])
  }
})

test('serves a mini app whose calls and requests are answered from a recording, and prints them', async () => {
  await put('pages.json', good)
  await put('pages/a/a.vue', page)
  const params = { type: 'object', text: 'Object', entries: [] }
  const result = { ...params, entries: [['code', { type: 'string', text: '******' }]] }
  const lines = [
    { souk: 'recording', version: 1, appid: 'demoapp00000001', time: 1 },
    { kind: 'start', time: 2 },
    { kind: 'mark', mark: 'start', time: 2 },
    { kind: 'storage', items: [{ key: 'size', text: '"L"', size: 3 }] },
    { kind: 'call', id: 1, time: 3, method: 'login', params },
    { kind: 'answer', id: 1, time: 4, result },
    { kind: 'request', id: 1, time: 5, method: 'GET', url: 'https://api.example/menu', headers: [] },
    { kind: 'response', id: 1, time: 6, status: 418, headers: [['x-cup', 'L']], body: 'tea', size: 3 },
  ]
  await put('session.jsonl', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"kind":"cal`)
  const interrupt = new AbortController()
  const { begun, ended } = souk(['dev', '--replay', join(folder, 'session.jsonl'), '--json'], interrupt.signal)
  const { url } = JSON.parse(await Promise.race([begun, ended.then(({ err }) => expect.unreachable(err))]))
  const post = (name: string, body: object) =>
    fetch(new URL(`/__souk/replay/${name}`, url), { method: 'POST', body: JSON.stringify(body) })
  const call = async () => (await post('call', { method: 'login', params: {} })).json()
  expect(await (await post('launch', {})).json()).toEqual({ storage: [['size', '"L"']] })
  expect(await call()).toEqual({ result: { code: '******' } })
  expect(await call()).toEqual({ errMsg: 'login:fail the recording contains login({}) only once' })
  const menu = await post('request', { method: 'GET', url: 'https://api.example/menu' })
  expect([menu.status, menu.headers.get('x-cup'), await menu.text()]).toEqual([418, 'L', 'tea'])
  const none = await post('request', { method: 'GET', url: 'https://api.example/tables' })
  expect([none.headers.has('souk-replay'), await none.text()]).toEqual([
    true,
    'the recording does not contain GET https://api.example/tables',
  ])
  interrupt.abort()
  const { status, err } = await ended
  expect(status).toBe(0)
  expect(err.split('\n')).toEqual([
    `${join(folder, 'session.jsonl')} was cut off: what follows is not known.`,
    '✓ login({})',
    '✗ login({}): the recording contains login({}) only once',
    '✓ GET https://api.example/menu',
    '✗ GET https://api.example/tables: the recording does not contain GET https://api.example/tables',
    '',
  ])
})

test('serves a mini app until interrupted, and forwards requests to the given Souk', async () => {
  await put('pages.json', good)
  await put('pages/a/a.vue', page)
  const server = createServer((request, response) => response.end(`asked ${request.url}`))
  await new Promise<void>((done) => server.listen(0, done))
  const { port } = server.address() as AddressInfo
  try {
    const interrupt = new AbortController()
    const { begun, ended } = souk(
      ['dev', '--platform', 'App', '--json', '--server', `http://localhost:${port}`],
      interrupt.signal,
    )
    const { url, platform } = JSON.parse(await begun)
    expect(platform).toBe('App')
    expect(await (await fetch(url)).text()).toContain('<div id="device"></div>')
    const passedOn = await fetch(new URL('/__souk/server/host/v1/app?a=1', url))
    expect(await passedOn.text()).toBe('asked /host/v1/app?a=1')
    const inUse = await run('dev', '--port', new URL(url).port)
    expect(inUse).toMatchObject({ status: 2 })
    expect(inUse.err).toContain('is in use')
    // An address of the documentation (RFC 5737), and a folder in the place of the address.
    const logged = vi.spyOn(console, 'error')
    for (const host of ['192.0.2.1', 'my-app.invalid']) {
      const elsewhere = await run('dev', '--host', host)
      expect(elsewhere).toMatchObject({ status: 2, err: expect.stringMatching(/cannot listen: .*\n.*before --host/) })
    }
    expect(logged).not.toHaveBeenCalled()
    logged.mockRestore()
    interrupt.abort()
    expect((await ended).status).toBe(0)
    await expect(fetch(url)).rejects.toThrow()
  } finally {
    server.close()
  }
})

test('says where a mini app is served, and for phones with a QR code, in one block', async () => {
  await put('pages.json', good)
  await put('pages/a/a.vue', page)
  const served = async (...args: string[]) => {
    const interrupt = new AbortController()
    const { begun, ended } = souk(['dev', '--platform', 'App', ...args], interrupt.signal)
    const text = await begun
    interrupt.abort()
    await ended
    return text
  }
  expect(await served('--host', '--server', 'http://souk.example', '--appid', 'tea')).toMatch(
    /Address +http:\/\/localhost:\d+\/__souk\/device\n( +Network +http:\/\/\S+\n)+ +Platform +App.*\n +Souk +http:\/\/souk\.example\n +Appid +tea\n +Keys .*\n\n█+\n/,
  )
  expect(await served()).toMatch(/Network +this machine only.*--host\n.*\n +Souk +none.*--server.*\n +Keys .*\n\n$/)
})

test('reports what a uni-app project has to change on one page, as JSON, and makes the safe changes', async () => {
  await put('app/pages.json', good)
  await put(
    'app/pages/a/a.vue',
    "<template><live-player /></template>\n<script>\nimport { defineStore } from 'pinia'\nimport './b.js'\n</script>\n",
  )
  const { status, out } = await run('migrate', 'app')
  expect(status).toBe(1)
  expect(out).toContain('pages.json: uni-app with Vue 3, 1 page, 1 source file, built for App (default)\n')
  expect(out).toContain('  <live-player>: not available: only its content is drawn\n    pages/a/a.vue:1:11\n')
  expect(out).toContain(
    "  pinia: not in package.json, the build uses Souk's: add it with npm install pinia [--write]\n    pages/a/a.vue:3:29\n",
  )
  expect(out).toContain('Safe changes, made by --write (1 file)\n  Add pinia ^2.3.0 to dependencies\n')
  expect(out).toMatch(/\nWill not run, before this is changed\n {2}\.\/b\.js: this file does not exist\n$/)
  const json = JSON.parse((await run('migrate', 'app', '--platform', 'H5', '--json')).out)
  expect(json).toMatchObject({
    verdict: {
      result: 'does-not-run',
      tried: false,
      reasons: ['./b.js: this file does not exist'],
    },
    vue: 3,
    platforms: ['H5'],
    works: { pages: 1 },
    findings: [{ subject: '<live-player>' }, { subject: './b.js' }, { subject: 'pinia' }],
  })
  await put('app/pages/a/b.js', '')

  const refused = await run('migrate', 'app', '--write')
  expect(refused).toMatchObject({ status: 1, out: '' })
  expect(refused.err).toMatch(/(not in a git repository|not committed)[\s\S]*Nothing was written/)
  const written = await run('migrate', 'app', '--write', '--force')
  expect(written.status).toBe(0)
  expect(written.out).toMatch(/\nShould run, with differences \(not tried: add --try\)\n$/)
  expect(written.out).toMatch(/written .*package\.json: Add pinia \^2\.3\.0 to dependencies\n/)
  expect(JSON.parse(await readFile(join(folder, 'app/package.json'), 'utf8'))).toMatchObject({
    dependencies: { pinia: '^2.3.0' },
  })
  expect(written.out).not.toContain('pinia: not in package.json')

  await put('app/pages/a/a.vue', page)
  const clean = await run('migrate', 'app')
  expect(clean.status).toBe(0)
  expect(clean.out).toMatch(/\nShould run \(not tried: add --try\)\n$/)
})

test('says which file souk migrate --write cannot write', async () => {
  // Nothing can be written beside a file with the longest name.
  const name = 'a'.repeat(251)
  await put('app/package.json', '{ "dependencies": { "vue": "^2.6.0" } }')
  await put('app/pages.json', JSON.stringify({ pages: [{ path: name }] }))
  await put(`app/${name}.vue`, '<script>\nexport default { destroyed() {} }\n</script>\n')
  const { status, err } = await run('migrate', 'app', '--write', '--force')
  expect(status).toBe(2)
  expect(err).toMatch(/^souk: ENAMETOOLONG: .*a\.vue\.souk-\d+'\.\n$/)
})

test('explains a folder that is not a project', async () => {
  const { status, err } = await run('migrate', 'nowhere')
  expect(status).toBe(2)
  expect(err).toMatch(/nowhere cannot be read: no such file or directory\.\n.*Pass the folder of a uni-app project/)
})
