import { Worker } from 'node:worker_threads'
import { second } from '@souk/contract'

/** Interval of the checks of the CPU time. */
const checkInterval = second / 4

/** The limits of a thread. Buffers are outside its heap. */
export interface ThreadLimits {
  /** MB */
  heap: number
  /** ms */
  cpuTime: number
  /** Ends the thread when nobody waits for its result any longer. */
  signal?: AbortSignal | undefined
}

/** A thread exceeded its CPU time or its heap. */
export class ThreadLimitError extends Error {
  readonly exceeded: 'heap' | 'cpuTime'
  constructor(exceeded: 'heap' | 'cpuTime') {
    super(`A thread exceeded its limit of ${exceeded}.`)
    this.exceeded = exceeded
  }
}

/**
 * Runs a script with foreign input in a separate thread, so that no input delays requests. Returns its first message.
 * @throws ThreadLimitError, the reason of `signal`
 */
export async function runBounded<T>(
  script: URL,
  workerData: unknown,
  { heap, cpuTime, signal }: ThreadLimits,
): Promise<T> {
  signal?.throwIfAborted()
  const resourceLimits = { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: heap / 4 }
  const worker = new Worker(script, { workerData, resourceLimits })
  let check: NodeJS.Timeout | undefined
  const { promise: aborted, reject: abort } = Promise.withResolvers<never>()
  const onAbort = () => abort(signal!.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    const result = new Promise<T>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', (error: Error & { code?: string }) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadLimitError('heap') : error),
      )
      worker.once('exit', (code) => reject(new Error(`A thread ended with ${code} and without a result.`)))
      const tooSlow = new ThreadLimitError('cpuTime')
      check = setInterval(async () => (await cpuTimeOf(worker)) > cpuTime && reject(tooSlow), checkInterval)
    })
    return await Promise.race([result, aborted])
  } finally {
    clearInterval(check)
    signal?.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}

/**
 * Returns the CPU time of a thread in ms, or 0 if it has ended. Node before 22.19 and 24.6 has only the time in which
 * the thread was not idle.
 */
async function cpuTimeOf(worker: Worker): Promise<number> {
  if (!('cpuUsage' in worker)) return (worker as Worker).performance.eventLoopUtilization().active
  const used = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
  return (used.user + used.system) / 1000
}
