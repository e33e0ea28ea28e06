import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Context as TraceContext,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { Run } from './db/statement.ts'

export { type Span, SpanKind }

/** Undefined unless `telemetry.ts` exports traces: without them, each function below costs one comparison. */
let tracer: Tracer | undefined

/** Starts or ends the creation of spans. */
export function setTracer(next: Tracer | undefined): void {
  tracer = next
}

export function isTracing(): boolean {
  return tracer !== undefined
}

/** The span of a request or a job, and the context in which its work runs. */
export interface Entry {
  span: Span
  run<T>(work: () => T): T
}

/**
 * Starts the span of a request or a job, if traces are exported. It continues the trace of `traceparent` (W3C Trace
 * Context), or starts one if that is absent or not valid. `tracestate` and baggage are ignored: they can contain
 * anything.
 */
export function enter(
  name: string,
  { kind, traceparent, attributes }: { kind: SpanKind; traceparent: unknown; attributes: Attributes },
): Entry | undefined {
  if (!tracer) return undefined
  const carrier = typeof traceparent === 'string' ? { traceparent } : {}
  const parent = propagation.extract(ROOT_CONTEXT, carrier)
  const span = tracer.startSpan(name, { kind, attributes }, parent)
  const inside = trace.setSpan(parent, span)
  return { span, run: (work) => context.with(inside, work) }
}

/** Runs a job in a span that continues the trace of the request or job that enqueued it. */
export function traceJob<T>(name: string, traceparent: unknown, work: () => Promise<T>): Promise<T> {
  const entry = enter(name, { kind: SpanKind.CONSUMER, traceparent, attributes: {} })
  return entry ? endWith(entry.span, entry.run(work)) : work()
}

/**
 * Runs `work` in a span that is a child of the current one. Without a current one, for example in maintenance jobs, it
 * creates none.
 */
export function traced<T>(
  name: string,
  work: (span?: Span) => Promise<T>,
  kind: SpanKind = SpanKind.INTERNAL,
): Promise<T> {
  if (!tracer || !trace.getActiveSpan()) return work()
  const span = tracer.startSpan(name, { kind })
  return endWith(
    span,
    context.with(trace.setSpan(context.active(), span), () => work(span)),
  )
}

/** Ends the span when the work settles. */
async function endWith<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    markFailed(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** Marks a span as failed. The message of the error is left out, since it can contain anything. */
function markFailed(span: Span, error: unknown): void {
  const { code, name } = error as { code?: unknown; name?: string }
  span.setAttribute('error.type', typeof code === 'string' ? code : (name ?? 'unknown'))
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Returns the current trace, for work that continues it later (W3C Trace Context); null if there is none. */
export function currentTrace(): string | null {
  if (!tracer) return null
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent ?? null
}

/** Returns the payload of a job with the current trace, which the job continues. */
export function withTrace(payload: Record<string, unknown>): Record<string, unknown> {
  const traceparent = currentTrace()
  return traceparent === null ? payload : { ...payload, traceparent }
}

/**
 * Returns a function that executes a statement in a span, whose name consists of the operation and its table, never of
 * values. The span belongs to the code that creates the statement: it may be sent later.
 */
export function traceStatement(run: Run, text: TemplateStringsArray | string): Run {
  if (!tracer || !trace.getActiveSpan()) return run
  const parent = context.active()
  return ({ query, resolve, reject }) => {
    const span = startStatement(text, parent)
    run({
      query,
      resolve(rows) {
        span?.end()
        resolve(rows)
      },
      reject(reason) {
        if (span) markFailed(span, reason)
        span?.end()
        reject(reason)
      },
    })
  }
}

function startStatement(text: TemplateStringsArray | string, parent: TraceContext): Span | undefined {
  const summary = summaryOf(text)
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary }
  return tracer?.startSpan(summary, { kind: SpanKind.CLIENT, attributes }, parent)
}

/** Summaries by call site: the strings of a template are the same object each time. */
const summaries = new WeakMap<TemplateStringsArray, string>()

function summaryOf(text: TemplateStringsArray | string): string {
  if (typeof text === 'string') return summarize(text)
  const cached = summaries.get(text)
  if (cached !== undefined) return cached
  const summary = summarize(text.join('?'))
  summaries.set(text, summary)
  return summary
}

/** `for update`, `for no key update` and `on conflict do update` do not name a table. */
const changePattern =
  /\b(insert(?= into)|(?<!\b(?:for|key|do)\s)update|delete(?= from))(?: into| from)?\s+([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?)/
/** `is distinct from` and `extract(epoch from now())` do not name a table either. */
const tablePattern = /(?<!\bdistinct\s)\bfrom\s+([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?)\b(?!\s*\()/
const functionPattern = /^select\s+([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?)\s*\(/

/** Returns what a statement does and to which table or with which function, such as `update trades`. */
export function summarize(text: string): string {
  const statement = text.trim()
  const change = changePattern.exec(statement)
  if (change) return `${change[1]} ${change[2]}`
  const [operation = ''] = /^[a-z]+/.exec(statement) ?? []
  const object = (tablePattern.exec(statement) ?? functionPattern.exec(statement))?.[1]
  return [operation === 'with' ? 'select' : operation, object].filter(Boolean).join(' ')
}
