import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { archiveOf, build } from '../../apps/server/test/archive.ts'
import { freePort } from '../../apps/server/test/server.ts'

const root = join(import.meta.dirname, '../..')
let dataDir: string
let url: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'souk-start-'))
  url = `http://localhost:${await freePort()}`
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

/** Runs `npm start` and waits until it has printed the pattern. */
async function start(printed: RegExp, settings: Record<string, string> = {}) {
  const { PATH, HOME } = process.env
  const { port } = new URL(url)
  const child = spawn(process.execPath, [join(root, 'setup/run.mjs'), 'start'], {
    cwd: root,
    env: { PATH, HOME, PORT: port, SOUK_DATA_DIR: dataDir, SOUK_LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill()
    await ended
  })
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
        if (printed.test(output)) resolve()
      })
    }
    child.once('exit', () => reject(new Error(output)))
  })
  return {
    printed: printed.exec(output)!,
    ended,
    /** Returns its child processes, the server first. */
    async processes() {
      const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args='])
      const rows = stdout.split('\n').map((row) => row.trim().split(/\s+/))
      const found = rows.filter(([, parent]) => Number(parent) === child.pid)
      return found.map(([pid, , ...args]) => ({ pid: Number(pid), args: args.join(' ') }))
    },
    /** Presses Ctrl-C and waits for the exit. */
    async stop() {
      child.kill('SIGINT')
      const [code] = await ended
      return { code, output }
    },
  }
}

const withExample = (settings?: Record<string, string>) =>
  start(/Souk Coffee +is available in the host; its backend is at (\S+)/, settings)

async function json(path: string, headers: Record<string, string> = {}, input?: object) {
  const answer = await fetch(url + path, {
    headers: { ...headers, ...(input && { 'content-type': 'application/json' }) },
    ...(input && { method: 'POST', body: JSON.stringify(input) }),
  })
  expect(answer.status, path).toBe(200)
  return answer.json()
}

/** Returns the mini apps that a mock user of the host can open, by name. */
async function miniApps() {
  const [user] = await json('/host/v1/sandbox/users')
  const { session } = await json('/host/v1/sessions', {}, { uid: user.uid })
  const apps: { name: string; appid: string; iconUrl: string; release: { url: string; version: string } }[] = (
    await json('/host/v1/apps', { authorization: `Bearer ${session}` })
  ).items
  return new Map(apps.map((app) => [app.name, app]))
}

const asAdministrator = async () => ({
  authorization: `Bearer ${(await readFile(join(dataDir, 'admin-token'), 'utf8')).trim()}`,
})

async function releases(appid: string): Promise<{ version: string; current: boolean }[]> {
  return json(`/console/v1/apps/${appid}/releases`, await asAdministrator())
}

/** Uploads a release that is not a build of the example. */
async function upload(appid: string, version: string, note: string): Promise<void> {
  const body = new FormData()
  for (const [name, value] of Object.entries({ version, note })) body.append(name, value)
  body.append('fileData', new Blob([new Uint8Array(await archiveOf(build()))]))
  const headers = await asAdministrator()
  const answer = await fetch(`${url}/console/v1/apps/${appid}/releases`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
}

/** Returns the backend URL in the scripts of a release. */
async function backendOf(release: { url: string }): Promise<string | undefined> {
  const { pages } = await json(`${release.url}souk-app.json`)
  expect(pages).toHaveLength(5)
  const html = await (await fetch(`${url}${release.url}index.html`)).text()
  for (const [, path] of html.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)) {
    const script = await (await fetch(url + release.url + path)).text()
    const found = /http:\/\/localhost:\d+/.exec(script)
    if (found) return found[0]
  }
  return undefined
}

test('npm start publishes the example once, uses a free port, and stops all processes on exit', async () => {
  const first = await withExample()
  const address = first.printed[1]!
  const coffee = (await miniApps()).get('Souk Coffee')!
  expect(await backendOf(coffee.release)).toBe(address)
  expect((await fetch(coffee.iconUrl)).headers.get('content-type')).toBe('image/png')
  expect(await (await fetch(`${address}/menu`)).json()).toMatchObject({ currency: 'SAR' })
  expect(await first.stop()).toMatchObject({ code: 0 })
  await expect(fetch(`${address}/menu`)).rejects.toThrow()

  const second = await withExample()
  expect(await releases(coffee.appid)).toHaveLength(1)
  await upload(coffee.appid, 'mine', 'Manual upload')
  for (const number of Array(12).keys()) await upload(coffee.appid, `earlier-${number}`, 'npm start')
  expect((await second.stop()).output).not.toContain('Building Souk Coffee')

  const other = createServer().listen(Number(new URL(address).port), '127.0.0.1')
  await once(other, 'listening')
  const third = await withExample()
  other.close()
  const moved = (await miniApps()).get('Souk Coffee')!
  expect(third.printed[1]).not.toBe(address)
  expect(await backendOf(moved.release)).toBe(third.printed[1])
  // Ten old releases are kept, besides the one of the second start and the manual upload.
  const versions = (await releases(coffee.appid)).map(({ version }) => version)
  const kept = Array.from({ length: 10 }, (_, index) => `earlier-${11 - index}`)
  expect(versions).toEqual([moved.release.version, ...kept, 'mine', coffee.release.version])
  await third.stop()

  // The port is free again, so its release is published again.
  const fourth = await withExample()
  expect(fourth.printed[1]).toBe(address)
  expect((await releases(coffee.appid)).filter(({ current }) => current)).toMatchObject([
    { version: coffee.release.version },
  ])

  // The example stops when the server stops.
  const [main] = await fourth.processes()
  process.kill(main!.pid, 'SIGTERM')
  await fourth.ended
  await expect(fetch(`${address}/menu`)).rejects.toThrow()
})

test('SOUK_EXAMPLE=off does not start the example', async () => {
  const server = await start(/Admin token/, { SOUK_EXAMPLE: 'off', SOUK_LOG_LEVEL: 'info' })
  // Nothing but the progress of the set-up is printed before the addresses.
  const [before, addresses] = server.printed.input.split('Souk is ready')
  expect(before).not.toContain('"level"')
  for (const path of ['host', 'console', 'docs']) expect(addresses).toContain(`${url}/${path}/`)
  expect([...(await miniApps()).keys()]).toEqual(['Demo'])
  expect(await server.processes()).toEqual([expect.objectContaining({ args: expect.stringContaining('apps/server') })])
  expect((await server.stop()).output).not.toContain('Souk Coffee')
  expect(existsSync(join(dataDir, 'coffee.json'))).toBe(false)
})
