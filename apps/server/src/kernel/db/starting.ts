/** The database cannot be made available. The message is a sentence for the operator. */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError'
}

/** Another live server runs on this directory. */
export class DirectoryInUseError extends DatabaseStartError {
  override name = 'DirectoryInUseError'
}

/** Waits for `work` no longer than until the signal, and then rejects with its reason. What `work` does is not ended by that. */
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
