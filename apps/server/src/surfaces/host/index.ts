import cors from '@fastify/cors'
import {
  type hostOperations as HostOperations,
  hostOperations,
  minute,
  type Operation,
  ParameterFault,
  type ParametersOf,
  parseForm,
  type ResultOf,
  SoukError,
  second,
  tokenOperations,
} from '@souk/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as activities from '../../domain/activities/index.ts'
import type { HostUserCaller } from '../../domain/caller.ts'
import type { Context } from '../../domain/context.ts'
import * as identity from '../../domain/identity/index.ts'
import { sessionUser } from '../../domain/identity/index.ts'
import * as issuers from '../../domain/issuers/index.ts'
import * as notifications from '../../domain/notifications/index.ts'
import * as oauth from '../../domain/oauth/index.ts'
import * as payments from '../../domain/payments/index.ts'
import * as releases from '../../domain/releases/index.ts'
import * as trades from '../../domain/trades/index.ts'
import { bearerToken } from '../bearer.ts'
import { fastifyPath, type JsonHandler, registerJsonSurface } from '../json.ts'
import { type Live, openEventStream } from '../live.ts'
import { createOriginCheck } from './allowedOrigins.ts'
import { payerReturnRoute } from './payerReturn.ts'

/** All operations except `events`, an event stream. */
type Operations = Omit<typeof HostOperations, 'events'>

type Handlers = {
  [Id in keyof Operations]: (
    context: Context,
    caller: HostUserCaller,
    input: ParametersOf<Operations[Id]>,
  ) => Promise<ResultOf<Operations[Id]>>
}

/** The verb of each operation: what a domain exports under the operation's id. Does not compile if one is missing. */
const handlers: Handlers = {
  ...activities,
  ...identity,
  ...issuers,
  ...notifications,
  ...oauth,
  ...releases,
  ...payments,
  ...trades,
}

/** The surface of host applications (`/host/v1`): JSON, with the session of a host user. */
export function hostSurface(context: Context, live: Live) {
  async function registerOperations(server: FastifyInstance): Promise<void> {
    const isAllowed = createOriginCheck(context)
    await server.register(cors, {
      origin: async (origin: string | undefined) => isAllowed(origin),
      methods: ['GET', 'POST', 'PATCH', 'DELETE'],
      allowedHeaders: ['Authorization', 'Content-Type'],
      exposedHeaders: ['X-Request-Id', 'Retry-After'],
      maxAge: (10 * minute) / second,
    })
    const { exchangeToken, revokeToken, ...rest } = hostOperations
    const surface = {
      context,
      handlers: handlers as Record<string, JsonHandler<HostUserCaller>>,
      authenticate: async (request: FastifyRequest, operation: Operation): Promise<HostUserCaller> =>
        operation.auth === 'none' ? { kind: 'hostUser', uid: 0, session: '' } : signedIn(context, request),
    }
    registerJsonSurface(server, { ...surface, operations: rest })
    await server.register(async (tokens) => {
      acceptForms(tokens)
      registerJsonSurface(tokens, { ...surface, operations: tokenOperations })
    })

    server.get(fastifyPath(hostOperations.events.path).slice(server.prefix.length), async (request, reply) => {
      const { uid, session } = await signedIn(context, request)
      const stream = openEventStream(reply, live, async () => (await sessionUser(context, session)) === uid)
      const onUserEvent = ({ uid: recipient, event, id }: { uid: number; event: string; id: string }) => {
        if (recipient === uid) stream.send(event, { id })
      }
      const sendTime = () => stream.send('clock', { now: context.clock.now() })
      live.on('user', onUserEvent)
      live.on('clock', sendTime)
      stream.onClose(() => {
        live.off('user', onUserEvent)
        live.off('clock', sendTime)
      })
      sendTime()
    })
  }

  return async function register(server: FastifyInstance): Promise<void> {
    await server.register(registerOperations, { prefix: '/host/v1' })
    await server.register(payerReturnRoute, { context })
  }
}

/** Accepts forms only, as OAuth clients send them. */
function acceptForms(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, Object.fromEntries(parseForm(body as string)))
    } catch (error) {
      done(error instanceof ParameterFault ? new SoukError(error.code, error.message) : (error as Error))
    }
  })
}

async function signedIn(context: Context, request: FastifyRequest): Promise<HostUserCaller> {
  const session = bearerToken(request)
  const uid = session === undefined ? undefined : await sessionUser(context, session)
  if (session === undefined || uid === undefined) {
    throw new SoukError('session_invalid', 'Sign in and send Authorization: Bearer <session>.')
  }
  return { kind: 'hostUser', uid, session }
}
