import { version } from './version.generated.ts'

/** The part of `fetch` that the client uses, as in Node, Bun, Deno and workers. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>

/** The settings that the client passes to `fetch`. */
export interface FetchInit {
  /** HTTP method. */
  method: string
  /** Headers by their names. */
  headers: Record<string, string>
  /** A form, JSON, or a multipart body. */
  body?: string | Uint8Array<ArrayBuffer>
  /** Redirects are not followed. */
  redirect: 'manual'
  /** Ends the request. */
  signal: AbortSignal
}

/** The part of the response of `fetch` that the client uses. */
export interface FetchResponse {
  /** HTTP status. */
  readonly status: number
  /** Headers by their names, in any case. */
  readonly headers: { get(name: string): string | null }
  /** Resolves to the whole body. */
  text(): Promise<string>
  /** The body stream, used by exports. */
  readonly body?: ByteStream | null
}

/** The part of a `ReadableStream` that the client uses, whose type differs between libraries. */
export interface ByteStream {
  /** Returns the only reader of the stream. */
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>
    cancel(reason?: unknown): Promise<void>
  }
}

/** The header User-Agent, which the request log shows: `souk-typescript/<version> (<runtime>)`. */
export const userAgent = `souk-typescript/${version} (${runtimeName()})`

function runtimeName(): string {
  const { navigator, process } = globalThis as {
    navigator?: { userAgent?: string }
    process?: { version?: string }
  }
  // Node has no navigator before 21.
  const name = navigator?.userAgent ?? (process?.version ? `Node.js/${process.version.slice(1)}` : 'unknown')
  return name.replace(/[^ !-'*-~]/g, '')
}

/** The clock of the client, replaceable in tests. */
export interface Clock {
  /** Unix time in ms. */
  now(): number
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted. */
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
