import { ConfigError } from './projectConfig.ts'

/** Processor time per second, in µs, below which a process is idle. The timer below uses about 1,000. */
const idleTime = 10_000

/**
 * Returns the result of a build, and rejects when nothing is left that could end it. A plug-in's promise that is never
 * settled would keep the bundler's threads waiting, and the process with them.
 *
 * @param file the project's vite.config, if it has one
 * @param seconds time without work after which a build has stalled
 * @throws ConfigError
 */
export async function unlessStalled<T>(build: Promise<T>, file: string | undefined, seconds = 60): Promise<T> {
  let watching: NodeJS.Timeout | undefined
  const stalled = new Promise<never>((_, reject) => {
    let idleSeconds = 0
    let before = process.cpuUsage()
    watching = setInterval(() => {
      const now = process.cpuUsage()
      const used = now.user + now.system - before.user - before.system
      before = now
      idleSeconds = used < idleTime && !hasWork() ? idleSeconds + 1 : 0
      if (idleSeconds >= seconds) reject(new ConfigError(describe(file)))
    }, 1000)
  })
  try {
    return await Promise.race([build, stalled])
  } finally {
    clearInterval(watching)
  }
}

/** Checks for timers, requests, files and processes, besides the timer above and the standard streams. */
const hasWork = (): boolean =>
  process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap' && name !== 'TTYWrap').length > 1

const describe = (file: string | undefined): string =>
  file === undefined
    ? 'The build has stopped: it waits for a promise, and nothing is left that could settle it.'
    : `The build has stopped: it waits for a promise of ${file} or of one of its plug-ins, and nothing is left that could settle it. Remove one plug-in after the other to find out which.`
