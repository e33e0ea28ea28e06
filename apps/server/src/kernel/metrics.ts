import { second } from '@souk/contract'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/**
 * Interval of the timer that measures the lag of the event loop, in ms. prom-client's 10 ms would use 1 % of a core
 * while the server is idle. Its metrics include the interval, which deploy/monitoring subtracts.
 */
const lagInterval = second

/** Creates the metrics of this server process for `/metrics`. Labels name operations, never appids, users or trades. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagInterval })
  const registers = [registry]
  const metrics = {
    registry,
    requests: new Counter({
      name: 'souk_requests_total',
      help: 'Requests by surface, operation and HTTP status',
      labelNames: ['surface', 'operation', 'status'],
      registers,
    }),
    duration: new Histogram({
      name: 'souk_request_duration_seconds',
      help: 'Time from receiving the whole request to handing over the response',
      labelNames: ['surface', 'operation'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
    callbackAttempts: new Counter({
      name: 'souk_callback_attempts_total',
      help: 'Attempts to deliver a payment result callback, by whether it was acknowledged',
      labelNames: ['acknowledged'],
      registers,
    }),
    eventAttempts: new Counter({
      name: 'souk_event_attempts_total',
      help: 'Attempts to deliver an event to an endpoint, by whether it was acknowledged',
      labelNames: ['acknowledged'],
      registers,
    }),
    deadDeliveries: new Counter({
      name: 'souk_given_up_deliveries_total',
      help: 'Callbacks and events whose last scheduled attempt failed',
      labelNames: ['queue'],
      registers,
    }),
    jobs: new Counter({
      name: 'souk_jobs_total',
      help: 'Background jobs that ran, by name and whether they succeeded',
      labelNames: ['name', 'succeeded'],
      registers,
    }),
    requestLogDropped: new Counter({
      name: 'souk_request_log_dropped_total',
      help: 'Requests missing in the request log because the database fell behind',
      registers,
    }),
    outgoingRequests: new Counter({
      name: 'souk_outgoing_requests_total',
      help: 'Requests to other systems, by purpose, and by class of the HTTP status or error',
      labelNames: ['purpose', 'outcome'],
      registers,
    }),
    outgoingDuration: new Histogram({
      name: 'souk_outgoing_request_duration_seconds',
      help: 'Time from a request to another system to its response or error',
      labelNames: ['purpose'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
      registers,
    }),
    telemetryFailures: new Counter({
      name: 'souk_telemetry_failures_total',
      help: 'Failed exports of traces and metrics by OpenTelemetry',
      registers,
    }),
  }
  // An alert sees an increase only of a series that exists before.
  for (const queue of ['callback', 'event']) metrics.deadDeliveries.inc({ queue }, 0)
  return metrics
}

export type Metrics = ReturnType<typeof createMetrics>
