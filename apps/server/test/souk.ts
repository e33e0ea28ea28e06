import type { AddressInfo } from 'node:net'
import { type ErrorCode, errorsOf, operations, signParameters } from '@souk/contract'
import { createDelivery } from '../src/delivery/index.ts'
import { AppDirectory, RequestLog } from '../src/domain/apps/index.ts'
import type { Context } from '../src/domain/context.ts'
import { OffsetClock } from '../src/kernel/clock.ts'
import { Vault } from '../src/kernel/crypto.ts'
import { createEgress } from '../src/kernel/egress.ts'
import { createLog } from '../src/kernel/log.ts'
import { createMetrics } from '../src/kernel/metrics.ts'
import { createHttpServer } from '../src/surfaces/index.ts'
import { createLive, type Live } from '../src/surfaces/live.ts'
import { freshDatabase } from './database.ts'

export interface TestSoukOptions {
  sandbox?: boolean
  rateLimit?: number
  openApiAlways200?: boolean
}

/** What an open API request was answered. */
export interface OpenAnswer {
  http: number
  headers: Headers
  status: number
  msg: string
  code: ErrorCode | undefined
  data: Record<string, unknown> | undefined
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own result, and a test that reads it wrong fails.
  response: any
}

/** What a request of a JSON surface was answered. */
export interface JsonAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  body: any
  headers: Headers
}

/** A whole Souk in this process, over real HTTP and a database of its own, whose clock the test holds. */
export interface TestSouk {
  url: string
  context: Context
  clock: OffsetClock
  live: Live
  requestLog: RequestLog
  adminToken: string
  /** Every line that was logged. */
  logged: string[]
  /** One call of the console surface. */
  console(method: string, path: string, input?: unknown): Promise<JsonAnswer>
  /** One call of the host or console surface with this bearer token. */
  json(token: string, method: string, path: string, input?: unknown): Promise<JsonAnswer>
  /** One signed request of the open API. */
  signed(
    app: { appid: string; secret: string },
    method: 'GET' | 'POST',
    path: string,
    parameters: Record<string, string | number>,
  ): Promise<OpenAnswer>
  /** One request of the open API, as given. */
  send(method: string, path: string, init?: RequestInit): Promise<OpenAnswer>
  stop(): Promise<void>
}

export async function startTestSouk({
  sandbox = true,
  rateLimit = 0,
  openApiAlways200 = false,
}: TestSoukOptions = {}): Promise<TestSouk> {
  const database = await freshDatabase()
  const clock = new OffsetClock()
  const logged: string[] = []
  const stopping = new AbortController()
  const vault = new Vault(Buffer.alloc(32, 7))
  const egress = createEgress({ allowlist: [], loopback: sandbox })
  const context: Context = {
    sql: database.sql,
    clock,
    vault,
    egress,
    log: createLog('debug', { write: (line) => logged.push(line) }),
    metrics: createMetrics(),
    settings: { sandbox, publicUrl: 'http://souk.test', accessTokenLifetime: 604_800 },
    apps: new AppDirectory({ sql: database.sql, vault, clock }),
    stopping: stopping.signal,
    sendCallback: createDelivery(egress),
  }
  const live = createLive()
  await database.sql.listen('souk_app', (appid) => context.apps.forget(appid))
  await database.sql.listen('souk_user', (news) => live.emit('user', JSON.parse(news)))
  await database.sql.listen('souk_callback', (news) => live.emit('callback', JSON.parse(news)))
  const requestLog = new RequestLog(context)
  const adminToken = 'souk_admin_test'
  const server = await createHttpServer({
    context,
    requestLog,
    live,
    adminToken,
    rateLimit,
    openApiAlways200,
    trustProxy: 0,
    draining: () => false,
    onlyOps: false,
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`

  async function send(method: string, path: string, init: RequestInit = {}): Promise<OpenAnswer> {
    const answer = await fetch(url + path, { method, ...init })
    const body = (await answer.json()) as { responseHeader: OpenAnswer; response: unknown }
    const { status, msg, code, data } = body.responseHeader
    declared(method, path, code)
    return { http: answer.status, headers: answer.headers, status, msg, code, data, response: body.response }
  }

  async function json(token: string, method: string, path: string, input?: unknown) {
    const answer = await fetch(url + path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(input === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(input === undefined ? {} : { body: JSON.stringify(input) }),
    })
    const body: JsonAnswer['body'] = await answer.json()
    if (answer.status >= 400) declared(method, path, body.code)
    return { status: answer.status, body, headers: answer.headers }
  }

  return {
    url,
    context,
    clock,
    live,
    requestLog,
    adminToken,
    logged,
    send,
    console: (method, path, input) => json(adminToken, method, path, input),
    json,
    async signed(app, method, path, own) {
      const parameters = Object.entries({ appid: app.appid, timestamp: String(Date.now()), ...own })
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
      await database.drop()
    },
  }
}

/** An answer may only be refused with what its operation declares. */
function declared(method: string, path: string, code: ErrorCode | undefined): void {
  if (code === undefined || code === 'route_unknown') return
  const [pathname] = path.split('?')
  const found = operations.filter((operation) =>
    new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname!),
  )
  const operation = found.find((each) => each.method === method) ?? found[0]
  if (operation && !errorsOf(operation).includes(code))
    throw new Error(`${method} ${pathname} answered ${code}, which it does not declare`)
}
