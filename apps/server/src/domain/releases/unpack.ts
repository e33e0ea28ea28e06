import { Worker } from 'node:worker_threads'
import { maxReleaseFiles, maxReleaseSize, SoukError, second } from '@souk/contract'
import type { ArchiveLimits, Build } from './readArchive.ts'

const limits: ArchiveLimits = { files: maxReleaseFiles, size: maxReleaseSize }
/** Maximum CPU time for one archive, several times what the largest release takes. */
const maxCpuTime = 30 * second
/** Interval of the checks of the CPU time. */
const checkInterval = second / 4
/** Maximum heap of the thread in MB. The contents of files are outside it; `limits` bound them. */
const maxHeap = 64

/** The result of the thread: the build, or the reason why the archive was rejected. */
type Result = { build: Build } | { reason: string; cause: string }

/**
 * Unpacks a .tar.gz in a thread of its own, so that no archive delays requests.
 *
 * @param script replaces the code of the thread, for tests
 * @throws SoukError `release_refused`, also if the thread exceeds its CPU time (ms) or its heap
 */
export async function unpack(
  archive: Uint8Array,
  { script = new URL('./unpack.worker.ts', import.meta.url), cpuTime = maxCpuTime } = {},
): Promise<Build> {
  const resourceLimits = { maxOldGenerationSizeMb: maxHeap, maxYoungGenerationSizeMb: maxHeap / 4 }
  const worker = new Worker(script, { workerData: { archive, limits }, resourceLimits })
  let check: NodeJS.Timeout | undefined
  try {
    const result = await new Promise<Result>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', (error) => reject(explain(error)))
      worker.once('exit', (code) => reject(new Error(`The thread that unpacks archives ended with ${code}.`)))
      const tooSlow = releaseRefused(`Unpacking it takes more than ${cpuTime / second} s of CPU time.`)
      check = setInterval(async () => (await cpuTimeOf(worker)) > cpuTime && reject(tooSlow), checkInterval)
    })
    if ('reason' in result) throw releaseRefused(result.reason, result.cause)
    return result.build
  } finally {
    clearInterval(check)
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

function explain(error: Error & { code?: string }): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  return releaseRefused(`Unpacking it takes more than ${maxHeap} MB of memory, besides its files.`)
}

export function releaseRefused(reason: string, internal?: string): SoukError {
  return new SoukError('release_refused', reason, internal ? { internal } : {})
}
