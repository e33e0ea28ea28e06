import { finished, type Readable } from 'node:stream'
import { type Operation, type ParametersOf, SoukError } from '@souk/contract'
import { compileParameters } from '@souk/contract/compileParameters'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AnyoneCaller, type ConsoleCaller, nameOf } from '../domain/caller.ts'
import type { FullContext } from '../domain/context.ts'
import type { Export } from '../kernel/export.ts'
import { admit, projectOf } from './access.ts'
import { begin, fastifyPath, observe, receivedJson, sendProblem } from './json.ts'
import { asSoukError } from './refusal.ts'

interface ExportSurface<O extends Operation> {
  context: FullContext
  exports: Exports
  operation: O
  authenticate(request: FastifyRequest, operation: O, reply: FastifyReply): Promise<ConsoleCaller | AnyoneCaller>
  /** Starts the export for a caller that may call the operation. */
  start(caller: ConsoleCaller, input: ParametersOf<O>): Promise<Export>
}

/** Registers an operation that streams an export. */
export function registerExport<O extends Operation>(
  server: FastifyInstance,
  { context, exports, operation, authenticate, start }: ExportSurface<O>,
): void {
  const read = compileParameters(operation)
  server.get(fastifyPath(operation.path), {
    handler: async (request, reply) => {
      begin(request)
      const caller = (await authenticate(request, operation, reply)) as ConsoleCaller
      const input = read(receivedJson(request))
      await admit(context, caller, operation, input)
      const project = await projectOf(context, operation, input)
      const owner = { caller: nameOf(caller), project }
      const { stream, mediaType, fileName } = await exports.run(owner, () => start(caller, input))
      stream.once('close', () => observe(context, operation, request, { status: 200 }))
      // A failure after the first byte breaks the connection, so that a partial export is not taken for a complete
      // one.
      return reply
        .header('Content-Type', mediaType)
        .header('Content-Disposition', `attachment; filename="${fileName}"`)
        .header('Cache-Control', 'no-store')
        .send(stream)
    },
    errorHandler: (error, request, reply) => {
      const refusal = asSoukError(error, request, context.log)
      observe(context, operation, request, refusal)
      sendProblem(request, reply, refusal)
    },
  })
}

/** An export occupies a database connection until its reader is done, so their number is limited. */
const maxExports = 4
const maxExportsPerCaller = 2
/** So that the members of one project leave room for others. */
const maxExportsPerProject = 2

/** Who exports, and from which project. */
interface ExportOwner {
  caller: string
  project: string | undefined
}

/** Limits the concurrent exports of this server process, of all operations together. */
export class Exports {
  readonly #running = new Set<ExportOwner>()

  /** Starts an export, which ends with its stream. @throws SoukError `rate_limited` */
  async run<T extends { stream: Readable }>(owner: ExportOwner, start: () => Promise<T>): Promise<T> {
    const running = this.#explainFull(owner)
    if (running !== undefined) {
      throw new SoukError('rate_limited', `${running} are running; try again when one has ended.`, {
        data: { retryAfter: 5 },
      })
    }
    this.#running.add(owner)
    const end = () => this.#running.delete(owner)
    try {
      const started = await start()
      // Also of a stream that has failed already, while its export was audited.
      finished(started.stream, end)
      return started
    } catch (error) {
      end()
      throw error
    }
  }

  /** Returns which exports leave no room for one more. */
  #explainFull({ caller, project }: ExportOwner): string | undefined {
    const running = [...this.#running]
    const own = running.filter((each) => each.caller === caller).length
    if (own >= maxExportsPerCaller) return `${own} of your exports`
    const ofProject = running.filter((each) => project !== undefined && each.project === project).length
    if (ofProject >= maxExportsPerProject) return `${ofProject} exports of the project`
    return running.length >= maxExports ? `${running.length} exports` : undefined
  }
}
