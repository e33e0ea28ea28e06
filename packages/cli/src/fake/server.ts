import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  diagnose,
  type ErrorCode,
  errors,
  findAmbiguity,
  joinParameters,
  minute,
  type Operation,
  type Outcome,
  openOperations,
  outcomes,
  ParameterFault,
  type PayMethodName,
  parseForm,
  payMethod,
  SoukError,
  signParameters,
  success,
} from '@souk/contract'
import { compileParameters } from '@souk/contract/compileParameters'
import type { FakeApp } from './app.ts'
import { Callbacks } from './callbacks.ts'
import { FakeClock } from './clock.ts'
import { FakeSouk, type OperationName } from './souk.ts'

/** What the next requests of an operation get instead of their result. */
interface Failure {
  operation: OperationName
  /** Code of an error of Souk; without one, the connection is closed. */
  code?: ErrorCode
  /** Number of requests. */
  count: number
  /** Time before the response in ms. */
  delay: number
  /** Whether the request is executed, so that only its response is lost. */
  executed: boolean
}

/** A running fake. */
export interface FakeServer {
  readonly url: string
  readonly souk: FakeSouk
  close(): Promise<void>
}

const timestampWindow = 5 * minute
const names = Object.keys(openOperations) as OperationName[]
const readers = new Map(names.map((name) => [name, compileParameters(openOperations[name])]))

/** Starts a Souk in memory: the open API, the operations of a sandbox for tests, and failures on demand. */
export async function startFakeServer(port: number): Promise<FakeServer> {
  const clock = new FakeClock()
  const callbacks: Callbacks = new Callbacks(clock, (app) => souk.activeSecrets(app))
  let url = ''
  const souk = new FakeSouk(clock, callbacks, () => url)
  /** Signed requests, so that each is executed once (ADR 411). */
  const executed = new Map<string, { name: OperationName; body: object }>()
  let failures: Failure[] = []

  const server = createServer((request, response) => {
    handle(request, response).catch((error) => {
      console.error(error)
      response.destroy()
    })
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s)
    response.setHeader('X-Request-Id', randomBytes(8).toString('hex'))
    if (/^\/neuopenapi(\/|$)/.test(path)) return answerOpen(request, response, path, query, body)
    try {
      const given = body.length > 0 ? JSON.parse(body.toString()) : {}
      const result = await control(`${request.method} ${path}`, given, new URLSearchParams(query))
      if (result === undefined) throw new SoukError('route_unknown', `The fake has no ${request.method} ${path}.`)
      sendJson(response, 200, result)
    } catch (error) {
      const refusal = refusalOf(error)
      const { status, code, message } = refusal
      sendJson(response, status, { type: 'about:blank', title: code, status, code, detail: message })
    }
  }

  async function answerOpen(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: string,
    body: Buffer<ArrayBuffer>,
  ): Promise<void> {
    const name = names.find((one) => openOperations[one].path === path)
    const failure = failures.find((one) => one.operation === name)
    if (failure) {
      if (--failure.count <= 0) failures = failures.filter((one) => one !== failure)
      if (failure.delay > 0) await new Promise((resolve) => setTimeout(resolve, failure.delay))
    }
    try {
      if (!name) throw new SoukError('route_unknown')
      const methods = methodsOf(openOperations[name])
      if (!methods.includes(request.method ?? '')) {
        response.setHeader('Allow', methods.join(', '))
        throw new SoukError('method_not_allowed', `Use ${methods.join(' or ')}.`)
      }
      if (failure && !failure.executed) throw new FailureOnDemand(failure.code)
      const { parameters, hasFile } = await readParameters(request, query, body)
      const { isReplayed, envelope } = execute(name, parameters, hasFile)
      if (failure) throw new FailureOnDemand(failure.code)
      if (isReplayed) response.setHeader('Idempotent-Replayed', 'true')
      sendJson(response, 200, envelope)
    } catch (error) {
      if (error instanceof FailureOnDemand && error.code === undefined) return void response.destroy()
      const { status, message: msg, code, data } = refusalOf(error)
      if (status === 429 || status === 503) response.setHeader('Retry-After', '1')
      sendJson(response, status, { responseHeader: { status, msg, code, ...(data && { data }) }, response: null })
    }
  }

  /** Authenticates and executes a request, or returns the result of the same request before. */
  function execute(name: OperationName, parameters: Map<string, string>, hasFile: boolean) {
    const operation: Operation = openOperations[name]
    const isSigned = operation.auth === 'sign' || ['appid', 'timestamp', 'sign'].some((one) => parameters.get(one))
    const app = isSigned ? authenticate(parameters) : undefined
    if (app && operation.capability && !app.capabilities.has(operation.capability)) {
      throw new SoukError('capability_missing', `This mini app does not have the capability ${operation.capability}.`)
    }
    const sign = app ? parameters.get('sign')! : undefined
    const earlier = sign ? executed.get(sign) : undefined
    if (earlier && earlier.name !== name) {
      throw new SoukError('sign_reused', `It was used for ${earlier.name}: sign again with another timestamp.`)
    }
    if (earlier && operation.method !== 'GET') return { isReplayed: true, envelope: earlier.body }
    const given = readers.get(name)!(parameters)
    const ambiguity = findAmbiguity(parameters)
    if (ambiguity) throw new SoukError('parameters_ambiguous', `Change the value of ${ambiguity.parameter}.`)
    if (operation.file && !hasFile) throw new SoukError('file_missing', 'Send the image in the part fileData.')
    const run = souk.operations[name] as (app: FakeApp | undefined, given: object) => unknown
    const envelope = success(run(app, given))
    if (sign) executed.set(sign, { name, body: envelope })
    return { isReplayed: false, envelope }
  }

  /** Checks appid, timestamp and sign in the order of the real server. */
  function authenticate(parameters: Map<string, string>): FakeApp {
    const missing = ['appid', 'timestamp', 'sign'].filter((name) => !parameters.get(name))
    const app = souk.apps.get(parameters.get('appid') ?? '')
    if (missing.includes('appid')) throw missingParameters(['appid'])
    if (!app?.isEnabled) throw new SoukError('appid_invalid', 'The fake has no enabled mini app with this appid.')
    const timestamp = parameters.get('timestamp') ?? ''
    if (missing.length > 0) throw missingParameters(missing)
    if (!/^\d{13}$/.test(timestamp)) throw new SoukError('timestamp_not_milliseconds')
    const skew = Date.now() - Number(timestamp)
    if (Math.abs(skew) > timestampWindow) {
      throw new SoukError('timestamp_out_of_window', `The time of the server is ${Date.now()}.`, {
        data: { serverTime: Date.now() },
      })
    }
    const sign = parameters.get('sign')!
    const active = souk.activeSecrets(app)
    if (!active.some((secret) => signParameters(parameters, secret) === sign)) {
      const mistakes = diagnose({ parameters, sign }, { active })
      throw new SoukError('sign_mismatch', mistakes.map(({ explanation }) => explanation).join(' ') || undefined, {
        data: { mistakes },
      })
    }
    return app
  }

  /** The operations of a sandbox, with the paths of the console, and failures. Returns undefined for other paths. */
  async function control(route: string, given: Given, query: URLSearchParams): Promise<unknown> {
    const [, method, path = ''] = /^(\w+) (?:\/console\/v1)?(.*)$/.exec(route) ?? []
    const [, first, second, third] = path.split('/')
    switch (`${method} ${path.replace(second ?? '\0', ':id')}`) {
      case 'POST /apps': {
        const app = souk.createApp(String(given.name ?? 'Fake'))
        return { appid: app.appid, secret: app.secrets[0]!.secret }
      }
      case 'PATCH /apps/:id': {
        const app = souk.appOf(second!)
        if (typeof given.enabled === 'boolean') app.isEnabled = given.enabled
        if (Array.isArray(given.capabilities)) app.capabilities = new Set(given.capabilities.map(String))
        return { appid: app.appid, enabled: app.isEnabled, capabilities: [...app.capabilities] }
      }
      case 'POST /apps/:id/secrets':
        return { secret: souk.rotateSecret(souk.appOf(second!), Number(given.overlap ?? 0)) }
      case 'POST /sandbox/:id':
        return sandbox(second!, given)
      case 'GET /sandbox/:id':
        return second === 'clock' ? { now: clock.now(), offset: clock.offset(), moves: [] } : undefined
      case 'GET /callbacks':
        return callbacks.list(query.has('appid') ? souk.appOf(query.get('appid')!) : undefined)
      case 'POST /callbacks/:id/replay':
        await callbacks.replay(second!)
        return { replayed: 1 }
      case 'POST /fake/:id':
        return second === 'failures' ? addFailure(given) : undefined
      case 'DELETE /fake/:id':
        failures = second === 'failures' ? [] : failures
        return { removed: true }
    }
    if (method !== 'GET' || first !== 'sandbox' || second !== 'users' || third === undefined) return undefined
    const [uid, list] = path.split('/').slice(3)
    const user = souk.userOf(Number(uid))
    return list === 'inbox' ? souk.inboxOf(user) : list === 'home' ? souk.homeOf(user) : undefined
  }

  async function sandbox(what: string, given: Given): Promise<unknown> {
    switch (what) {
      case 'users':
        return { uid: souk.createUser({ ...given, nickname: String(given.nickname ?? 'Layla') }).uid }
      case 'codes': {
        const scopes = given.scope === undefined ? undefined : String(given.scope).split(',')
        return { code: souk.createCode(souk.appOf(String(given.appid)), souk.userOf(Number(given.uid)), scopes) }
      }
      case 'payments': {
        souk.userOf(Number(given.uid))
        const method = String(given.payMethod ?? 'card') as PayMethodName
        if (!(method in payMethod)) {
          throw new SoukError('parameter_invalid', `payMethod must be one of ${Object.keys(payMethod).join(', ')}.`)
        }
        return souk.pay(String(given.tradeNo), method, given.outcome === undefined ? undefined : outcomeOf(given))
      }
      case 'results':
        return souk.resolve(String(given.tradeNo), outcomeOf(given))
      case 'clock':
        if (given.reset) clock.reset()
        else await clock.forward(Number(given.forward ?? 0))
        return { now: clock.now(), offset: clock.offset(), moves: [] }
    }
    return undefined
  }

  function addFailure(given: Given): unknown {
    const { operation, code, count = 1, delay = 0, executed = false } = given as Partial<Failure>
    if (!operation || !names.includes(operation)) {
      throw new SoukError('parameter_invalid', `operation must be one of ${names.join(', ')}.`)
    }
    if (code !== undefined && !(code in errors)) {
      throw new SoukError('parameter_invalid', `code must be a code of an error, such as unavailable, not ${code}.`)
    }
    failures.push({ operation, ...(code && { code }), count, delay, executed })
    return { operation, code: code ?? null, count, delay, executed }
  }

  // Clients reuse connections that have been idle for 15 s.
  server.keepAliveTimeout = minute
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    souk,
    async close() {
      clock.stop()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Given = Readonly<Record<string, unknown>>

/** Ends a request with the failure that a test wants. */
class FailureOnDemand extends Error {
  readonly code: ErrorCode | undefined

  constructor(code: ErrorCode | undefined) {
    super('A failure on demand')
    this.code = code
  }
}

function missingParameters(parameters: string[]): SoukError {
  return new SoukError('parameter_missing', `Send ${parameters.join(', ')}.`, { data: { parameters } })
}

function methodsOf({ method, alsoPost }: Operation): string[] {
  return alsoPost ? [method, 'POST'] : [method]
}

function outcomeOf({ outcome }: Given): Outcome {
  const found = outcomes.find((one) => one === outcome)
  if (!found) throw new SoukError('parameter_invalid', `outcome must be one of ${outcomes.join(', ')}.`)
  return found
}

function refusalOf(error: unknown): SoukError {
  if (error instanceof SoukError) return error
  if (error instanceof FailureOnDemand) return new SoukError(error.code!, 'A failure on demand.')
  if (error instanceof ParameterFault) return new SoukError(error.code, error.reason)
  if (error instanceof SyntaxError) return new SoukError('parameter_malformed', error.message)
  console.error(error)
  return new SoukError('internal')
}

/** Reads the parameters of query string and body as one map (open-api §4.1). @throws ParameterFault */
async function readParameters(request: IncomingMessage, query: string, body: Buffer<ArrayBuffer>) {
  const inQuery = parseForm(query)
  const type = request.headers['content-type'] ?? ''
  if (body.length > 0 && !/^(multipart\/form-data|application\/x-www-form-urlencoded)\b/.test(type)) {
    throw new SoukError('body_unsupported', 'Send application/x-www-form-urlencoded or multipart/form-data.')
  }
  if (!type.startsWith('multipart/form-data') || body.length === 0) {
    return { parameters: joinParameters(inQuery, parseForm(body)), hasFile: false }
  }
  const form = await new Response(body, { headers: { 'content-type': type } }).formData()
  const fields = new Map<string, string>()
  for (const [name, value] of form) if (typeof value === 'string') fields.set(name, value)
  return {
    parameters: joinParameters(inQuery, fields),
    hasFile: typeof form.get('fileData') === 'object' && form.has('fileData'),
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}
