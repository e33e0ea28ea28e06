import { errors, type Operation, SoukError } from '@souk/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../domain/context.ts'
import { compileParameters } from './parameters.ts'
import { asSoukError } from './refusal.ts'

/** Runs one operation of a JSON surface: `caller` is whoever `authenticate` found. */
export type JsonHandler<C> = (context: Context, caller: C, input: never) => Promise<unknown>

/** How a JSON surface is put together from its operations. */
export interface JsonSurface<C> {
  context: Context
  operations: Record<string, Operation>
  handlers: Record<string, JsonHandler<C>>
  /** Establishes who asks, or throws. */
  authenticate(request: FastifyRequest, operation: Operation): Promise<C>
  /** Lets the caller through to the operation with this input, or throws. */
  admit?(caller: C, operation: Operation, input: Readonly<Record<string, unknown>>): Promise<void>
  /** Makes the answer's body from what the verb gave, and sets headers that belong to it. */
  answer?(reply: FastifyReply, operation: Operation, result: unknown): unknown
}

/** Registers a surface that speaks JSON: results as they are, refusals as problem details (RFC 9457). */
export function registerJsonSurface<C>(server: FastifyInstance, surface: JsonSurface<C>): void {
  const { context } = surface
  for (const [id, operation] of Object.entries(surface.operations)) {
    // Streams, exports and uploads: their surface registers them by itself.
    if (operation.stream || operation.media || operation.file) continue
    const handler = surface.handlers[id]!
    const read = compileParameters(operation)
    server.route({
      method: operation.method,
      url: fastifyPath(operation.path),
      exposeHeadRoute: false,
      ...(operation.maxBody === undefined ? {} : { bodyLimit: operation.maxBody }),
      handler: async (request, reply) => {
        const began = performance.now()
        const caller = await surface.authenticate(request, operation)
        if (operation.sandboxOnly && !context.settings.sandbox) throw new SoukError('sandbox_only')
        const input = read(receivedJson(request))
        await surface.admit?.(caller, operation, input)
        const result = await handler(context, caller, input as never)
        const body = surface.answer ? surface.answer(reply, operation, result) : result
        observe(context, operation, request, began, 200)
        return reply
          .header('Content-Type', 'application/json; charset=utf-8')
          .header('Cache-Control', 'no-store')
          .send(JSON.stringify(body))
      },
      errorHandler: (error, request, reply) => {
        const refusal = asSoukError(error, context.log)
        observe(context, operation, request, performance.now() - reply.elapsedTime, refusal.status, refusal.code)
        sendProblem(request, reply, refusal)
      },
    })
  }
}

/** The path of an operation with `{name}` as Fastify writes it. */
export function fastifyPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/** Answers with a problem document. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, refusal: SoukError): void {
  const retryAfter = refusal.data?.retryAfter
  if (typeof retryAfter === 'number') reply.header('Retry-After', retryAfter)
  reply
    .code(refusal.status)
    .header('Content-Type', 'application/problem+json; charset=utf-8')
    .send(
      JSON.stringify({
        type: `urn:souk:error:${refusal.code}`,
        title: errors[refusal.code].msg,
        status: refusal.status,
        code: refusal.code,
        detail: refusal.message,
        requestId: request.id,
        ...(refusal.data ? { data: refusal.data } : {}),
      }),
    )
}

/** Path, query and body, or in its place the fields of a form, as one set; a name in two places is refused. */
export function receivedJson(request: FastifyRequest, fields?: Iterable<[string, unknown]>): Map<string, unknown> {
  const received = new Map<string, unknown>()
  const { params, body } = request
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    throw new SoukError('parameter_malformed', 'The body must be a JSON object.')
  for (const place of [Object.entries(params ?? {}), queryOf(request), fields ?? Object.entries(body ?? {})]) {
    for (const [name, value] of place) {
      if (received.has(name)) throw new SoukError('parameter_repeated', `${name} is given more than once.`)
      if (holdsNul(value)) {
        throw new SoukError('parameter_control_character', 'A text holds U+0000, which no text in the database can.')
      }
      received.set(name, value)
    }
  }
  return received
}

/** Read here and not by Fastify, which would do so for every request: the open API has a stricter reader of its own. */
function queryOf(request: FastifyRequest): Iterable<[string, string]> {
  const target = request.raw.url ?? ''
  const mark = target.indexOf('?')
  return mark === -1 ? [] : new URLSearchParams(target.slice(mark + 1))
}

/** Records of a dataset are looked at by their schema, which can say in which of them it stands. */
function holdsNul(value: unknown): boolean {
  return [value].flat().some((each) => typeof each === 'string' && each.includes('\0'))
}

/** Counts a request that has been answered, and logs the code of a refusal. */
export function observe(
  context: Context,
  operation: Operation,
  request: FastifyRequest,
  began: number,
  status: number,
  code?: string,
): void {
  const duration = performance.now() - began
  context.metrics.requests.inc({ surface: operation.surface, operation: operation.id, status })
  context.metrics.duration.observe({ surface: operation.surface, operation: operation.id }, duration / 1000)
  if (code) {
    context.log.info(
      { requestId: request.id, operation: operation.id, status, code, ms: Math.round(duration) },
      'refused',
    )
  }
}
