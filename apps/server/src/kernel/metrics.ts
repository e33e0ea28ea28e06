import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Creates the metrics of this server process for `/metrics`. Labels name operations, never appids, users or trades. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
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
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    callbackAttempts: new Counter({
      name: 'souk_callback_attempts_total',
      help: 'Attempts to deliver a payment result callback, by whether it was acknowledged',
      labelNames: ['acknowledged'],
      registers,
    }),
    jobs: new Counter({
      name: 'souk_jobs_total',
      help: 'Background jobs that ran, by name and whether they succeeded',
      labelNames: ['job', 'succeeded'],
      registers,
    }),
    requestLogDropped: new Counter({
      name: 'souk_request_log_dropped_total',
      help: 'Requests missing in the request log because the database fell behind',
      registers,
    }),
    databaseUp: new Gauge({
      name: 'souk_database_up',
      help: 'Whether the last database check succeeded',
      registers,
    }),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
