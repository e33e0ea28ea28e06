import { minute } from '@souk/contract'
import { pino } from 'pino'
import { createMetrics } from '../kernel/metrics.ts'
import { startWorker } from './index.ts'

// A worker that worker.test.ts starts as a process and kills during a job.
await startWorker({
  url: process.argv[2] ?? '',
  handlers: {
    async hang() {
      process.stdout.write('started\n')
      await new Promise((resolve) => setTimeout(resolve, minute))
    },
  },
  recurring: [],
  concurrency: 2,
  log: pino({ level: 'silent' }),
  metrics: createMetrics(),
  times: { heartbeat: 50 },
})
