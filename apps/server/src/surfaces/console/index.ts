import cookie from '@fastify/cookie'
import { consoleOperations, type Operation, SoukError } from '@souk/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnyoneCaller, ConsoleCaller } from '../../domain/caller.ts'
import { accountBySession, type StartedSession, serviceAccountByToken } from '../../domain/console/index.ts'
import type { FullContext } from '../../domain/context.ts'
import { authenticateAdmin, exportAudit } from '../../domain/installation/index.ts'
import { downloadErrorRecording, exportRecords } from '../../domain/miniApps/index.ts'
import { admit } from '../access.ts'
import { bearerToken } from '../bearer.ts'
import { type Exports, registerExport } from '../exports.ts'
import { createFlowCookie } from '../flowCookie.ts'
import { type JsonSurface, registerJsonSurface } from '../json.ts'
import type { Live } from '../live.ts'
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
import { handlers, sessionStarts } from './handlers.ts'
import { registerStreams } from './streams.ts'
import { registerUpload } from './upload.ts'

export interface ConsoleSurfaceOptions {
  context: FullContext
  live: Live
  counts: SharedCounts
  exports: Exports
  rateLimit: number
  /** Script that the page of the console loads. */
  entry: string | undefined
}

/**
 * Creates the surface of the console and the command line (`/console/v1`): JSON, with the session cookie of an account
 * or the admin token. API keys and tokens of accounts are not accepted (open-api §2.1).
 */
export function consoleSurface({ context, live, counts, exports, rateLimit, entry }: ConsoleSurfaceOptions) {
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
    if (request.headers.authorization !== undefined) return callerByToken(context, request)
    return callerBySession(context, request)
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
    if (id === 'confirmSession') setDeviceCookie(context, reply, result as StartedSession['session'])
    if (!sessionStarts.some((start) => start === id)) return result
    const started = result as StartedSession
    setSessionCookie(reply, started, publicUrl)
    setDeviceCookie(context, reply, started.session)
    return started.session
  }

  return async function register(server: FastifyInstance): Promise<void> {
    await server.register(cookie)
    if (entry) {
      // Open pages of an earlier build recognize by this that the server was upgraded.
      server.addHook('onRequest', (_request, reply, done) => {
        reply.header('X-Souk-Console', entry)
        done()
      })
    }
    const surface: Omit<JsonSurface<ConsoleCaller | AnyoneCaller>, 'operations'> = {
      context,
      handlers,
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

    registerExports(server, { context, exports, authenticate })
    registerStreams(server, { context, live, authenticate })
  }
}

/** @throws SoukError `admin_token_invalid` */
async function callerByToken(context: FullContext, request: FastifyRequest): Promise<ConsoleCaller> {
  const token = bearerToken(request)
  const admin = await authenticateAdmin(context, token, request.ip)
  if (admin) return admin
  const program = token && (await serviceAccountByToken(context, token, request.ip))
  if (program) return program
  throw new SoukError(
    'admin_token_invalid',
    'Send Authorization: Bearer <the content of admin-token in the data directory>.',
  )
}

/** @throws SoukError `session_invalid`, and those of a request from another site */
async function callerBySession(context: FullContext, request: FastifyRequest): Promise<ConsoleCaller> {
  const session = request.cookies[sessionCookie]
  const account = session === undefined ? undefined : await accountBySession(context, session, request.ip)
  if (session === undefined || account === undefined) throw new SoukError('session_invalid', 'Sign in.')
  if (request.method !== 'GET') {
    checkSameOrigin(request, context.settings.publicUrl)
    checkCsrfToken(request, session)
  }
  return { ...account, devices: request.cookies[deviceCookie] }
}

interface ExportsOptions {
  context: FullContext
  exports: Exports
  authenticate: Parameters<typeof registerUpload>[1]
}

function registerExports(server: FastifyInstance, options: ExportsOptions): void {
  const { context } = options
  registerExport(server, {
    ...options,
    operation: consoleOperations.exportAudit,
    start: (caller) => exportAudit(context, caller),
  })
  registerExport(server, {
    ...options,
    operation: consoleOperations.downloadRecords,
    start: async (caller, input) => {
      const started = await exportRecords(context, caller, input)
      // The console's users open the file in a spreadsheet, which needs the byte order mark to read UTF-8.
      if (input.format === 'csv') started.stream.unshift('\uFEFF')
      return started
    },
  })
  registerExport(server, {
    ...options,
    operation: consoleOperations.downloadErrorRecording,
    start: (caller, input) => downloadErrorRecording(context, caller, input),
  })
}
