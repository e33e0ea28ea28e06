/** The database cannot be started or reached. The message is for the operator. */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError'
}

/** Another running server uses the directory. */
export class DirectoryInUseError extends DatabaseStartError {
  override name = 'DirectoryInUseError'
}

/** Awaits `work`, or rejects with the signal's reason if it is aborted first. `work` itself continues. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  const waiting = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { signal: waiting.signal })
    if (signal.aborted) onAbort()
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    waiting.abort()
  }
}
