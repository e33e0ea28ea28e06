import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { minute } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { create } from '../../../packages/create-miniapp/src/create.ts'
import { type RunningServer, startServer } from './server.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const upstream = 'https://registry.npmjs.org'
/** PATH without the programs of this repository. */
const PATH = process.env
  .PATH!.split(delimiter)
  .filter((folder) => !folder.startsWith(root))
  .join(delimiter)

let server: RunningServer
let machine: string
/** Names of the packages that were asked for. */
const asked = new Set<string>()

/** A read-only mirror of the public registry, as companies run one: it serves tarballs at its own address. */
const mirror = createServer((request, response) => {
  answer(request, response).catch((error: Error) => response.writeHead(502).end(error.message))
})

async function answer({ method, url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (method !== 'GET') {
    response.writeHead(405).end()
    return
  }
  const found = await fetch(upstream + url, { headers: { Accept: headers.accept ?? '*/*' } })
  const type = found.headers.get('content-type') ?? 'application/octet-stream'
  const content = Buffer.from(await found.arrayBuffer())
  const own = `http://${headers.host}`
  response
    .writeHead(found.status, { 'Content-Type': type })
    .end(type.includes('json') ? content.toString().replaceAll(upstream, own) : content)
  if (type.includes('json')) asked.add(decodeURIComponent(url.slice(1)))
}

beforeAll(async () => {
  server = await startServer()
  mirror.listen(0, '127.0.0.1')
  await once(mirror, 'listening')
  machine = await mkdtemp(join(tmpdir(), 'souk-mirror-'))
  await mkdir(join(machine, 'home'))
}, 5 * minute)

afterAll(async () => {
  mirror.closeAllConnections()
  mirror.close()
  await server?.stop()
  if (machine) await rm(machine, { recursive: true })
})

/** Types commands on a machine that reaches nothing but itself: other requests go to a proxy that does not exist. */
async function type(script: string, folder: string): Promise<string> {
  const nowhere = 'http://127.0.0.1:9'
  const network = { http_proxy: nowhere, https_proxy: nowhere, no_proxy: '127.0.0.1', npm_config_fetch_retries: '0' }
  const env = { PATH, HOME: join(machine, 'home'), ...network }
  const typing = run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env, timeout: 3 * minute })
  typing.child.stdin!.end()
  return (await typing).stdout
}

test('a mini app with sass is created, installed and built in a network with a mirror', {
  timeout: 8 * minute,
}, async () => {
  const address = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/`
  const guide = await readFile(join(root, 'docs/guides/mini-apps.md'), 'utf8')
  const [, command] = /```sh\n(npm create [^\n]*\\\n[^\n]*--registry=[^\n]*)\n/.exec(guide)!
  const typed = command!.replace('https://souk.example.com', server.url).replace('https://npm.example.com/', address)
  await type(typed, machine)
  const project = join(machine, 'my-app')
  const lines = `@souk:registry=${server.url}/npm/\nregistry=${address}\n`
  expect(await readFile(join(project, '.npmrc'), 'utf8')).toBe(lines)

  await type('npm install', project)
  expect([...asked]).toEqual(expect.arrayContaining(['vue', 'sass', 'vite']))
  expect([...asked].filter((name) => name.startsWith('@souk/'))).toEqual([])
  const lock = await readFile(join(project, 'package-lock.json'), 'utf8')
  expect(lock).not.toContain(upstream)

  const page = join(project, 'pages/list/list.vue')
  const style = '<style lang="scss">\n$space: 11px;\n.list { .row { padding: $space * 3 } }\n</style>\n'
  await writeFile(page, (await readFile(page, 'utf8')).replace(/<style.*?<\/style>\s*$/s, '') + style)
  await type('npm run build', project)
  expect(await type('cat dist/app/assets/*.css', project)).toMatch(/padding:\s*33px/)

  // From the lock file, as a pipeline does.
  await type('npm ci && npm run build', project)
})

test('Yarn 4 installs and builds it there, from the files of the project only', { timeout: 8 * minute }, async () => {
  const address = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/`
  const project = await create(join(machine, 'with-yarn'), `${server.url}/npm/`, address)
  const yarn = join(root, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js')
  asked.clear()
  // Yarn keeps packages by version, and reads no `https_proxy`.
  const settings = `export YARN_GLOBAL_FOLDER=${machine}/yarn YARN_HTTPS_PROXY=http://127.0.0.1:9`
  await type(`${settings}\n${yarn} install && ${yarn} build`, project)
  expect([...asked]).toEqual(expect.arrayContaining(['vue', 'sass', 'vite']))
  expect([...asked].filter((name) => name.startsWith('@souk/'))).toEqual([])
  expect(await readFile(join(project, 'yarn.lock'), 'utf8')).not.toContain(upstream)
  await type(`${settings}\n${yarn} install --immutable && ${yarn} npm info vue --fields name`, project)
  expect(await readdir(join(project, 'dist/app'))).toContain('index.html')
})

test('without the mirror, the installation fails', { timeout: 5 * minute }, async () => {
  const project = join(machine, 'my-app')
  await writeFile(join(project, '.npmrc'), `@souk:registry=${server.url}/npm/\n`)
  await expect(type('npm view vue version', project)).rejects.toThrow('ECONNREFUSED')
})
