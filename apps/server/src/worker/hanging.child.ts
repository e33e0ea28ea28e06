import { pino } from 'pino'
import { createMetrics } from '../kernel/metrics.ts'
import { startWorker } from './index.ts'

// A server that is killed in the middle of a job: the test beside starts it as a process of its own.
await startWorker({
  url: process.argv[2] ?? '',
  handlers: {
    async hang() {
      process.stdout.write('at it\n')
      await new Promise((resolve) => setTimeout(resolve, 60_000))
    },
  },
  recurring: [],
  concurrency: 2,
  log: pino({ level: 'silent' }),
  metrics: createMetrics(),
  times: { beat: 50 },
})
