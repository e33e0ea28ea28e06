import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { minute, signParameters } from '@souk/contract'
import { Agent, fetch } from 'undici'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { soukVersion } from '../src/kernel/package.ts'
import { certificate, key } from './certificate.ts'
import { withoutNpm } from './commandLine.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'
import { freePort } from './server.ts'
import { Systemd } from './systemd.ts'

const run = promisify(execFile)
const clone = join(import.meta.dirname, '../../..')

/** The proxies of the guide, and how each is started with its file. */
const proxies = {
  haproxy: { file: 'haproxy.cfg', scheme: 'https', options: (file: string) => ['-db', '-f', file] },
  caddy: {
    file: 'Caddyfile',
    scheme: 'http',
    options: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
  nginx: { file: 'nginx.conf', scheme: 'https', options: (file: string) => ['-c', file] },
} as const
type ProxyName = keyof typeof proxies
const names = Object.keys(proxies) as ProxyName[]

const isRoot = process.getuid?.() === 0
/** Returns why a proxy cannot be tested here, if it cannot. */
function obstacleOf(name: ProxyName): string {
  // They start as root and change to other users.
  if (!isRoot) return ' (skipped: needs root)'
  const { error } = spawnSync(name, [name === 'caddy' ? 'version' : '-v'], { stdio: 'ignore' })
  return error ? ` (skipped: needs apt-get install ${name === 'nginx' ? 'nginx-light' : name})` : ''
}
const obstacles = new Map(names.map((name) => [name, obstacleOf(name)]))
const available = names.filter((name) => obstacles.get(name) === '')

/** The ports in the shipped files, of the single process and of the three that replace it. */
const [single, ...several] = ['7070', '7071', '7072', '7073'] as const
/** Free ports in place of those in the shipped files. */
const ports = new Map<string, number>()
/** Stands for the root folder of the machine in docs/guides/growth.md. */
let machine: string

/** Replaces folders and ports of the machine. */
function onMachine(text: string): string {
  return text
    .replaceAll(/(?<![\w.:])\/(etc|var|run|usr\/local\/sbin)(?=\/)/g, `${machine}/$1`)
    .replaceAll(/\b707\d\b/g, (port) => String(ports.get(port)))
}

const readShipped = async (path: string) => onMachine(await readFile(join(clone, 'deploy', path), 'utf8'))

const unitOf = (port: string) => `souk@${ports.get(port)}`
const urlOf = (port: string) => `http://127.0.0.1:${ports.get(port)}`

interface Proxy {
  url: string
  process: ChildProcess
  log: () => string
}

/** Starts a proxy with its shipped file, in which only addresses are replaced. */
async function startProxy(name: ProxyName): Promise<Proxy> {
  const { file, scheme, options } = proxies[name]
  const port = await freePort()
  const text = (await readShipped(`processes/${file}`))
    .replace('souk.example.com {', `http://127.0.0.1:${port} {`)
    .replace(/(?<=bind |listen ):?443\b/, `127.0.0.1:${port}`)
  const path = join(machine, file)
  await writeFile(path, name === 'nginx' ? inNginx(text) : text)
  const home = { HOME: machine, XDG_CONFIG_HOME: machine, XDG_DATA_HOME: machine }
  const child = spawn(name, options(path), { env: { ...process.env, ...home }, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (line: string) => {
      log += line
    })
  }
  return { url: `${scheme}://127.0.0.1:${port}`, process: child, log: () => log }
}

/** What Debian's /etc/nginx/nginx.conf has around the file. */
const inNginx = (file: string) => `
  user www-data;
  daemon off;
  pid ${machine}/nginx.pid;
  error_log stderr;
  events { worker_connections 768; }
  http {
    access_log off;
    ${file}
  }`

/** Clients whose connections stay open, and with a connection for each request. */
const tls = { connect: { rejectUnauthorized: false } }
const clients = [new Agent(tls), new Agent({ ...tls, pipelining: 0 })]

/** Waits until /readyz answers 200. */
const untilReady = (url: string, log = () => '') =>
  vi.waitFor(
    async () => {
      const status = await fetch(`${url}/readyz`, { dispatcher: clients[0]! }).then((it) => it.status, String)
      expect(status, log()).toBe(200)
    },
    { timeout: minute },
  )

interface App {
  appid: string
  secret: string
  openId: string
}

// biome-ignore lint/suspicious/noExplicitAny: each operation has its own result type; wrong accesses fail the test.
type Result = any

/** Sends a signed request. @throws Error unless it succeeds */
async function signed(
  url: string,
  { appid, secret }: Pick<App, 'appid' | 'secret'>,
  [method, path]: ['GET' | 'POST', string],
  own: Record<string, string | number>,
  dispatcher = clients[0]!,
): Promise<Result> {
  const parameters = Object.entries({ appid, timestamp: Date.now(), ...own })
  const form = new URLSearchParams({ sign: signParameters(parameters, secret) })
  for (const [name, value] of parameters) form.append(name, String(value))
  const address = `${url}/neuopenapi/${path}`
  const answer = await (method === 'GET'
    ? fetch(`${address}?${form}`, { dispatcher })
    : fetch(address, { dispatcher, method, body: form }))
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`)
  return JSON.parse(text).response
}

/** Creates and reads a trade through a proxy. */
async function trade(url: string, app: App, outTradeNo: string, client?: Agent): Promise<void> {
  const order = { outTradeNo, amount: 100, currency: 'SAR', notifyUrl: 'http://localhost:9/paid', openId: app.openId }
  const { tradeNo } = await signed(url, app, ['POST', 'pay/transactions/trade'], order, client)
  const found = await signed(url, app, ['GET', 'pay/transactions/tradedetail'], { tradeNo }, client)
  expect(found.outTradeNo).toBe(outTradeNo)
}

/** Trades through a proxy until it is told to end. */
class Traffic {
  trades = 0
  readonly failures: string[] = []
  #isOver = false
  readonly #ended: Promise<unknown>

  constructor(name: ProxyName, url: string, app: App) {
    this.#ended = Promise.all(
      clients.map(async (client, number) => {
        for (let count = 0; !this.#isOver; count++) {
          await trade(url, app, `${name}-${number}-${count}`, client).then(
            () => this.trades++,
            (error: Error) => this.failures.push(`${new Date().toISOString()} ${error.message} ${error.cause ?? ''}`),
          )
          // Constant traffic that leaves processor time to the processes that start.
          await wait(20)
        }
      }),
    )
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#ended
  }
}

/** Returns the number of trades that a process has created since its start. */
async function createdBy(port: string): Promise<number> {
  const text = await (await fetch(`${urlOf(port)}/metrics`)).text()
  const [, count] = /^souk_requests_total\{.*operation="trade",status="200"\} (\d+)$/m.exec(text) ?? []
  return Number(count ?? 0)
}

const reason = isRoot ? 'haproxy, caddy or nginx-light' : 'root'
const title = 'several processes on one machine'
const isPossible = available.length > 0
describe.skipIf(!isPossible)(isPossible ? title : `${title} (skipped: needs ${reason})`, () => {
  let database: FreshDatabase
  let systemd: Systemd
  let blocks: Map<string, string>
  let app: App
  let adminToken: string
  const started = new Map<ProxyName, Proxy>()
  const traffic = new Map<ProxyName, Traffic>()

  beforeAll(async () => {
    machine = await mkdtemp(join(tmpdir(), 'souk-machine-'))
    // Workers of nginx run as another user.
    await chmod(machine, 0o755)
    for (const port of [single, ...several]) ports.set(port, await freePort())
    const certificates = 'etc/letsencrypt/live/souk.example.com'
    for (const folder of ['bin', 'etc/haproxy', 'etc/souk', 'etc/systemd/system', 'usr/local/sbin', certificates])
      await mkdir(join(machine, folder), { recursive: true })
    await writeFile(join(machine, 'etc/haproxy/souk.pem'), certificate + key)
    await writeFile(join(machine, certificates, 'fullchain.pem'), certificate)
    await writeFile(join(machine, certificates, 'privkey.pem'), key)
    const guide = await readFile(join(clone, 'docs/guides/growth.md'), 'utf8')
    const commands = guide.matchAll(/```sh (\w+)\n(.*?)```/gs)
    blocks = new Map([...commands].map(([, name, text]) => [name!, withoutNpm(onMachine(text!))]))

    database = await freshDatabase()
    systemd = await Systemd.start(machine, onMachine)
    app = await startSingle()
  }, 5 * minute)

  afterAll(async () => {
    for (const { process: child } of started.values()) child.kill()
    await systemd?.stop()
    await Promise.all(clients.map((client) => client.destroy()))
    await database?.drop()
    await rm(machine, { recursive: true, force: true })
  })

  /** Starts the process that docs/guides/live.md installs. It is a sandbox, which has users who trade. */
  async function startSingle(): Promise<App> {
    const settings = {
      SOUK_TRUST_PROXY: '1',
      SOUK_RATE_LIMIT: '0',
      SOUK_LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      DATABASE_URL: database.url,
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
    await writeFile(join(machine, 'etc/souk/souk.env'), lines.join(''))
    const unit = await readFile(join(clone, 'deploy/souk.service'), 'utf8')
    const file = join(machine, 'etc/systemd/system/souk.service')
    await writeFile(file, unit.replace(/^EnvironmentFile=/m, `Environment=PORT=${single}\n$&`))
    await systemd.enable('souk')
    const url = urlOf(single)
    await untilReady(url)

    const stateFile = (name: string) => readFile(join(machine, 'var/lib/souk', name), 'utf8')
    const demo = JSON.parse(await stateFile('demo.json'))
    adminToken = (await stateFile('admin-token')).trim()
    const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ appid: demo.appid, uid: demo.users[0].uid })
    const answer = await fetch(`${url}/console/v1/sandbox/codes`, { method: 'POST', headers, body })
    const { code } = (await answer.json()) as Result
    const exchange = { code, grantType: 'authorization_code', scope: 'user.info' }
    const { accessToken } = await signed(url, demo, ['POST', 'oauth/mini/accessToken'], exchange)
    const info = await fetch(`${url}/neuopenapi/oauth/mini/user/info?accessToken=${accessToken}`)
    const { response } = (await info.json()) as Result
    return { ...demo, openId: response.openId }
  }

  /** Types a block of the guide. */
  async function type(block: string): Promise<string> {
    const path = [join(machine, 'bin'), join(machine, 'usr/local/sbin'), process.env.PATH].join(delimiter)
    const options = { cwd: clone, env: { ...process.env, PATH: path } }
    const typed = run('bash', ['-euo', 'pipefail', '-c', blocks.get(block)!], options)
    return (await typed.catch((error) => Promise.reject(new Error(`${error.message}\n${systemd.log()}`)))).stdout
  }

  test('the guide replaces one process by three, with the same keys and admin token', async () => {
    expect([...blocks.keys()]).toEqual(['key', 'start', 'replace', 'command', 'restart'])
    await type('key')
    const script = join(machine, 'usr/local/sbin/souk-restart')
    await type('start')
    await writeFile(script, onMachine(await readFile(script, 'utf8')))
    for (const name of available) started.set(name, await startProxy(name))
    // The third process is not there yet: its connections are refused.
    for (const [name, { url, log }] of started) {
      await untilReady(url, log)
      for (let count = 0; count < 20; count++) await trade(url, app, `${name}-before-${count}`)
    }
    await type('replace')
    expect(systemd.units()).toEqual(several.map(unitOf).toSorted())
    expect(await type('command')).toContain(soukVersion)
    const headers = { Authorization: `Bearer ${adminToken}` }
    const doctor = await fetch(`${urlOf(several[0])}/console/v1/doctor`, { headers })
    const found = expect.stringMatching(/at most 60 of .* processes: 3/)
    expect(await doctor.json()).toContainEqual(expect.objectContaining({ check: 'databaseConnections', found }))
  })

  test('they are restarted one after another', async () => {
    const before = several.map((port) => systemd.pidOf(unitOf(port)))
    for (const [name, { url }] of started) traffic.set(name, new Traffic(name, url, app))
    try {
      const restarted = (await type('restart')).trim().split('\n')
      expect(restarted.toSorted()).toEqual(several.map((port) => String(ports.get(port))).toSorted())
    } finally {
      for (const each of traffic.values()) await each.end()
    }
    for (const [index, port] of several.entries()) {
      expect(systemd.pidOf(unitOf(port))).not.toBe(before[index])
      expect(await createdBy(port)).toBeGreaterThan(0)
    }
  })

  for (const name of names) {
    const reason = obstacles.get(name)
    test.skipIf(reason)(`no request through ${name} failed in the meantime${reason}`, async () => {
      const { trades, failures } = traffic.get(name)!
      expect(failures, started.get(name)!.log()).toEqual([])
      expect(trades).toBeGreaterThan(100)
      const [{ count }] = await database.sql<[{ count: number }]>`
        select count(*)::int as count from all_trades where out_trade_no ~ ${`^${name}-\\d`}`
      expect(count).toBe(trades)
    })

    test.skipIf(reason)(`${name} sends requests elsewhere when a process has died${reason}`, async () => {
      const { url } = started.get(name)!
      const unit = unitOf(several[0])
      await systemd.kill(unit)
      try {
        // The proxy reads the ends of its idle connections before it answers. A GET on one of them is repeated.
        for (let count = 0; count < 3; count++)
          expect((await fetch(`${url}/healthz`, { dispatcher: clients[0]! })).status).toBe(200)
        for (let count = 0; count < 30; count++) await trade(url, app, `${name}-dead-${count}`)
      } finally {
        await systemd.enable(unit)
        await untilReady(urlOf(several[0]))
      }
    })
  }

  test('a process is stopped only while another one is ready', async () => {
    for (const port of several.slice(1)) await systemd.kill(unitOf(port))
    const pid = systemd.pidOf(unitOf(several[0]))
    await expect(type('restart')).rejects.toThrow(`No other process than ${unitOf(several[0])} is ready`)
    expect(systemd.pidOf(unitOf(several[0]))).toBe(pid)
  })
})
