import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import decoder from 'otlp-decoder/build/src/generated/root.js'

/** A span as it was received. Ids are hexadecimal; `parent` is empty for the first span of a trace. */
export interface ReceivedSpan {
  trace: string
  id: string
  parent: string
  name: string
  kind: string
  attributes: Record<string, unknown>
}

/** A metric as it was received, with the values of each combination of attributes. */
interface ReceivedMetric {
  name: string
  description: string
  points: {
    attributes: Record<string, unknown>
    value?: number
    count?: number
    sum?: number
    bounds?: number[]
    buckets?: number[]
  }[]
}

/** A collector of OpenTelemetry data, which decodes it with the messages of OpenTelemetry's own package. */
export interface Collector {
  url: string
  spans: ReceivedSpan[]
  /** The last value of each metric. */
  metrics: Map<string, ReceivedMetric>
  /** Attributes of the process that sent the data. */
  resource: Record<string, unknown>
  /** All data as JSON, to search it. */
  received: string[]
  headers: IncomingHttpHeaders[]
  /** Answers requests; the test replaces it to simulate failures. */
  answer: (response: ServerResponse) => void
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: generated without types; a wrong access fails the test.
type Message = any

const { trace, metrics } = (decoder as Message).opentelemetry.proto.collector
const messages = {
  '/v1/traces': trace.v1.ExportTraceServiceRequest,
  '/v1/metrics': metrics.v1.ExportMetricsServiceRequest,
}

export async function startCollector(): Promise<Collector> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    collector.headers.push(request.headers)
    const message = messages[request.url as keyof typeof messages]
    const decoded = message.toObject(message.decode(Buffer.concat(chunks)), { longs: Number, enums: String })
    collector.received.push(JSON.stringify(decoded))
    for (const { resource, scopeSpans } of decoded.resourceSpans ?? []) {
      collector.resource = attributesOf(resource)
      for (const { spans } of scopeSpans) collector.spans.push(...spans.map(toSpan))
    }
    for (const { resource, scopeMetrics } of decoded.resourceMetrics ?? []) {
      collector.resource = attributesOf(resource)
      for (const each of scopeMetrics.flatMap((scope: Message) => scope.metrics)) {
        const metric = toMetric(each)
        collector.metrics.set(metric.name, metric)
      }
    }
    collector.answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    metrics: new Map(),
    resource: {},
    received: [],
    headers: [],
    answer: (response) => response.end(),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return collector
}

function toSpan({ traceId, spanId, parentSpanId, name, kind, ...rest }: Message): ReceivedSpan {
  const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex')
  const ids = { trace: hex(traceId), id: hex(spanId), parent: hex(parentSpanId) }
  return { ...ids, name, kind: kind.replace('SPAN_KIND_', ''), attributes: attributesOf(rest) }
}

function toMetric({ name, description, sum, gauge, histogram }: Message): ReceivedMetric {
  const points = (sum ?? gauge ?? histogram).dataPoints.map((point: Message) => ({
    attributes: attributesOf(point),
    value: point.asDouble ?? point.asInt,
    count: point.count,
    sum: point.sum,
    bounds: point.explicitBounds,
    buckets: point.bucketCounts,
  }))
  return { name, description, points }
}

function attributesOf({ attributes = [] }: Message): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }: Message) => [key, Object.values(value)[0]]))
}
