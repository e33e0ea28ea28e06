import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, soukSandbox } from '@souk/conformance'
import { openOperations } from '@souk/contract'
import { Souk } from '@souk/sdk'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort, type RunningServer, startServer } from '../../apps/server/test/server.ts'
import { shortJvm } from './jvm.ts'
import { type Command, compiledJava, javaRelease } from './languages.ts'

const sdks = join(import.meta.dirname, '..')
const typescript = join(sdks, '../packages/sdk')
/** One pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A backend of a mini app in a framework, as the README of the client has it. */
interface Example {
  framework: string
  /** Its files, which the README quotes. */
  files: string[]
  readme: string
  /** Debian's packages that it needs. */
  packages: string
  isInstalled: boolean
  /** Path before those of the routes. */
  prefix?: string
  /** Returns the command that serves it at a port, in a folder with the icon. */
  start(folder: string, port: string): Command
}

const succeeds = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0
const python = '/usr/bin/python3'
const jars = (...names: string[]) => names.map((name) => `/usr/share/java/${name}.jar`)
const spring = jars(
  ...['aop', 'beans', 'context', 'core', 'expression', 'web', 'web.servlet'].map((name) => `spring3-${name}`),
  ...['http', 'io', 'security', 'server', 'servlet', 'util', 'util-ajax'].map((name) => `jetty9-${name}`),
  ...['servlet-api', 'commons-logging', 'jackson-annotations', 'jackson-core', 'jackson-databind'],
)

/** Returns what the files in a folder contain. */
const filesOf = (folder: string) =>
  globSync('*', { cwd: folder }).map((name) => readFileSync(join(folder, name), 'utf8'))

const node = (name: string): Example => ({
  framework: name === 'express' ? 'Express' : 'Fastify',
  files: [join(typescript, `examples/${name}.ts`)],
  readme: join(typescript, 'README.md'),
  packages: '',
  isInstalled: true,
  start: (folder) => ({
    command: process.execPath,
    args: [
      '--conditions=souk-source',
      '--disable-warning=ExperimentalWarning',
      join(typescript, `examples/${name}.ts`),
    ],
    cwd: folder,
  }),
})

const inPython = (framework: string, module: string, args: (port: string) => string[]): Example => ({
  framework,
  files: [join(sdks, `python/examples/${module}.py`)],
  readme: join(sdks, 'python/README.md'),
  packages: 'python3-django python3-fastapi python3-uvicorn',
  isInstalled: existsSync(python) && succeeds(python, '-c', 'import django, fastapi, uvicorn'),
  start: (folder, port) => ({
    command: python,
    args: args(port),
    cwd: folder,
    env: {
      DJANGO_SECRET_KEY: 'secret',
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: `${join(sdks, 'python')}:${join(sdks, 'python/examples')}`,
    },
  }),
})

const examples: Example[] = [
  node('express'),
  node('fastify'),
  inPython('FastAPI', 'shop_fastapi', (port) => ['-m', 'uvicorn', 'shop_fastapi:app', '--port', port]),
  inPython('Django', 'shop_django', (port) => {
    const program = join(sdks, 'python/examples/shop_django.py')
    return [program, 'runserver', '--noreload', `127.0.0.1:${port}`]
  }),
  {
    framework: 'net/http',
    files: [join(sdks, 'go/examples/nethttp/main.go')],
    readme: join(sdks, 'go/README.md'),
    packages: 'golang-go',
    isInstalled: succeeds('go', 'version'),
    start(folder) {
      const cache = join(sdks, '../node_modules/.cache/go')
      const env = { PATH: process.env.PATH, GOCACHE: cache, GOPATH: cache, GOPROXY: 'off', GOTOOLCHAIN: 'local' }
      const program = join(folder, 'shop')
      execFileSync('go', ['build', '-o', program, './examples/nethttp'], { cwd: join(sdks, 'go'), env, stdio: 'pipe' })
      return { command: program, args: [], cwd: folder }
    },
  },
  {
    framework: 'Spring MVC',
    files: [join(sdks, 'java/examples/spring/ShopController.java')],
    readme: join(sdks, 'java/README.md'),
    packages: 'default-jdk-headless libjackson2-databind-java libspring-web-servlet-java libjetty9-java',
    isInstalled: succeeds('javac', '--version') && spring.every((path) => existsSync(path)),
    start(folder) {
      const path = [folder, compiledJava(), ...spring].join(':')
      const sources = ['ShopController', 'ShopServer'].map((name) => join(sdks, `java/examples/spring/${name}.java`))
      // With the names of parameters, which Spring reads.
      const options = ['-parameters', '-Werror', '--release', javaRelease, '-d', folder, '-cp', path]
      execFileSync('javac', [...options, ...sources], { stdio: 'pipe' })
      // Debian has Spring 4, which is older than the modules of Java.
      const flags = [...shortJvm, '--add-opens', 'java.base/java.lang=ALL-UNNAMED']
      return { command: 'java', args: [...flags, '-cp', path, 'ShopServer'], cwd: folder }
    },
  },
  {
    framework: 'Laravel',
    files: ['shop', 'routes'].map((name) => join(sdks, `php/examples/laravel/${name}.php`)),
    readme: join(sdks, 'php/README.md'),
    packages: 'php-cli php-curl php-mbstring php-laravel-framework',
    prefix: '/api',
    isInstalled:
      succeeds('php', '-r', 'exit(extension_loaded("curl") && extension_loaded("mbstring") ? 0 : 1);') &&
      existsSync('/usr/share/php/Illuminate/Foundation/Application.php'),
    start: (folder, port) => ({
      command: 'php',
      args: ['-S', `127.0.0.1:${port}`, join(sdks, 'php/examples/laravel/server.php')],
      cwd: folder,
    }),
  },
]

let server: RunningServer
let sandbox: Sandbox
let uid: number

beforeAll(async () => {
  server = await startServer()
  sandbox = soukSandbox(server.url, server.adminToken)
  uid = await sandbox.createUser({ nickname: 'Layla' })
})
afterAll(() => server?.stop())

describe.each(examples)('the backend with $framework', (example) => {
  test.each(example.files)('is quoted in its README: %s', (file) => {
    expect(readFileSync(example.readme, 'utf8')).toContain(`\n${readFileSync(file, 'utf8').trimEnd()}\n\`\`\`\n`)
  })

  test('has every operation of the open API', () => {
    const source = example.files.map((file) => readFileSync(file, 'utf8').replaceAll('_', '').toLowerCase()).join()
    const missing = Object.keys(openOperations).filter((id) => !source.includes(`${id}(`.toLowerCase()))
    expect(missing).toEqual([])
  })

  describe.skipIf(!example.isInstalled)(
    example.isInstalled ? 'serves pages of a mini app' : `skipped: needs apt-get install ${example.packages}`,
    () => {
      let folder: string
      let shop: ChildProcess
      let shopUrl: string
      let app: { appid: string; secret: string }
      let log = ''

      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), 'souk-shop-'))
        await writeFile(join(folder, 'icon.png'), Buffer.from(png, 'base64'))
        app = await sandbox.createApp(`Shop with ${example.framework}`)
        const port = String(await freePort())
        shopUrl = `http://127.0.0.1:${port}${example.prefix ?? ''}`
        const { command, args, cwd, env } = example.start(folder, port)
        const settings = {
          PORT: port,
          SHOP_URL: shopUrl,
          SOUK_URL: server.url,
          SOUK_APPID: app.appid,
          SOUK_SECRET: app.secret,
        }
        shop = spawn(command, args, {
          cwd,
          env: { PATH: process.env.PATH, ...env, ...settings },
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        for (const stream of [shop.stdout!, shop.stderr!]) {
          stream.setEncoding('utf8').on('data', (text: string) => {
            log += text
          })
        }
        await vi.waitFor(
          async () => {
            if (shop.exitCode !== null) throw new Error(log)
            await fetch(shopUrl)
          },
          { timeout: 60_000, interval: 100 },
        )
      })
      afterAll(async () => {
        if (shop?.exitCode === null) {
          shop.kill()
          await once(shop, 'exit')
        }
        await rm(folder, { recursive: true, force: true })
      })

      /** Calls the shop as a page of the mini app does. */
      async function call(method: string, path: string, body?: object) {
        const response = await fetch(`${shopUrl}${path}`, {
          method,
          headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        })
        const text = await response.text()
        return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : `${text}\n${log}` }
      }

      /** Makes a call that succeeds. */
      async function ok(method: string, path: string, body?: object) {
        const answer = await call(method, path, body)
        expect(answer).toEqual({ status: 200, body: expect.anything() })
        return answer.body
      }

      test('sign-in, payment, refund, closing, messages and errors', async () => {
        const code = await sandbox.createCode(app.appid, uid, 'user.info')
        const { openId, nickName } = await ok('POST', '/sign-in', { code })
        expect(nickName).toBe('Layla')

        const { tradeNo } = await ok('POST', '/orders', { id: 'order-1', cents: 1250, openId })
        expect(await ok('GET', `/orders/${tradeNo}`)).toEqual({ status: 1, received: null })
        await sandbox.pay({ tradeNo, uid })
        await expect.poll(() => ok('GET', `/orders/${tradeNo}`)).toEqual({ status: 2, received: 2 })

        const { refundNo } = await ok('POST', `/orders/${tradeNo}/refunds`, { id: 'refund-1', cents: 400 })
        await expect.poll(() => ok('GET', `/refunds/${refundNo}`)).toEqual({ status: 2, received: 2 })

        const other = await ok('POST', '/orders', { id: 'order-2', cents: 300, openId })
        expect(await ok('POST', `/orders/${other.tradeNo}/close`, {})).toEqual({ closed: true })
        expect((await ok('GET', `/orders/${other.tradeNo}`)).status).toBe(6)

        expect(await ok('POST', '/messages', { openId, text: 'It is ready' })).toEqual({ sent: true })
        expect((await sandbox.inbox(uid))[0]).toMatchObject({ title: 'Your order', text: 'It is ready' })
        const delivery = { id: `delivery-${app.appid}`, openId, text: '10 minutes' }
        expect(await ok('POST', '/deliveries', delivery)).toEqual({ shown: true })
        expect(await sandbox.home(uid)).toContainEqual(expect.objectContaining({ title: 'On its way' }))

        const unknown = await call('GET', `/orders/${'0'.repeat(32)}`)
        expect(unknown).toEqual({ status: 404, body: { error: 'trade_not_found' } })
        await expect.poll(() => log + filesOf(join(folder, 'storage/logs'))).toContain('trade_not_found')
      })

      test('refuses forged callbacks, and processes real ones', async () => {
        const { callbacks } = new Souk({ baseUrl: server.url, ...app })
        const post = async (path: string, { body, headers }: ReturnType<typeof callbacks.signTestCallback>) =>
          (await fetch(`${shopUrl}${path}`, { method: 'POST', body, headers })).status
        for (const [path, callback] of [
          ['/souk/payments', callbacks.signTestCallback()],
          ['/souk/refunds', callbacks.signTestRefund()],
        ] as const) {
          expect([path, await post(path, callback)]).toEqual([path, 200])
          const forged = { ...callback, body: callback.body.replace('amount=100&', 'amount=1&') }
          expect([path, await post(path, forged)]).toEqual([path, 400])
          const large = { ...callback, body: `${callback.body}&more=${'x'.repeat(100_000)}` }
          expect([400, 413]).toContain(await post(path, large))
        }
      })
    },
  )
})
