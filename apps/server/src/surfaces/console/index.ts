import {
  type consoleOperations as ConsoleOperations,
  consoleOperations,
  type ParametersOf,
  type ResultOf,
  SoukError,
} from '@souk/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sandboxHome } from '../../domain/activities/index.ts'
import { createApp, listApps, listRequests, rotateSecret, updateApp } from '../../domain/apps/index.ts'
import type { AdminCaller } from '../../domain/caller.ts'
import type { Context } from '../../domain/context.ts'
import { createUser } from '../../domain/identity/index.ts'
import { sandboxInbox } from '../../domain/notifications/index.ts'
import { createCode } from '../../domain/oauth/index.ts'
import { getClock, moveClock } from '../../domain/sandbox/index.ts'
import {
  getTrade,
  listCallbacks,
  pay,
  replayCallback,
  reportForwarded,
  resolvePayment,
  signedCallback,
} from '../../domain/trades/index.ts'
import { equalInConstantTime } from '../../kernel/crypto.ts'
import { bearerToken } from '../bearer.ts'
import { fastifyPath, type JsonHandler, registerJsonSurface, sendProblem } from '../json.ts'
import { type Live, openEventStream } from '../live.ts'
import { asSoukError } from '../refusal.ts'

type Operations = Omit<typeof ConsoleOperations, 'listen'>

/** What each console operation does. A missing one does not compile. */
const handlers: {
  [Id in keyof Operations]: (
    context: Context,
    caller: AdminCaller,
    input: ParametersOf<Operations[Id]>,
  ) => Promise<ResultOf<Operations[Id]>>
} = {
  createApp,
  listApps,
  updateApp,
  rotateSecret,
  createUser,
  createCode,
  pay,
  resolvePayment,
  sandboxInbox,
  sandboxHome,
  moveClock,
  getClock,
  getTrade,
  listCallbacks,
  replayCallback,
  reportForwarded,
  listRequests,
}

/** The surface of the console and the command line (`/console/v1`): JSON, with the admin token. */
export function consoleSurface(context: Context, live: Live, adminToken: string) {
  const admin: AdminCaller = { kind: 'admin' }

  async function asAdmin(request: FastifyRequest): Promise<AdminCaller> {
    if (!equalInConstantTime(bearerToken(request) ?? '', adminToken)) {
      throw new SoukError(
        'admin_token_invalid',
        'Send Authorization: Bearer <the content of admin-token in the data directory>.',
      )
    }
    return admin
  }

  return async function register(server: FastifyInstance): Promise<void> {
    registerJsonSurface<AdminCaller>(server, {
      context,
      operations: consoleOperations,
      handlers: handlers as Record<string, JsonHandler<AdminCaller>>,
      authenticate: asAdmin,
    })

    server.get<{ Querystring: { appid?: string } }>(
      fastifyPath(consoleOperations.listen.path),
      async (request, reply) => {
        await asAdmin(request)
        const { appid } = request.query
        if (appid !== undefined && !(await context.apps.find(appid))) throw new SoukError('app_not_found')
        const stream = openEventStream(reply, live)
        const pass = (news: { notifyId: string; appid: string }) => {
          if (appid !== undefined && news.appid !== appid) return
          signedCallback(context, news.notifyId).then(
            ({ headers, body }) =>
              stream.send('callback', { notifyId: news.notifyId, appid: news.appid, headers, body }),
            (error: unknown) =>
              context.log.error({ notifyId: news.notifyId, error: String(error) }, 'a callback could not be forwarded'),
          )
        }
        live.on('callback', pass)
        stream.onClose(() => live.off('callback', pass))
      },
    )

    server.setErrorHandler((error, request, reply) => sendProblem(request, reply, asSoukError(error, context.log)))
  }
}
