/** The part of `fetch` that the client uses; the global of Node, Bun, Deno and workers has this shape. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>

export interface FetchInit {
  method: string
  headers: Record<string, string>
  body?: string | FormData
  redirect: 'manual'
  signal: AbortSignal
}

export interface FetchAnswer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
  /** What exports are streamed from. */
  readonly body?: ReadableStream<Uint8Array> | null
}

/** Time as the client sees it; tests bring their own. */
export interface Clock {
  /** Unix time in ms. */
  now(): number
  /** Resolves after `ms`; rejects with the signal's reason when that is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}
