import { randomBytes, randomInt } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import {
  type ErrorCode,
  errorsOf,
  minute,
  type NotDelivered,
  type Operation,
  operations,
  type Role,
  signParameters,
} from '@souk/contract'
import { readConfig } from '../src/config.ts'
import { createDelivery } from '../src/delivery/index.ts'
import { allowSetup } from '../src/domain/console/index.ts'
import type { FullContext } from '../src/domain/context.ts'
import { AppDirectory, MiniAppCatalogue, RequestLog } from '../src/domain/miniApps/index.ts'
import { ledger } from '../src/domain/money/index.ts'
import { measureInstallation } from '../src/domain/operations/index.ts'
import { checkInstallation } from '../src/installation.ts'
import { sha256 } from '../src/kernel/crypto.ts'
import { connect } from '../src/kernel/db/pool.ts'
import { createEgress } from '../src/kernel/egress.ts'
import { createLog } from '../src/kernel/log.ts'
import { createMailer, type Mailer } from '../src/kernel/mail.ts'
import { createMetrics } from '../src/kernel/metrics.ts'
import type { ObjectStorage } from '../src/kernel/objectStorage.ts'
import { Vault } from '../src/kernel/vault.ts'
import { type ConnectionLimits, createHttpServer } from '../src/surfaces/index.ts'
import { followAnnouncements, Live } from '../src/surfaces/live.ts'
import { StoppableClock, testSettings } from './context.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'

export interface TestSoukOptions {
  sandbox?: boolean
  publicUrl?: string
  rateLimit?: number
  openApiAlways200?: boolean
  openApi2023?: boolean
  trustProxy?: number
  approvals?: FullContext['rules']['approvals']
  mapTiles?: FullContext['web']['mapTiles']
  projectCreation?: FullContext['rules']['projectCreation']
  /** Limits of connections other than the defaults of the tests. */
  connections?: Partial<ConnectionLimits>
  /** A random one by default. */
  adminToken?: string
  /** URL of the mail server; without it, mail is not configured. */
  mail?: string | undefined
  /** The object storage, and where new files are stored. */
  objects?: ObjectStorage | undefined
  storage?: 'database' | 's3'
  /** The database of another server, for a second process of the same installation. */
  database?: FreshDatabase
}

/** Response to an open API request. */
export interface OpenAnswer {
  http: number
  headers: Headers
  status: number
  msg: string
  code: ErrorCode | undefined
  data: Record<string, unknown> | undefined
  notDelivered: NotDelivered | undefined
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own result type; wrong accesses fail the test.
  response: any
}

/** Response of a JSON surface. */
export interface JsonAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  body: any
  headers: Headers
}

/** An account signed in to the console in a browser. */
export interface ConsoleUser {
  accountId: string
  username: string
  password: string
  /** `souk_session=…` */
  cookie: string
  csrf: string
  /** Calls the console surface with cookie and CSRF token. */
  call(method: string, path: string, input?: unknown): Promise<JsonAnswer>
}

/** A complete Souk in this process, with real HTTP, its own database, and a clock that the test controls. */
export interface TestSouk {
  url: string
  context: FullContext
  clock: StoppableClock
  live: Live
  requestLog: RequestLog
  adminToken: string
  database: FreshDatabase
  /**
   * Values that must not be logged: secrets, keys, tokens, passwords, phone numbers and everything that operations
   * redact, collected from the calls below. `stop` searches the log for them.
   */
  secrets: Set<string>
  /** Returns the number of open connections to the server. */
  countConnections(): Promise<number>
  /** All log lines. */
  logged: string[]
  /** The key ring, oldest key first. A test can add keys. */
  masterKeys: Buffer[]
  /** Calls the console surface. */
  console(method: string, path: string, input?: unknown): Promise<JsonAnswer>
  /** Calls the host or console surface with a bearer token. */
  json(token: string, method: string, path: string, input?: unknown): Promise<JsonAnswer>
  /** Sends a request with these headers. */
  raw(method: string, path: string, headers: Record<string, string>, input?: unknown): Promise<JsonAnswer>
  /** Undoes a rotation of the admin token, and switches it on. */
  restoreAdminToken(): Promise<void>
  /** Creates the first administrator with a setup link. */
  setUp(): Promise<ConsoleUser>
  /** Creates an account by an invitation to this project. */
  join(projectId: string, role: Role): Promise<ConsoleUser>
  /** Signs the account in again, in another browser. */
  signIn(user: Pick<ConsoleUser, 'username' | 'password'>): Promise<ConsoleUser>
  /** Sends a signed open API request. */
  signed(
    app: { appid: string; secret: string },
    method: 'GET' | 'POST',
    path: string,
    parameters: Record<string, string | number>,
  ): Promise<OpenAnswer>
  /** Sends an open API request unchanged. */
  send(method: string, path: string, init?: RequestInit): Promise<OpenAnswer>
  /** @throws Error if any of `secrets` is in the log or in the metrics */
  stop(): Promise<void>
}

/** Stores an admin token in memory. */
function inMemory(token: string): FullContext['adminToken'] {
  let stored: string | undefined = token
  return {
    file: 'admin-token',
    read: () => stored,
    async write(changed) {
      stored = changed
    },
    async delete() {
      stored = undefined
    },
  }
}

/** Returns a mailer with the settings that this URL stands for. */
async function mailerOf(url: string | undefined): Promise<Mailer | undefined> {
  const { mail } = readConfig(
    url === undefined ? {} : { SOUK_SMTP_URL: url, SOUK_MAIL_FROM: 'Souk <souk@mail.example>' },
  )
  return mail && createMailer(mail)
}

/** Returns a strong password of letters only: estimating the strength of one with digits takes fifty times as long. */
const randomPassword = () => Array.from({ length: 16 }, () => String.fromCharCode(97 + randomInt(26))).join('')

/** Minimum length of a secret. Shorter strings match by chance: a year, a country code. */
const shortestSecret = 8

export async function startTestSouk({
  sandbox = true,
  publicUrl = 'http://souk.test',
  rateLimit = 0,
  openApiAlways200 = false,
  openApi2023 = false,
  trustProxy = 0,
  approvals = 'automatic',
  mapTiles,
  projectCreation = 'everyone',
  connections = {},
  adminToken: given,
  database: shared,
  mail,
  objects,
  storage = 'database',
}: TestSoukOptions = {}): Promise<TestSouk> {
  const database = shared ?? (await freshDatabase())
  // The same for all servers of an installation.
  const adminToken = given ?? `souk_admin_test_${sha256(database.url).toString('hex').slice(0, 16)}`
  const sql = shared ? connect(shared.url) : database.sql
  const clock = new StoppableClock()
  const logged: string[] = []
  const stopping = new AbortController()
  const masterKeys = [Buffer.alloc(32, 7)]
  const vault = new Vault(() => masterKeys)
  await checkInstallation(sql, { environment: sandbox ? 'sandbox' : 'live' }, vault)
  const acceptAdminToken = () => sql`
    update platform_settings set admin_token_enabled = true, admin_token_hash = ${sha256(adminToken)}`
  await acceptAdminToken()
  const egress = createEgress({ allowlist: [], loopback: sandbox, publicUrl })
  const defaults = testSettings()
  const context: FullContext = {
    sql,
    clock,
    vault,
    egress,
    log: createLog('debug', { write: (line) => logged.push(line) }),
    metrics: createMetrics(),
    ...defaults,
    settings: { sandbox, publicUrl },
    web: { ...defaults.web, mapTiles },
    rules: { ...defaults.rules, approvals, projectCreation },
    storage,
    apps: new AppDirectory({ sql: database.sql, vault, clock }),
    catalogue: new MiniAppCatalogue({ sql: database.sql, clock }),
    adminToken: inMemory(adminToken),
    ledger,
    mailer: await mailerOf(mail),
    objects,
    stopping: stopping.signal,
    sendMessage: createDelivery(egress),
  }
  measureInstallation(context)
  const live = new Live()
  await followAnnouncements(context, live)
  await sql.listen('souk_clock', (offset) => {
    clock.offset = Number(offset)
    live.emit('clock')
  })
  const requestLog = new RequestLog(context)
  const secrets = new Set(adminToken ? [adminToken] : [])
  const server = await createHttpServer({
    context,
    requestLog,
    live,
    rateLimit,
    // A busy machine must not make processes count alone.
    limitPatience: minute,
    openApiAlways200,
    openApi2023,
    connections: { max: 1000, requestTimeout: minute, idleTimeout: minute, ...connections },
    trustProxy,
    allowedHosts: ['souk.internal', '192.0.2.10', '2001:db8::10'],
    draining: () => false,
    onlyOps: false,
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`

  let lastTimestamp = 0

  async function send(method: string, path: string, init: RequestInit = {}): Promise<OpenAnswer> {
    const answer = await fetch(url + path, { method, ...init })
    const body = (await answer.json()) as { responseHeader: OpenAnswer; response: unknown }
    const { status, msg, code, data, notDelivered } = body.responseHeader
    declared(method, path, code)
    keepSecrets(secrets, operationOf(method, path), body.response)
    const { headers } = answer
    return { http: answer.status, headers, status, msg, code, data, notDelivered, response: body.response }
  }

  async function raw(method: string, path: string, headers: Record<string, string>, input?: unknown) {
    const answer = await fetch(url + path, {
      method,
      headers: { ...headers, ...(input === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(input === undefined ? {} : { body: JSON.stringify(input) }),
    })
    const body: JsonAnswer['body'] = await answer.json()
    if (answer.status >= 400) declared(method, path, body.code)
    keepSecrets(secrets, operationOf(method, path), input, answer.ok ? body : undefined)
    return { status: answer.status, body, headers: answer.headers }
  }

  const json = (token: string, method: string, path: string, input?: unknown) =>
    raw(method, path, { Authorization: `Bearer ${token}` }, input)

  /** Returns a browser with the session of a response. */
  function signedIn({ status, body, headers }: JsonAnswer, password: string): ConsoleUser {
    if (status !== 200) throw new Error(`the sign-in failed: ${JSON.stringify(body)}`)
    const [cookie, device] = headers.getSetCookie().map((each) => each.split(';')[0]!) as [string, string]
    for (const each of [cookie, device]) secrets.add(each.slice(each.indexOf('=') + 1))
    const { accountId, username } = body.account
    const csrf: string = body.csrfToken
    return {
      accountId,
      username,
      password,
      cookie,
      csrf,
      call: (method, path, input) => raw(method, path, { Cookie: cookie, 'X-Souk-CSRF': csrf }, input),
    }
  }

  const newPerson = () => {
    const name = `u${randomBytes(6).toString('hex')}`
    return { username: name, name, password: randomPassword() }
  }

  return {
    url,
    context,
    clock,
    live,
    requestLog,
    adminToken,
    database,
    secrets,
    masterKeys,
    countConnections: promisify(server.server.getConnections.bind(server.server)),
    logged,
    send,
    raw,
    async restoreAdminToken() {
      await context.adminToken.write(adminToken)
      await acceptAdminToken()
    },
    async setUp() {
      const token = `souk_setup_${randomBytes(24).toString('hex')}`
      await allowSetup(context, token)
      const person = newPerson()
      return signedIn(await raw('POST', '/console/v1/setup', {}, { token, ...person }), person.password)
    },
    async join(projectId, role) {
      const path = `/console/v1/projects/${projectId}/invitations`
      const { token } = (await json(adminToken, 'POST', path, { role })).body
      const person = newPerson()
      return signedIn(await raw('POST', '/console/v1/invitations/join', {}, { token, ...person }), person.password)
    },
    signIn: async ({ username, password }) =>
      signedIn(await raw('POST', '/console/v1/session', {}, { username, password }), password),
    console: (method, path, input) => json(adminToken, method, path, input),
    json,
    async signed(app, method, path, own) {
      secrets.add(app.secret)
      // A query and a close of the same trade would otherwise have the same sign if the clock is stopped.
      lastTimestamp = Math.max(clock.real(), lastTimestamp + 1)
      const parameters = Object.entries({ appid: app.appid, timestamp: String(lastTimestamp), ...own })
      const form = new URLSearchParams([
        ...parameters.map(([name, value]): [string, string] => [name, String(value)]),
        ['sign', signParameters(parameters, app.secret)],
      ])
      return method === 'GET' ? send('GET', `${path}?${form}`) : send('POST', path, { body: form })
    },
    async stop() {
      stopping.abort()
      await server.close()
      await requestLog.close()
      await egress.close()
      const figures = await context.metrics.registry.metrics()
      await (shared ? sql.end({ timeout: 1 }) : database.drop())
      for (const secret of secrets) {
        const line = [...logged, figures].find((text) => text.includes(secret))
        if (line !== undefined) throw new Error(`a secret reached the log: ${secret.slice(0, 12)}… in ${line}`)
      }
    },
  }
}

/** Asserts that a response contains only errors that its operation declares. */
function declared(method: string, path: string, code: ErrorCode | undefined): void {
  if (code === undefined || code === 'route_unknown') return
  const operation = operationOf(method, path)
  if (operation && !errorsOf(operation).includes(code))
    throw new Error(`${method} ${path} answered ${code}, which it does not declare`)
}

function operationOf(method: string, path: string): Operation | undefined {
  const [pathname] = path.split('?')
  const found = operations.filter((operation) =>
    new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname!),
  )
  return found.find((each) => each.method === method) ?? found[0]
}

/** Collects the redacted values of parameters and results. */
function keepSecrets(secrets: Set<string>, operation: Operation | undefined, ...places: unknown[]): void {
  for (const place of places) search(place)

  function search(place: unknown): void {
    if (typeof place !== 'object' || place === null) return
    for (const [name, value] of Object.entries(place)) {
      if (operation?.redact.includes(name)) collect(value)
      else search(value)
    }
  }

  function collect(value: unknown): void {
    if (typeof value === 'string' && value.length >= shortestSecret) secrets.add(value)
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) collect(each)
  }
}
