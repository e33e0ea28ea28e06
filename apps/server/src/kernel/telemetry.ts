import { setTimeout as wait } from 'node:timers/promises'
import { context, propagation } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { hour, minute, second } from '@souk/contract'
import type { Logger } from './log.ts'
import { metricProducer } from './metricProducer.ts'
import type { Metrics } from './metrics.ts'
import { userAgentOf } from './package.ts'
import { setTracer } from './tracing.ts'

export interface TelemetryOptions {
  /** URL of the collector, to which `/v1/traces` and `/v1/metrics` are added. */
  endpoint: string
  /** Public URL of the installation, which the `User-Agent` names. */
  publicUrl?: string
  /** Fraction of the traces to export, unless the caller of a request has decided. */
  sampling: number
  log: Logger
  metrics: Metrics
}

/** Timeout of an export, and interval of the exports of metrics. */
const exportTimeout = 10 * second
const metricInterval = minute
/** Further spans are dropped while the collector does not keep up. */
const maxQueuedSpans = 2048
/** Timeout of the last exports, at shutdown. */
const stopTimeout = 2 * second

/**
 * Exports traces, and the metrics of the registry, to a collector by OTLP over HTTP with protobuf. The SDK reads its
 * other standard variables itself, such as OTEL_EXPORTER_OTLP_HEADERS and OTEL_SERVICE_NAME. `main` loads this module
 * on demand, because it takes time and memory.
 */
export function startTelemetry({ endpoint, publicUrl, sampling, log, metrics }: TelemetryOptions): {
  stop(): Promise<void>
} {
  const base = endpoint.replace(/\/$/, '')
  // The exporter adds its own name after `userAgent`.
  const exporterTo = (path: string) => ({
    url: `${base}${path}`,
    timeoutMillis: exportTimeout,
    userAgent: userAgentOf(publicUrl),
    headers: { accept: 'application/x-protobuf' },
  })
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'souk' }))
    .merge(detectResources({ detectors: [envDetector] }))
  reportFailures(log, metrics)

  const traces = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampling) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(exporterTo('/v1/traces')),
        maxQueueSize: maxQueuedSpans,
        exportTimeoutMillis: exportTimeout,
      }),
    ],
  })
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(exporterTo('/v1/metrics')),
    exportIntervalMillis: metricInterval,
    exportTimeoutMillis: exportTimeout,
    metricProducers: [metricProducer(metrics.registry)],
  })
  const meters = new MeterProvider({ resource, readers: [reader] })

  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  setTracer(traces.getTracer('souk'))

  return {
    async stop() {
      setTracer(undefined)
      const ended = Promise.allSettled([traces.shutdown(), meters.shutdown()])
      await Promise.race([ended, wait(stopTimeout, undefined, { ref: false })])
      context.disable()
      propagation.disable()
    },
  }
}

/** Counts failed exports, and logs one an hour. */
function reportFailures(log: Logger, metrics: Metrics): void {
  let silentUntil = Number.NEGATIVE_INFINITY
  setGlobalErrorHandler((error) => {
    metrics.telemetryFailures.inc()
    if (performance.now() < silentUntil) return
    silentUntil = performance.now() + hour
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason }, 'traces or metrics could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT')
  })
}
