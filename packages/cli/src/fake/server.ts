import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  addParameter,
  diagnose,
  type ErrorCode,
  errors,
  findAmbiguity,
  joinParameters,
  minute,
  type Operation,
  openOperations,
  ParameterFault,
  parseForm,
  SoukError,
  signParameters,
  success,
} from '@souk/contract'
import { compileParameters } from '@souk/contract/compileParameters'
import type { FakeApp } from './app.ts'
import { Callbacks } from './callbacks.ts'
import { FakeClock } from './clock.ts'
import { createConsole } from './console.ts'
import { FakeSouk, type OperationName } from './souk.ts'

/** The failure of the next requests of an operation. */
interface Failure {
  operation: OperationName
  /** Code of an error of Souk. */
  code?: ErrorCode
  /** Status of a page that a proxy sends. Without code and status, the connection is closed. */
  status?: number
  /** Value of the header Retry-After in seconds. */
  retryAfter?: number
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
  const answerConsole = createConsole(souk, callbacks, clock)
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
    const image = souk.files.get(path)
    if (image) return void response.writeHead(200, { 'Content-Type': image.type }).end(image.content)
    if (/^\/neuopenapi(\/|$)/.test(path)) return answerOpen(request, response, path, query, body)
    try {
      sendJson(response, 200, await control(request.method ?? '', path, query, body))
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
      if (failure && !failure.executed) throw new FailureOnDemand(failure)
      const { parameters, file } = await readParameters(request, query, body)
      const { isReplayed, envelope } = execute(name, parameters, file)
      if (failure) throw new FailureOnDemand(failure)
      if (isReplayed) response.setHeader('Idempotent-Replayed', 'true')
      sendJson(response, 200, envelope)
    } catch (error) {
      const wanted = error instanceof FailureOnDemand ? error.failure : undefined
      if (wanted?.retryAfter !== undefined) response.setHeader('Retry-After', wanted.retryAfter)
      if (wanted?.status) return sendPage(response, wanted.status)
      if (wanted && !wanted.code) return void response.destroy()
      const { status, message: msg, code, data } = refusalOf(error)
      if ((status === 429 || status === 503) && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', 1)
      sendJson(response, status, { responseHeader: { status, msg, code, ...(data && { data }) }, response: null })
    }
  }

  /** Authenticates and executes a request, or returns the result of the same request before. */
  function execute(name: OperationName, parameters: Map<string, string>, file: Uint8Array | undefined) {
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
    if (file && !operation.file) throw new SoukError('parameter_unknown', `${operation.summary} does not take a file.`)
    if (earlier && operation.method !== 'GET') return { isReplayed: true, envelope: earlier.body }
    const given = readers.get(name)!(parameters)
    const ambiguity = findAmbiguity(parameters)
    if (ambiguity) throw new SoukError('parameters_ambiguous', `Change the value of ${ambiguity.parameter}.`)
    const run = souk.operations[name] as (app: FakeApp | undefined, given: object, file?: Uint8Array) => unknown
    const envelope = success(run(app, given, file))
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

  /** Answers what controls the fake: the operations of a sandbox, as the console has them, and failures on demand. */
  async function control(method: string, path: string, query: string, body: Buffer): Promise<unknown> {
    const given: unknown = body.length > 0 ? JSON.parse(body.toString()) : {}
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw new SoukError('parameter_malformed', 'The body must be a JSON object.')
    }
    if (path !== '/fake/failures') {
      return answerConsole({ method, path, given: [...new URLSearchParams(query), ...Object.entries(given)] })
    }
    if (method === 'POST') return addFailure(given as Given)
    if (method !== 'DELETE') throw new SoukError('method_not_allowed', 'Use POST or DELETE.')
    failures = []
    return { removed: true }
  }

  function addFailure({ operation, code, status, retryAfter, count, delay, executed }: Given): Failure {
    if (code !== undefined && status !== undefined) {
      throw new SoukError('parameter_invalid', 'Send code for an error of Souk, or status for one of a proxy.')
    }
    if (code !== undefined && !Object.hasOwn(errors, String(code))) {
      throw new SoukError('parameter_invalid', `code must be a code of an error, such as unavailable, not ${code}.`)
    }
    const failure: Failure = {
      operation: oneOf('operation', names, operation),
      ...(code !== undefined && { code: code as ErrorCode }),
      ...(status !== undefined && { status: wholeNumber('status', 400, 599, status) }),
      ...(retryAfter !== undefined && { retryAfter: wholeNumber('retryAfter', 0, 3600, retryAfter) }),
      count: wholeNumber('count', 1, 1000, count ?? 1),
      delay: wholeNumber('delay', 0, 10 * minute, delay ?? 0),
      executed: executed === true,
    }
    failures.push(failure)
    return { ...failure }
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
  readonly failure: Failure

  constructor(failure: Failure) {
    super('A failure on demand')
    this.failure = failure
  }
}

function missingParameters(parameters: string[]): SoukError {
  return new SoukError('parameter_missing', `Send ${parameters.join(', ')}.`, { data: { parameters } })
}

function methodsOf({ method, alsoPost }: Operation): string[] {
  return alsoPost ? [method, 'POST'] : [method]
}

/** @throws SoukError `parameter_invalid` */
function oneOf<T>(name: string, values: readonly T[], value: unknown): T {
  const found = values.find((one) => one === value)
  if (found === undefined) throw new SoukError('parameter_invalid', `${name} must be one of ${values.join(', ')}.`)
  return found
}

/** @throws SoukError `parameter_invalid` */
function wholeNumber(name: string, min: number, max: number, value: unknown): number {
  const isValid = Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
  if (!isValid) throw new SoukError('parameter_invalid', `${name} must be a whole number from ${min} to ${max}.`)
  return value as number
}

function refusalOf(error: unknown): SoukError {
  if (error instanceof SoukError) return error
  if (error instanceof FailureOnDemand) return new SoukError(error.failure.code!, 'A failure on demand.')
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
    return { parameters: joinParameters(inQuery, parseForm(body)), file: undefined }
  }
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch((error) => {
    throw new SoukError('parameter_malformed', `The multipart body cannot be read: ${error.message}`)
  })
  const fields = new Map<string, string>()
  let file: Uint8Array | undefined
  for (const [name, value] of form) {
    if (typeof value === 'string') addParameter(fields, name, value)
    else if (name === 'fileData') file = await value.bytes()
    else throw new SoukError('parameter_unknown', `The file part must be named fileData, not ${name}.`)
  }
  return { parameters: joinParameters(inQuery, fields), file }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

/** Answers as a proxy in front of Souk does. */
function sendPage(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'Content-Type': 'text/html' }).end(`<h1>${status} ${STATUS_CODES[status] ?? ''}</h1>`)
}
