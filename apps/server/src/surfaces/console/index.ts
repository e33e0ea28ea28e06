import cookie from '@fastify/cookie'
import { consoleOperations, type Operation, SoukError } from '@souk/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountBySession, type StartedSession } from '../../domain/accounts/index.ts'
import { authenticateAdmin } from '../../domain/adminToken/index.ts'
import { exportAudit } from '../../domain/audit/index.ts'
import { signedCallback } from '../../domain/callbacks/index.ts'
import type { AnyoneCaller, ConsoleCaller } from '../../domain/caller.ts'
import type { Context } from '../../domain/context.ts'
import { exportRecords } from '../../domain/datasets/index.ts'
import { findSide } from '../../domain/inspections/index.ts'
import { findNewestOfLists } from '../../domain/lists/index.ts'
import { serviceAccountByToken } from '../../domain/serviceAccounts/index.ts'
import { admit } from '../access.ts'
import { bearerToken } from '../bearer.ts'
import { registerExport } from '../exports.ts'
import { createFlowCookie } from '../flowCookie.ts'
import { streamInspection } from '../inspections.ts'
import { fastifyPath, type JsonHandler, type JsonSurface, receivedJson, registerJsonSurface } from '../json.ts'
import { type Live, openEventStream } from '../live.ts'
import { compileParameters } from '../parameters.ts'
import { limitAddresses, signInsPerSecond } from '../rateLimit.ts'
import type { SharedCounts } from '../sharedCounts.ts'
import {
  checkCsrfToken,
  checkSameOrigin,
  clearSessionCookie,
  deviceCookie,
  sessionCookie,
  setDeviceCookie,
  setSessionCookie,
} from './browser.ts'
import { streamChanges, streamInstallation } from './changes.ts'
import { handlers, sessionStarts } from './handlers.ts'
import { registerUpload } from './upload.ts'

export interface ConsoleSurfaceOptions {
  context: Context
  live: Live
  counts: SharedCounts
  rateLimit: number
}

/**
 * The surface of the console and the command line (`/console/v1`): JSON, with the session cookie of an account or the
 * admin token. API keys and tokens of accounts are not accepted (open-api §2.1).
 */
export function consoleSurface({ context, live, counts, rateLimit }: ConsoleSurfaceOptions) {
  const { publicUrl } = context.settings
  const flowCookie = createFlowCookie('souk_sign_on', '/console/v1/sign-on', publicUrl)

  /** Authenticates the caller. `Authorization` takes priority if present. */
  async function authenticate(request: FastifyRequest, operation: Operation): Promise<ConsoleCaller | AnyoneCaller> {
    const address = request.ip
    if (operation.auth === 'none') {
      if (request.method !== 'GET') checkSameOrigin(request, publicUrl)
      const { 'user-agent': userAgent } = request.headers
      const devices = request.cookies[deviceCookie]
      return { kind: 'anyone', address, userAgent, devices, flow: flowCookie.read(request) }
    }
    if (request.headers.authorization !== undefined) {
      const token = bearerToken(request)
      const admin = await authenticateAdmin(context, token, address)
      if (admin) return admin
      const program = token && (await serviceAccountByToken(context, token, address))
      if (program) return program
      throw new SoukError(
        'admin_token_invalid',
        'Send Authorization: Bearer <the content of admin-token in the data directory>.',
      )
    }
    const session = request.cookies[sessionCookie]
    const account = session === undefined ? undefined : await accountBySession(context, session, address)
    if (session === undefined || account === undefined) throw new SoukError('session_invalid', 'Sign in.')
    if (request.method !== 'GET') {
      checkSameOrigin(request, publicUrl)
      checkCsrfToken(request, session)
    }
    return account
  }

  /** Sets the cookie of a new session, and clears it when the session ends. */
  function respond(reply: FastifyReply, { id }: Operation, result: unknown): unknown {
    if (id === 'consoleSignOut') clearSessionCookie(reply, publicUrl)
    if (id === 'startSignOn') {
      const { flow, ...started } = result as { flow: string }
      flowCookie.set(reply, flow)
      return started
    }
    if (id === 'completeSignOn') flowCookie.clear(reply)
    if (!sessionStarts.some((start) => start === id)) return result
    const begun = result as StartedSession
    setSessionCookie(reply, begun, publicUrl)
    setDeviceCookie(context, reply, begun)
    return begun.session
  }

  return async function register(server: FastifyInstance): Promise<void> {
    await server.register(cookie)
    const surface: Omit<JsonSurface<ConsoleCaller | AnyoneCaller>, 'operations'> = {
      context,
      handlers: handlers as unknown as Record<string, JsonHandler<ConsoleCaller | AnyoneCaller>>,
      authenticate,
      admit: (caller, operation, input) => admit(context, caller, operation, input),
      respond,
    }
    const { startSignOn, completeSignOn, ...operations } = consoleOperations
    registerJsonSurface(server, { ...surface, operations })
    await server.register(async (signOn) => {
      const perSecond = Math.min(rateLimit, signInsPerSecond)
      limitAddresses(signOn, { counts, scope: 'signOn', perSecond, isExact: true, clock: context.clock })
      registerJsonSurface(signOn, { ...surface, operations: { startSignOn, completeSignOn } })
    })

    await server.register(registerUpload(context, authenticate))

    registerExport(server, {
      context,
      operation: consoleOperations.exportAudit,
      authenticate,
      start: (caller) => exportAudit(context, caller),
    })
    registerExport(server, {
      context,
      operation: consoleOperations.downloadRecords,
      authenticate,
      start: (caller, input) => exportRecords(context, caller, input),
    })

    const { listen, watchProject, watchInstallation, watchInspection } = consoleOperations
    /** Returns a check that the caller may still read the stream: sessions, roles and accounts can end meanwhile. */
    const recheck = (request: FastifyRequest, operation: Operation, input: Record<string, unknown>) => async () => {
      try {
        await admit(context, await authenticate(request, operation), operation, input)
        return true
      } catch (error) {
        if (error instanceof SoukError) return false
        throw error
      }
    }
    const read = compileParameters(listen)
    server.get(fastifyPath(listen.path), async (request, reply) => {
      const caller = await authenticate(request, listen)
      const { appid } = read(receivedJson(request))
      if (appid !== undefined && !(await context.apps.find(appid))) throw new SoukError('app_not_found')
      await admit(context, caller, listen, { appid })
      const mayContinue = recheck(request, listen, { appid })
      const stream = openEventStream(reply, live, mayContinue)
      const onCallback = (callback: { notifyId: string; appid: string }) => {
        if (appid !== undefined && callback.appid !== appid) return
        forward(callback).catch((error: unknown) =>
          context.log.error({ notifyId: callback.notifyId, error: String(error) }, 'a callback could not be forwarded'),
        )
      }
      async function forward({ notifyId, appid }: { notifyId: string; appid: string }): Promise<void> {
        if (!(await mayContinue())) return
        const { headers, body } = await signedCallback(context, notifyId)
        stream.send('callback', { notifyId, appid, headers, body })
      }
      const sendResync = () => stream.send('resync', {})
      live.on('callback', onCallback)
      live.on('resync', sendResync)
      stream.onClose(() => {
        live.off('callback', onCallback)
        live.off('resync', sendResync)
      })
    })

    const readWatch = compileParameters(watchProject)
    server.get(fastifyPath(watchProject.path), async (request, reply) => {
      const caller = await authenticate(request, watchProject)
      const { projectId } = readWatch(receivedJson(request))
      await admit(context, caller, watchProject, { projectId })
      const newest = await findNewestOfLists(context.sql, projectId)
      streamChanges(context, live, openEventStream(reply, live, recheck(request, watchProject, { projectId })), {
        projectId,
        newest,
      })
    })
    const readInstallation = compileParameters(watchInstallation)
    server.get(fastifyPath(watchInstallation.path), async (request, reply) => {
      const caller = await authenticate(request, watchInstallation)
      await admit(context, caller, watchInstallation, { ...readInstallation(receivedJson(request)) })
      streamInstallation(live, openEventStream(reply, live, recheck(request, watchInstallation, {})))
    })

    const readInspection = compileParameters(watchInspection)
    server.get(fastifyPath(watchInspection.path), async (request, reply) => {
      const caller = await authenticate(request, watchInspection)
      const input = readInspection(receivedJson(request))
      await admit(context, caller, watchInspection, input)
      const { inspectionId, after } = input
      await streamInspection(context, live, reply, {
        inspectionId,
        side: 'console',
        exists: caller.kind !== 'anyone' && (await findSide(context, caller, input)),
        after,
        mayContinue: recheck(request, watchInspection, input),
      })
    })
  }
}
