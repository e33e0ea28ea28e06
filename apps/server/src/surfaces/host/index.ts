import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import {
  analyticsHostOperations,
  defaultMaxBody,
  type hostOperations as HostOperations,
  hostOperations,
  logoutOperations,
  minute,
  type Operation,
  type ParametersOf,
  type ResultOf,
  SoukError,
  second,
  signInOperations,
  tokenOperations,
} from '@souk/contract'
import { compileParameters } from '@souk/contract/compileParameters'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnyoneCaller, HostUserCaller } from '../../domain/caller.ts'
import type { FullContext } from '../../domain/context.ts'
import * as miniApps from '../../domain/miniApps/index.ts'
import { existsInspection } from '../../domain/miniApps/index.ts'
import * as money from '../../domain/money/index.ts'
import * as users from '../../domain/users/index.ts'
import { sessionUser } from '../../domain/users/index.ts'
import type { UserNews } from '../../kernel/outbox.ts'
import type { ReadAllowedOrigins } from '../allowedOrigins.ts'
import { bearerToken } from '../bearer.ts'
import { receiveBody } from '../bodies.ts'
import { createFlowCookie } from '../flowCookie.ts'
import { explainFault, parseParameters } from '../form.ts'
import { streamInspection } from '../inspections.ts'
import { fastifyPath, receivedJson, registerJsonSurface } from '../json.ts'
import { type Live, openEventStream } from '../live.ts'
import { limitAddresses, reportsPerSecond, signInsPerSecond } from '../rateLimit.ts'
import type { SharedCounts } from '../sharedCounts.ts'
import { payerReturnRoute } from './payerReturn.ts'

/** All operations except event streams. */
type Operations = Omit<typeof HostOperations, 'events' | 'followInspection'>

/** The result of starting a sign-in. The surface puts `flow` into the cookie. */
type Started = ResultOf<Operations['startSignIn']> & { flow: string }

type Handlers = {
  [Id in keyof Operations]: (
    context: FullContext,
    caller: Operations[Id]['auth'] extends 'none' ? AnyoneCaller : HostUserCaller,
    input: ParametersOf<Operations[Id]>,
  ) => Promise<Id extends 'startSignIn' ? Started : ResultOf<Operations[Id]>>
}

/** The verb of each operation: what a wing exports under the operation's id. Does not compile if one is missing. */
const handlers: Handlers = {
  ...miniApps,
  ...money,
  ...users,
}

/** The dependencies of the host surface. */
export interface HostSurfaceOptions {
  context: FullContext
  live: Live
  counts: SharedCounts
  rateLimit: number
  allowedOrigins: ReadAllowedOrigins
}

/** Creates the surface of host applications (`/host/v1`): JSON, with the session of a host user. */
export function hostSurface({ context, live, counts, rateLimit, allowedOrigins }: HostSurfaceOptions) {
  const { clock } = context
  const flowCookie = createFlowCookie('souk_sign_in', '/host/v1/sign-in', context.settings.publicUrl)

  async function registerOperations(server: FastifyInstance): Promise<void> {
    await allowOrigins(server, allowedOrigins)
    await server.register(cookie)
    const surface = {
      context,
      handlers,
      authenticate: async (request: FastifyRequest, operation: Operation): Promise<AnyoneCaller | HostUserCaller> =>
        operation.auth === 'none' ? anyone(request) : signedIn(context, request),
      respond,
    }
    const limited = { ...analyticsHostOperations, ...signInOperations, ...tokenOperations, ...logoutOperations }
    const others = Object.entries(hostOperations).filter(([id]) => !Object.hasOwn(limited, id))
    registerJsonSurface(server, { ...surface, operations: Object.fromEntries(others) })
    await server.register(async (signIn) => {
      const perSecond = Math.min(rateLimit, signInsPerSecond)
      limitAddresses(signIn, { counts, scope: 'signIn', perSecond, isExact: true, clock })
      registerJsonSurface(signIn, { ...surface, operations: signInOperations })
    })
    await server.register(async (tokens) => {
      limitAddresses(tokens, { counts, scope: 'tokens', perSecond: rateLimit, clock })
      acceptForms(tokens)
      registerJsonSurface(tokens, { ...surface, operations: { ...tokenOperations, ...logoutOperations } })
    })

    await server.register(async (reports) => {
      const perSecond = Math.min(rateLimit, reportsPerSecond)
      limitAddresses(reports, { counts, scope: 'analytics', perSecond, clock })
      registerJsonSurface(reports, { ...surface, operations: analyticsHostOperations })
    })
    routeEvents(server, context, live)
    routeInspection(server, context, live)
  }

  const anyone = (request: FastifyRequest): AnyoneCaller => ({
    kind: 'anyone',
    address: request.ip,
    userAgent: request.headers['user-agent'],
    flow: flowCookie.read(request),
  })

  /** Sends the result. A cookie holds a started sign-in until it is complete. */
  function respond(reply: FastifyReply, { id }: Operation, result: unknown): unknown {
    if (id === 'completeSignIn') flowCookie.clear(reply)
    if (id !== 'startSignIn') return result
    const { flow, ...started } = result as Started
    flowCookie.set(reply, flow)
    return started
  }

  return async function register(server: FastifyInstance): Promise<void> {
    await server.register(registerOperations, { prefix: '/host/v1' })
    await server.register(payerReturnRoute, { context })
  }
}

async function allowOrigins(server: FastifyInstance, allowedOrigins: ReadAllowedOrigins): Promise<void> {
  await server.register(cors, {
    origin: async (origin: string | undefined) => origin !== undefined && (await allowedOrigins()).includes(origin),
    methods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type'],
    exposedHeaders: ['X-Request-Id', 'Retry-After'],
    maxAge: (10 * minute) / second,
  })
}

/** Streams the events of the signed-in user, the sandbox clock and the need to reload. */
function routeEvents(server: FastifyInstance, context: FullContext, live: Live): void {
  server.get(fastifyPath(hostOperations.events.path).slice(server.prefix.length), async (request, reply) => {
    const { uid, session } = await signedIn(context, request)
    const stream = openEventStream(
      reply,
      live,
      `user ${uid}`,
      async () => (await sessionUser(context, session)) === uid,
    )
    const onUserEvent = ({ uid: recipient, event, id }: UserNews) => {
      if (recipient === uid) stream.send(event, { id })
    }
    const sendTime = () => stream.send('clock', { now: context.clock.now() })
    live.on('user', onUserEvent)
    const sendResync = () => stream.send('resync', {})
    live.on('clock', sendTime)
    live.on('resync', sendResync)
    stream.onClose(() => {
      live.off('user', onUserEvent)
      live.off('clock', sendTime)
      live.off('resync', sendResync)
    })
    sendTime()
  })
}

/** Streams an inspection to the phone that has accepted it. */
function routeInspection(server: FastifyInstance, context: FullContext, live: Live): void {
  const { followInspection } = hostOperations
  const readFollow = compileParameters(followInspection)
  server.get(fastifyPath(followInspection.path).slice(server.prefix.length), async (request, reply) => {
    const caller = await signedIn(context, request)
    const { inspectionId, after } = readFollow(receivedJson(request))
    await streamInspection(context, live, reply, {
      inspectionId,
      side: 'phone',
      caller: `user ${caller.uid}`,
      exists: await existsInspection(context.sql, caller, { inspectionId }),
      after,
      mayContinue: async () => (await sessionUser(context, caller.session)) === caller.uid,
    })
  })
}

/** Accepts forms only, as OAuth clients send them. */
function acceptForms(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/x-www-form-urlencoded', (request, payload, done) => {
    receiveBody(request, payload, defaultMaxBody, (failure, body) => {
      if (failure || body === undefined) return done(failure, undefined)
      try {
        done(null, Object.fromEntries(parseParameters(body.toString('latin1'))))
      } catch (error) {
        done(explainFault(error) as Error)
      }
    })
  })
}

async function signedIn(context: FullContext, request: FastifyRequest): Promise<HostUserCaller> {
  const session = bearerToken(request)
  const uid = session === undefined ? undefined : await sessionUser(context, session)
  if (session === undefined || uid === undefined) {
    throw new SoukError('session_invalid', 'Sign in and send Authorization: Bearer <session>.')
  }
  return { kind: 'hostUser', uid, session }
}
