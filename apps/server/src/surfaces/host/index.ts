import {
  type hostOperations as HostOperations,
  hostOperations,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { home } from '../../domain/activities/index.ts'
import type { HostUserCaller } from '../../domain/caller.ts'
import type { Context } from '../../domain/context.ts'
import { listSandboxUsers, me, sessionUser, signIn, signOut } from '../../domain/identity/index.ts'
import { inbox, markRead } from '../../domain/notifications/index.ts'
import { getAuthCode, getConsent, login, withdrawConsent } from '../../domain/oauth/index.ts'
import { answerChallenge, cancelPayment, paymentResult, startPayment } from '../../domain/payments/index.ts'
import { listMiniApps } from '../../domain/releases/index.ts'
import { showTrade } from '../../domain/trades/index.ts'
import { bearerToken } from '../bearer.ts'
import { fastifyPath, type JsonHandler, registerJsonSurface, sendProblem } from '../json.ts'
import { type Live, openEventStream } from '../live.ts'
import { asSoukError } from '../refusal.ts'
import { payerReturnsRoute } from './payerReturns.ts'

type Operations = Omit<typeof HostOperations, 'events'>

/** What each host operation does. A missing one does not compile. */
const handlers: {
  [Id in keyof Operations]: (
    context: Context,
    caller: HostUserCaller,
    input: ParametersOf<Operations[Id]>,
  ) => Promise<ResultOf<Operations[Id]>>
} = {
  listSandboxUsers,
  signIn,
  signOut,
  me,
  listMiniApps,
  login,
  getConsent,
  getAuthCode,
  withdrawConsent,
  showTrade,
  startPayment,
  answerChallenge,
  cancelPayment,
  paymentResult,
  inbox,
  markRead,
  home,
}

/** The surface of host applications (`/host/v1`): JSON, with the session of a host user. */
export function hostSurface(context: Context, live: Live) {
  return async function register(server: FastifyInstance): Promise<void> {
    registerJsonSurface<HostUserCaller>(server, {
      context,
      operations: hostOperations,
      handlers: handlers as Record<string, JsonHandler<HostUserCaller>>,
      authenticate: async (request, operation) =>
        operation.auth === 'none' ? { kind: 'hostUser', uid: 0, session: '' } : signedIn(context, request),
    })

    server.get(fastifyPath(hostOperations.events.path), async (request, reply) => {
      const { uid, session } = await signedIn(context, request)
      const stream = openEventStream(reply, live, async () => (await sessionUser(context, session)) === uid)
      const pass = (news: { uid: number; event: string; id: string }) => {
        if (news.uid === uid) stream.send(news.event, { id: news.id })
      }
      const tellTime = () => stream.send('clock', { now: context.clock.now() })
      live.on('user', pass)
      live.on('clock', tellTime)
      stream.onClose(() => {
        live.off('user', pass)
        live.off('clock', tellTime)
      })
      tellTime()
    })

    await server.register(payerReturnsRoute, { context })
    server.setErrorHandler((error, request, reply) => sendProblem(request, reply, asSoukError(error, context.log)))
  }
}

async function signedIn(context: Context, request: FastifyRequest): Promise<HostUserCaller> {
  const session = bearerToken(request)
  const uid = session === undefined ? undefined : await sessionUser(context, session)
  if (session === undefined || uid === undefined) {
    throw new SoukError('session_invalid', 'Sign in and send Authorization: Bearer <session>.')
  }
  return { kind: 'hostUser', uid, session }
}
