import { consoleOperations, type Operation, SoukError } from '@souk/contract'
import { compileParameters } from '@souk/contract/compileParameters'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AnyoneCaller, type ConsoleCaller, nameOf } from '../../domain/caller.ts'
import type { FullContext } from '../../domain/context.ts'
import { existsInspection } from '../../domain/miniApps/index.ts'
import { signedCallback } from '../../domain/money/index.ts'
import { findNewestOfLists } from '../../domain/operations/index.ts'
import { admit } from '../access.ts'
import { streamInspection } from '../inspections.ts'
import { fastifyPath, receivedJson } from '../json.ts'
import { type Live, openEventStream } from '../live.ts'
import { streamChanges, streamInstallation } from './changes.ts'

interface StreamsOptions {
  context: FullContext
  live: Live
  authenticate(request: FastifyRequest, operation: Operation): Promise<ConsoleCaller | AnyoneCaller>
}

const { listen, watchProject, watchInstallation, watchInspection } = consoleOperations

/** Registers the event streams of the console. */
export function registerStreams(server: FastifyInstance, options: StreamsOptions): void {
  registerCallbacks(server, options)
  registerChanges(server, options)
  registerInspections(server, options)
}

function registerCallbacks(server: FastifyInstance, options: StreamsOptions): void {
  const { context, live, authenticate } = options
  const read = compileParameters(listen)
  server.get(fastifyPath(listen.path), async (request, reply) => {
    const caller = await authenticate(request, listen)
    const { appid } = read(receivedJson(request))
    if (appid !== undefined && !(await context.apps.find(appid))) throw new SoukError('app_not_found')
    await admit(context, caller, listen, { appid })
    const mayContinue = recheck(options, request, listen, { appid })
    const stream = openEventStream(reply, live, callerName(caller), mayContinue)
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
}

function registerChanges(server: FastifyInstance, options: StreamsOptions): void {
  const { context, live, authenticate } = options
  const readProject = compileParameters(watchProject)
  server.get(fastifyPath(watchProject.path), async (request, reply) => {
    const caller = await authenticate(request, watchProject)
    const { projectId } = readProject(receivedJson(request))
    await admit(context, caller, watchProject, { projectId })
    const newest = await findNewestOfLists(context.sql, projectId)
    const stream = openEventStream(
      reply,
      live,
      callerName(caller),
      recheck(options, request, watchProject, { projectId }),
    )
    streamChanges(context, live, stream, { projectId, newest })
  })

  const readInstallation = compileParameters(watchInstallation)
  server.get(fastifyPath(watchInstallation.path), async (request, reply) => {
    const caller = await authenticate(request, watchInstallation)
    await admit(context, caller, watchInstallation, { ...readInstallation(receivedJson(request)) })
    const mayContinue = recheck(options, request, watchInstallation, {})
    streamInstallation(live, openEventStream(reply, live, callerName(caller), mayContinue))
  })
}

function registerInspections(server: FastifyInstance, options: StreamsOptions): void {
  const { context, live, authenticate } = options
  const read = compileParameters(watchInspection)
  server.get(fastifyPath(watchInspection.path), async (request, reply) => {
    const caller = await authenticate(request, watchInspection)
    const input = read(receivedJson(request))
    await admit(context, caller, watchInspection, input)
    const { inspectionId, after } = input
    await streamInspection(context, live, reply, {
      inspectionId,
      side: 'console',
      caller: callerName(caller),
      exists: caller.kind !== 'anyone' && (await existsInspection(context.sql, caller, input)),
      after,
      mayContinue: recheck(options, request, watchInspection, input),
    })
  })
}

/** Returns the name under which streams of a caller are counted. No stream of the console is for anyone. */
const callerName = (caller: ConsoleCaller | AnyoneCaller) => nameOf(caller as ConsoleCaller)

/** Returns a check that the caller may still read the stream: sessions, roles and accounts can end at any time. */
function recheck(
  { context, authenticate }: StreamsOptions,
  request: FastifyRequest,
  operation: Operation,
  input: Record<string, unknown>,
): () => Promise<boolean> {
  return async () => {
    try {
      await admit(context, await authenticate(request, operation), operation, input)
      return true
    } catch (error) {
      if (error instanceof SoukError) return false
      throw error
    }
  }
}
