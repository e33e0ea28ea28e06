import { setTimeout as wait } from 'node:timers/promises'
import { second } from '@souk/contract'
import type { Config } from '../config.ts'
import type { FullContext } from '../domain/context.ts'
import { pauseDuringMoves } from '../domain/installation/index.ts'
import { startEventDelivery } from '../domain/messages/index.ts'
import { startCallbackDelivery, startSandboxDecisions } from '../domain/money/index.ts'
import type { Stoppable } from '../domain/operations/index.ts'
import { queuedJobs, recurringJobs } from '../jobs.ts'
import { startWorker } from '../worker/index.ts'

/** Time for deliveries to end when the server stops, ms. */
const drainTimeout = 10 * second

/** Starts everything that happens without a request: jobs and deliveries. */
export async function startWork(context: FullContext, config: Config, databaseUrl: string): Promise<Stoppable> {
  const jobs = await startJobs(context, config, databaseUrl)
  const stopDeliveries = await startDeliveries(context)
  return {
    async stop() {
      await Promise.all([jobs.stop(), stopDeliveries()])
    },
  }
}

function startJobs(context: FullContext, config: Config, databaseUrl: string) {
  const { log, metrics } = context
  return pauseDuringMoves(context, () =>
    startWorker({
      url: databaseUrl,
      log,
      metrics,
      concurrency: 64,
      handlers: queuedJobs(context),
      recurring: recurringJobs(context, {
        url: databaseUrl,
        folder: config.archiveFolder,
        retention: config.tradeRetention,
      }),
      // No other process uses the embedded database. Less often would delay jobs that a killed server has left.
      ...(config.databaseUrl === undefined && { times: { heartbeat: 10 * second } }),
    }),
  )
}

/** Starts the loops that deliver what is due. Returns a function that ends them. */
async function startDeliveries(context: FullContext): Promise<() => Promise<void>> {
  const ending = new AbortController()
  const own = { ...context, stopping: AbortSignal.any([context.stopping, ending.signal]) }
  const loops = await Promise.all([
    startCallbackDelivery(own),
    startEventDelivery(own),
    ...(context.settings.sandbox ? [startSandboxDecisions(own)] : []),
  ])
  return async () => {
    ending.abort()
    const ended = Promise.all(loops.map((end) => end()))
    // Deliveries that hang are repeated by others when their lease ends.
    await Promise.race([ended, wait(drainTimeout, undefined, { ref: false })])
  }
}
