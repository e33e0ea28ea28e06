// The baseline for callbacks: jobs of graphile-worker in its own process and schema of the same database. Each posts a
// form on a connection that stays open, and does nothing else: no signature, no log of deliveries, no fair shares.
import { Agent, request } from 'node:http'
import { Logger, makeWorkerUtils, run } from 'graphile-worker'

const [url = ''] = process.argv.slice(2)
const schema = 'bench_worker'
/** Souk's maximum for one receiver. */
const concurrency = 32

interface Payload {
  url: string
  form: string
}

const agent = new Agent({ keepAlive: true, maxSockets: concurrency })

function post({ url, form }: Payload): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(form) }
    request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error('not delivered'))))
    })
      .on('error', reject)
      .end(form)
  })
}

const options = { connectionString: url, schema, logger: new Logger(() => () => {}) }
await run({
  ...options,
  noHandleSignals: true,
  taskList: { post: (payload) => post(payload as Payload) },
  // The settings that deliver most: jobs are fetched and completed in batches.
  preset: {
    worker: {
      concurrentJobs: concurrency,
      localQueue: { size: concurrency * 4 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    },
  },
})

const { addJobs } = await makeWorkerUtils(options)

/** Makes jobs due, all in one transaction. */
process.on('message', async ({ count, payload }: { count: number; payload: Payload }) => {
  const jobs = Array.from({ length: count }, () => ({ identifier: 'post', payload }))
  await addJobs(jobs)
  process.send?.('queued')
})
process.send?.('ready')
