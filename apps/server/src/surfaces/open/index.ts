import multipart from '@fastify/multipart'
import {
  addParameter,
  findAmbiguity,
  maskSecrets,
  maxFileSize,
  type NotDeliveredReasons,
  notDeliveredOf,
  type Operation,
  openOperations,
  type ParametersOf,
  SoukError,
  success,
} from '@souk/contract'
import { compileParameters } from '@souk/contract/compileParameters'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../domain/app.ts'
import type { AppCaller } from '../../domain/caller.ts'
import type { FullContext } from '../../domain/context.ts'
import { type RequestLog, redactBodies, signChannel, uploadFile } from '../../domain/miniApps/index.ts'
import { authenticateToken, claimedAppid, readUserInfo } from '../../domain/users/index.ts'
import { clientNetwork } from '../../kernel/clientNetwork.ts'
import { receiveBody } from '../bodies.ts'
import { explainFault } from '../form.ts'
import { acceptJson } from '../jsonBody.ts'
import { createRateLimit } from '../rateLimit.ts'
import { asSoukError } from '../refusal.ts'
import type { SharedCounts } from '../sharedCounts.ts'
import { failure, sendRefusal } from './envelope.ts'
import { appidOf, authenticate, requireCapability, type SignDiagnosis } from './gate.ts'
import { otherPaths, type Variant, variants } from './generation2023.ts'
import { type SignedHandler, signedHandlers } from './handlers.ts'
import { maxFormSize, onlyForms, type Received, receive } from './receive.ts'
import { createSignMemory } from './signMemory.ts'

/** The dependencies of the open surface. */
export interface OpenSurfaceOptions {
  context: FullContext
  requestLog: RequestLog
  counts: SharedCounts
  /** Requests per second of a mini app, with bursts of twice that; 0 disables the limit. */
  rateLimit: number
  /** Whether errors have HTTP 200, unless a mini app has another setting. */
  always200: boolean
  /** Accepts requests of the generation of 2023. */
  accepts2023: boolean
}

/** A request being processed. */
interface Exchange {
  operation: Operation
  started: number
  appid: string | null
  parameters: ReadonlyMap<string, string>
  /** Null until the sign has been checked. */
  app: App | null
  /** The sign or the access token is valid. */
  authenticated: boolean
  /** Note for the developer in the request log, for requests that succeed. */
  remark: string | null
  /** Number of recipients who do not get the message, by reason. */
  notDelivered: NotDeliveredReasons
}

/** The response to a request. */
interface Outcome {
  status: number
  envelope: { responseHeader: unknown; response: unknown }
  refusal?: SoukError
}

/** Prefix of all open API paths (open-api §4). */
export const openPrefix = '/neuopenapi'

/** The options, with the rate limits and the sign memory that all routes share. */
interface Surface extends OpenSurfaceOptions {
  withinLimit: ReturnType<typeof createRateLimit>
  withinLimitOfAddress: ReturnType<typeof createRateLimit>
  signs: ReturnType<typeof createSignMemory>
}

/** Creates the open API (open-api §4): the request gate, the envelope, and one handler per operation. */
export function openSurface(options: OpenSurfaceOptions) {
  const { context, counts, rateLimit, accepts2023 } = options
  const limit = { counts, scope: 'open', perSecond: rateLimit, clock: context.clock }
  const surface: Surface = {
    ...options,
    withinLimit: createRateLimit({ ...limit, policy: 'app' }),
    withinLimitOfAddress: createRateLimit({ ...limit, policy: 'address' }),
    signs: createSignMemory(context),
  }
  const { signs } = surface

  return async function register(server: FastifyInstance): Promise<void> {
    await context.sql.listen(signChannel, signs.onClaimed)
    server.addHook('onClose', () => signs.stop())
    await acceptForms(server)

    const { userInfo, fileUpload, ...signed } = openOperations
    const handlers: Record<string, SignedHandler> = signedHandlers
    for (const [id, operation] of Object.entries<Operation>(signed)) {
      routeSigned(server, surface, operation, {
        handler: handlers[id]!,
        variant: accepts2023 ? variants[id] : undefined,
      })
    }
    if (accepts2023) {
      acceptJson(server)
      for (const { path, operation, handler = handlers[operation.id]! } of otherPaths) {
        routeSigned(server, surface, operation, { handler, path })
      }
    }
    routeUpload(server, surface, fileUpload)
    routeUserInfo(server, surface, userInfo)

    server.setNotFoundHandler(async (request, reply) =>
      sendRefusal(reply, unknownRoute(), await hasHttp200(surface, appidIn(request))),
    )
    server.setErrorHandler(async (error, request, reply) =>
      sendRefusal(reply, asSoukError(error, request, context.log), await hasHttp200(surface, appidIn(request))),
    )
  }
}

/** Accepts URL-encoded and multipart forms, and empty bodies of any content type. */
async function acceptForms(server: FastifyInstance): Promise<void> {
  server.addHook('onRequest', async ({ headers, receipt }) => {
    // Otherwise the body would be parsed, and an empty one is neither JSON nor multipart.
    if (receipt === null) delete headers['content-type']
  })
  server.removeAllContentTypeParsers()
  // A body of unknown length can be empty, too.
  server.addContentTypeParser('*', (request, payload, done) =>
    receiveBody(request, payload, 0, (error) => done(error && unsupported(error))),
  )
  server.addContentTypeParser('application/x-www-form-urlencoded', (request, payload, done) =>
    receiveBody(request, payload, maxFormSize, done),
  )
  await server.register(multipart, {
    limits: { fileSize: maxFileSize, files: 101, parts: 101 },
  })
}

function unsupported(error: Error): Error {
  if (!(error instanceof SoukError) || error.code !== 'body_too_large') return error
  return new SoukError('body_unsupported', onlyForms)
}

/** The handler of a route, and how its requests differ from those of the operation. */
interface SignedRoute {
  handler: SignedHandler
  variant?: Variant | undefined
  /** A path with parameters, instead of that of the operation. */
  path?: string
}

function routeSigned(
  server: FastifyInstance,
  surface: Surface,
  operation: Operation,
  { handler, variant, path }: SignedRoute,
): void {
  const usual = { operation, handler, read: compileSigned(operation) }
  const other = variant && { ...variant, read: compileSigned(variant.operation) }
  const run: Run = async (exchange, { parameters, hasFile }, reply, request) => {
    if (path !== undefined) addPathParameters(parameters, request.params as Record<string, string>)
    const found = other && parameters.has(other.mark) ? other : undefined
    const form = found ?? usual
    exchange.operation = form.operation
    const caller = await admit(surface, exchange, parameters, reply, request, found)
    if (hasFile) throw new SoukError('parameter_unknown', `${operation.summary} does not take a file.`)
    const input = form.read(parameters)
    const ignored = Object.keys(form.operation.ignored ?? {}).filter((name) => parameters.has(name))
    if (ignored.length > 0) caller.remark?.(`Ignored ${ignored.join(', ')}, which this operation does not have.`)
    return form.handler(surface.context, caller, input as never)
  }
  route(server, surface, operation, run, { path, json: variant?.json })
}

function addPathParameters(parameters: Map<string, string>, inPath: Record<string, string>): void {
  try {
    for (const [name, value] of Object.entries(inPath)) addParameter(parameters, name, value)
  } catch (fault) {
    throw explainFault(fault)
  }
}

function routeUpload(server: FastifyInstance, surface: Surface, operation: typeof openOperations.fileUpload): void {
  const readUpload = compileSigned(operation)
  route(server, surface, operation, async (exchange, { parameters, file }, reply, request) => {
    const caller = await admit(surface, exchange, parameters, reply, request)
    if (parameters.has('fileData')) {
      throw new SoukError('parameter_invalid', 'fileData must be a file part of a multipart body, with a filename.', {
        data: { parameters: ['fileData'] },
      })
    }
    readUpload(parameters)
    if (!file) throw new SoukError('file_missing')
    return uploadFile(surface.context, caller, { content: await file.read() })
  })
}

/** Adds the route of `userInfo`, whose caller is authenticated by the access token. */
function routeUserInfo(server: FastifyInstance, surface: Surface, operation: typeof openOperations.userInfo): void {
  const { context, signs, withinLimit, withinLimitOfAddress } = surface
  const readToken = compileSigned(operation)
  route(server, surface, operation, async (exchange, { parameters }, reply, request) => {
    const count = async (refusal: unknown): Promise<never> => {
      await withinLimitOfAddress(clientNetwork(request.ip), reply)
      throw refusal
    }
    // Only the token is required, but a sign is checked if sent.
    if (parameters.has('appid') || parameters.has('appId') || parameters.has('timestamp') || parameters.has('sign')) {
      const { app, sign } = await authenticate(context, parameters).catch(count)
      signs.bind(sign, operation)
      exchange.app = app
      exchange.appid = app.appid
    }
    const input = readToken(parameters)
    const caller = await authenticateToken(context, input.accessToken).catch(count)
    exchange.appid = caller.token.appid
    exchange.authenticated = true
    await withinLimit(caller.token.appid, reply)
    return readUserInfo(context, caller, input)
  })
}

function unknownRoute(): SoukError {
  const paths = Object.values(openOperations).map(({ path }) => path)
  return new SoukError('route_unknown', `The open API has ${paths.join(', ')}.`)
}

/** Authenticates, then applies the rate limit. Unauthenticated requests count against the client IP's limit. */
async function admit(
  { context, signs, withinLimit, withinLimitOfAddress }: Surface,
  exchange: Exchange,
  parameters: Map<string, string>,
  reply: FastifyReply,
  request: FastifyRequest,
  variant?: Variant,
): Promise<AppCaller> {
  const appid = variant ? parameters.get(variant.appid) : appidOf(parameters)
  exchange.appid = appid ?? null
  let caller: AppCaller
  let claimSign: ReturnType<Surface['signs']['bind']>
  try {
    caller = await authenticate(context, parameters, { appid, window: variant?.window })
    claimSign = signs.bind(caller.sign, exchange.operation)
  } catch (refusal) {
    await withinLimitOfAddress(clientNetwork(request.ip), reply)
    throw refusal
  }
  exchange.app = caller.app
  exchange.authenticated = true
  requireCapability(caller.app, exchange.operation.capability)
  await withinLimit(caller.app.appid, reply)
  await claimSign?.()
  caller.remark = (sentence) => {
    exchange.remark = exchange.remark ? `${exchange.remark} ${sentence}` : sentence
  }
  caller.notDelivered = (reasons) => {
    const { notDelivered } = exchange
    for (const [reason, number] of Object.entries(reasons) as [keyof NotDeliveredReasons, number][])
      notDelivered[reason] = (notDelivered[reason] ?? 0) + number
  }
  caller.replayed = () => {
    reply.header('Idempotent-Replayed', 'true')
    caller.remark?.('An earlier request had the same sign, so this one changed nothing.')
  }
  return caller
}

/** Returns the result of a request, or throws a refusal. */
type Run = (exchange: Exchange, received: Received, reply: FastifyReply, request: FastifyRequest) => Promise<unknown>

/** Adds the route of an operation, at its own path or another one. */
function route(
  server: FastifyInstance,
  surface: Surface,
  operation: Operation,
  run: Run,
  { path = operation.path.slice(openPrefix.length), json }: { path?: string | undefined; json?: true | undefined } = {},
): void {
  const { context } = surface
  const methods = operation.alsoPost ? [operation.method, 'POST'] : [operation.method]
  rejectOtherMethods(server, path, methods)
  server.route({
    method: methods,
    url: path,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const exchange: Exchange = {
        operation,
        started: performance.now(),
        appid: null,
        parameters: new Map(),
        app: null,
        authenticated: false,
        remark: null,
        notDelivered: {},
      }
      let received: Received | undefined
      try {
        received = await receive(request, operation, json)
        exchange.parameters = received.parameters
        warnOfSecret(received.parameters, reply)
        const result = await run(exchange, received, reply, request)
        const envelope = success(result, notDeliveredOf(exchange.notDelivered))
        finish(surface, exchange, request, { status: 200, envelope })
        return reply.send(envelope)
      } catch (thrown) {
        const refusal = asSoukError(thrown, request, context.log)
        finish(surface, exchange, request, { status: refusal.status, envelope: failure(refusal), refusal })
        return sendRefusal(reply, refusal, await hasHttp200(surface, appidOfFailed(exchange, request)))
      } finally {
        if (received?.file) await received.file.close()
      }
    },
  })
}

/** The appid in a query string or a form, also one that cannot be parsed. */
const appidParameter = /(?:^|[?&])app[Ii]d=([a-z][a-z0-9]{14})(?=&|$)/

/** Returns the appid that a failed request names, by which only the HTTP status is chosen. */
function appidOfFailed({ appid, parameters }: Exchange, request: FastifyRequest): string | undefined {
  return appid ?? appidOf(parameters) ?? appidIn(request) ?? claimedAppid(parameters.get('accessToken') ?? '')
}

function appidIn({ raw, body }: FastifyRequest): string | undefined {
  const form = Buffer.isBuffer(body) ? body.toString('latin1') : ''
  return (appidParameter.exec(raw.url!) ?? appidParameter.exec(form))?.[1]
}

/** Returns whether the error response to a mini app has HTTP 200. */
async function hasHttp200({ context, always200 }: Surface, appid: string | undefined): Promise<boolean> {
  if (appid === undefined) return always200
  // The response may be that the database is away.
  const app = context.apps.findCached(appid) ?? (await context.apps.find(appid).catch(() => undefined))
  return app?.openApiAlways200 ?? always200
}

/** Rejects other methods of a known path with 405 and the allowed ones. */
function rejectOtherMethods(server: FastifyInstance, path: string, allowed: readonly string[]): void {
  server.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].filter((it) => !allowed.includes(it)),
    url: path,
    exposeHeadRoute: false,
    onRequest: async (_request, reply) => {
      reply.header('Allow', allowed.join(', '))
      throw new SoukError('method_not_allowed', `Use ${allowed.join(' or ')}.`)
    },
    handler: async () => undefined,
  })
}

/** Returns whether the appid of an unauthenticated request exists. Others can be any text and are not logged. */
function isKnownApp(context: FullContext, { appid }: Exchange, refusal: SoukError | undefined): boolean {
  return appid !== null && refusal?.code !== 'appid_invalid' && context.apps.findCached(appid) !== undefined
}

/** Records a request that has been processed. */
function finish(
  { context, requestLog }: Surface,
  exchange: Exchange,
  request: FastifyRequest,
  { status, envelope, refusal }: Outcome,
): void {
  const duration = performance.now() - exchange.started
  const operation = exchange.operation.id
  context.metrics.requests.inc({ surface: 'open', operation, status })
  context.metrics.duration.observe({ surface: 'open', operation }, duration / 1000)
  const appid = exchange.authenticated || isKnownApp(context, exchange, refusal) ? exchange.appid : null
  const secrets = exchange.app?.secrets.map(({ secret }) => secret) ?? []
  const entry = {
    requestId: request.id,
    time: context.clock.real(),
    appid,
    operation,
    status,
    code: refusal?.code ?? null,
    reason: refusal ? loggedReason(refusal, exchange.app) : exchange.remark,
    duration,
    diagnosis: (refusal as { signDiagnosis?: SignDiagnosis } | undefined)?.signDiagnosis ?? null,
    client: clientOf(request, secrets),
  }
  const bodies = () => redactBodies(exchange.operation, exchange.parameters, envelope, secrets)
  if (exchange.authenticated) requestLog.record(entry, bodies)
  else if (!requestLog.recordUnauthenticated(entry, request.ip)) return
  if (refusal) {
    context.log.info(
      { requestId: request.id, operation, appid, status, code: refusal.code, ms: Math.round(duration) },
      'refused',
    )
  }
}

/** Maximum length of a logged User-Agent in characters. */
const maxClient = 200

/** Returns the program that the request names as its sender, without characters that could not be shown. */
function clientOf({ headers }: FastifyRequest, secrets: readonly string[]): string | null {
  const name = headers['user-agent']?.replace(/[^ -~]/g, '')
  return name ? maskSecrets(name, secrets).slice(0, maxClient) : null
}

/** Masks secrets in an error message: it names parameters as they were sent, and a name may contain the secret. */
function loggedReason({ code, message }: SoukError, app: App | null): string {
  if (!code.startsWith('parameter_')) return message
  // The app is not known yet, so mask what looks like a secret.
  if (!app) return message.replace(/[0-9a-f]{48}/gi, '******')
  return maskSecrets(
    message,
    app.secrets.map(({ secret }) => secret),
  )
}

/** Warns the sender of a secret, which is ignored, to stop sending it. */
function warnOfSecret(parameters: ReadonlyMap<string, string>, reply: FastifyReply): void {
  if (parameters.has('secret')) {
    reply.header('Warning', '299 - "Never send the secret: it takes part in the sign only (open API 4.1)"')
  }
}

/**
 * Compiles the parser of a signed operation, which also rejects parameters whose canonical string is ambiguous
 * (open-api §4.1).
 */
function compileSigned<O extends Operation>(operation: O): (parameters: Map<string, string>) => ParametersOf<O> {
  const read = compileParameters(operation)
  return (parameters) => {
    parameters.delete('secret')
    const input = read(parameters)
    const ambiguity = findAmbiguity(parameters)
    if (!ambiguity) return input
    throw new SoukError(ambiguity.code, ambiguity.reason, { data: { parameters: [ambiguity.parameter] } })
  }
}
