import { defaultMaxBody, type Operation, SoukError, second } from '@souk/contract'
import { compileParameters } from '@souk/contract/compileParameters'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { FullContext } from '../domain/context.ts'
import { recognize } from './bodies.ts'
import { clientLeft } from './clientLeft.ts'
import { sendOAuthError } from './oauthErrors.ts'
import { problemDetails, setErrorHeaders } from './problem.ts'
import { asSoukError } from './refusal.ts'
import { sendJson } from './sendJson.ts'

/**
 * Runs an operation of a JSON surface for the caller that `authenticate` returned. Each surface declares caller and
 * input of its handlers by operation; here they can be any.
 */
type JsonHandler = (
  context: FullContext,
  caller: never,
  input: never,
  /** Returns a signal that is aborted when the client leaves. */
  left: () => AbortSignal,
) => Promise<unknown>

/** The parts of a JSON surface. */
export interface JsonSurface<C> {
  context: FullContext
  operations: Record<string, Operation>
  handlers: Record<string, JsonHandler>
  /** Authenticates the caller by headers and path, or throws. Called before the body is read. */
  authenticate(request: FastifyRequest, operation: Operation, reply: FastifyReply): Promise<C>
  /**
   * Checks that the caller may call the operation with this input, or throws. Called before a large body is read, with
   * the parameters of the path.
   */
  admit?(caller: C, operation: Operation, input: Readonly<Record<string, unknown>>): Promise<void>
  /** Converts the verb's result to the response body, and sets its headers. */
  respond?(reply: FastifyReply, operation: Operation, result: unknown): unknown
}

/** Registers a surface that responds with JSON results, and errors as problem details (RFC 9457). */
export function registerJsonSurface<C>(server: FastifyInstance, surface: JsonSurface<C>): void {
  const { context } = surface
  for (const [id, operation] of Object.entries(surface.operations)) {
    // Streams, exports and uploads are registered by their surface.
    if (operation.stream || operation.media || operation.file) continue
    const handler = surface.handlers[id]!
    const read = compileParameters(operation)
    const readPath = compileParameters(withPathOnly(operation))
    const isLarge = operation.maxBody !== undefined && operation.maxBody > defaultMaxBody
    const identify = async (request: FastifyRequest, reply: FastifyReply): Promise<C> => {
      const caller = await surface.authenticate(request, operation, reply)
      if (operation.sandboxOnly && !context.settings.sandbox) throw new SoukError('sandbox_only')
      if (isLarge) await surface.admit?.(caller, operation, readPath(receivedPath(request)))
      return caller
    }
    const callers = new WeakMap<FastifyRequest, Identified<C>>()
    server.route({
      method: operation.method,
      url: fastifyPath(operation.path).slice(server.prefix.length),
      exposeHeadRoute: false,
      config: { operation },
      ...(operation.maxBody === undefined ? {} : { bodyLimit: operation.maxBody }),
      onRequest: async (request, reply) => {
        begin(request)
        const caller = await identify(request, reply)
        if (operation.auth !== 'none') recognize(request)
        callers.set(request, { caller, time: performance.now() })
      },
      handler: async (request, reply) => {
        const identified = callers.get(request)!
        skip(request, identified.time)
        // Rights that were revoked while the body arrived must not be used.
        const isLate = performance.now() - identified.time > maxArrival
        const caller = isLate ? await identify(request, reply) : identified.caller
        const fields = operation.repairsText && repairedFields(request)
        const input = read(receivedJson(request, fields))
        if (!isLarge) await surface.admit?.(caller, operation, input)
        const result = await handler(context, caller as never, input as never, () => clientLeft(reply.raw))
        const body = surface.respond ? surface.respond(reply, operation, result) : result
        observe(context, operation, request, { status: 200 })
        return sendJson(request, reply, operation, body)
      },
      errorHandler: (error, request, reply) => {
        const refusal = asSoukError(error, request, context.log)
        observe(context, operation, request, refusal)
        if (operation.oauthErrors) sendOAuthError(request, reply, refusal)
        else sendProblem(request, reply, refusal)
      },
    })
  }
}

/** A caller, and the time of `performance.now()` at which it was identified. */
interface Identified<C> {
  caller: C
  time: number
}

/** Time in ms that a body may take until its caller is identified again. */
const maxArrival = second

/** Returns the operation with the parameters of its path only. */
function withPathOnly(operation: Operation): Operation {
  const names = Object.keys(operation.parameters.properties).filter((name) => operation.path.includes(`{${name}}`))
  return { ...operation, aliases: {}, parameters: Type.Pick(operation.parameters, names) }
}

/** Returns the path of an operation in Fastify's syntax: `{name}` becomes `:name`. */
export function fastifyPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/** Responds with problem details. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, refusal: SoukError): void {
  setErrorHeaders(reply, refusal)
    .header('Content-Type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify(problemDetails(refusal, request.id)))
}

/**
 * Returns path, query and body (or form fields) as one map. Rejects names that occur in two of them, and text that the
 * database cannot store.
 */
export function receivedJson(request: FastifyRequest, fields?: Iterable<[string, unknown]>): Map<string, unknown> {
  const received = receivedPath(request)
  const { body } = request
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    throw new SoukError('parameter_malformed', 'The body must be a JSON object.')
  for (const place of [queryOf(request), fields ?? Object.entries(body ?? {})]) {
    for (const [name, value] of place) {
      if (received.has(name)) throw new SoukError('parameter_repeated', `${name} is repeated.`)
      checkValue(name, value)
      received.set(name, value)
    }
  }
  return received
}

/** Returns the parameters of the path. Rejects text that the database cannot store. */
function receivedPath({ params }: FastifyRequest): Map<string, unknown> {
  const received = new Map<string, unknown>(Object.entries(params ?? {}))
  for (const [name, value] of received) checkValue(name, value)
  return received
}

/** Parses the query. Fastify would do so for every request, and the open API has a stricter parser. */
function queryOf(request: FastifyRequest): Iterable<[string, string]> {
  const target = request.raw.url ?? ''
  const mark = target.indexOf('?')
  return mark === -1 ? [] : new URLSearchParams(target.slice(mark + 1))
}

/** Returns the fields of a body whose texts can be stored: U+FFFD replaces what the database cannot store. */
function repairedFields({ body }: FastifyRequest): [string, unknown][] | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  return Object.entries(repaired(body) as object)
}

/** Names stay as they are: two could become the same, and no operation takes such names. */
function repaired(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD').toWellFormed()
  if (Array.isArray(value)) return value.map(repaired)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, repaired(each)]))
}

/** The parameter whose strings the schema of the dataset checks, which reports the record. */
const checkedByDataset = 'records'

/**
 * Checks all texts in a value, including the names of fields. Its nesting is limited before it is parsed. @throws
 * SoukError `parameter_control_character`, `parameter_malformed`
 */
function checkValue(parameter: string, value: unknown): void {
  if (parameter === checkedByDataset) return
  let level = [value]
  while (level.length > 0) {
    const next: unknown[] = []
    for (const each of level) {
      if (typeof each === 'string') checkText(parameter, each)
      if (typeof each !== 'object' || each === null) continue
      for (const part of Array.isArray(each) ? each : Object.entries(each).flat()) next.push(part)
    }
    level = next
  }
}

/**
 * Rejects text that the database cannot store. @throws SoukError `parameter_control_character`, `parameter_malformed`
 */
function checkText(parameter: string, text: string): void {
  if (text.includes('\0')) {
    throw new SoukError('parameter_control_character', `${parameter} contains U+0000, which the database cannot store.`)
  }
  if (!text.isWellFormed()) {
    throw new SoukError(
      'parameter_malformed',
      `${parameter} contains half of a surrogate pair, such as \\ud800 alone. Send valid Unicode.`,
    )
  }
}

/** When the processing of requests began, in ms of `performance.now()`. */
const begun = new WeakMap<FastifyRequest, number>()

/** Records that a request has been received and is processed from now on. */
export function begin(request: FastifyRequest): void {
  begun.set(request, performance.now())
}

/** Leaves out the time since `from`, in which the body arrived. */
function skip(request: FastifyRequest, from: number): void {
  const now = performance.now()
  begun.set(request, (begun.get(request) ?? now) + now - from)
}

/** Counts a request, and logs the code of an error. A request that could not be received took no time. */
export function observe(
  context: FullContext,
  operation: Operation,
  request: FastifyRequest,
  { status, code }: { status: number; code?: string },
): void {
  const now = performance.now()
  const duration = now - (begun.get(request) ?? now)
  context.metrics.requests.inc({ surface: operation.surface, operation: operation.id, status })
  context.metrics.duration.observe({ surface: operation.surface, operation: operation.id }, duration / 1000)
  if (code) {
    context.log.info(
      { requestId: request.id, operation: operation.id, status, code, ms: Math.round(duration) },
      'refused',
    )
  }
}
