import { operations, opsOperations } from '@souk/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Entry, enter, isTracing, SpanKind } from '../kernel/tracing.ts'
import { fastifyPath } from './json.ts'

/** Health checks and metrics say nothing, and the trace of an event stream would not end. */
const untraced: ReadonlySet<string> = new Set(
  [...Object.values(opsOperations), ...operations.filter(({ stream }) => stream)].map(({ path }) => fastifyPath(path)),
)

/**
 * Traces all requests by their routes, which contain the names of parameters only. Call it before adding other hooks.
 */
export function traceRequests(server: FastifyInstance): void {
  if (!isTracing()) return
  const entries = new WeakMap<FastifyRequest, Entry>()

  server.addHook('onRequest', (request, _reply, done) => {
    const { method, headers, routeOptions, id } = request
    const route = routeOptions.url
    if (route !== undefined && untraced.has(route)) return done()
    const entry = enter(route === undefined ? method : `${method} ${route}`, {
      kind: SpanKind.SERVER,
      traceparent: headers.traceparent,
      attributes: {
        'http.request.method': method,
        ...(route !== undefined && { 'http.route': route }),
        'souk.request_id': id,
      },
    })
    if (!entry) return done()
    entries.set(request, entry)
    entry.run(done)
  })
  // The events of a body arrive in the context of the connection.
  server.addHook('preValidation', (request, _reply, done) => {
    const entry = entries.get(request)
    if (entry) entry.run(done)
    else done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    const span = entries.get(request)?.span
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setAttribute('error.type', String(reply.statusCode))
    span?.end()
    done()
  })
}
