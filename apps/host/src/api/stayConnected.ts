import { second } from '@souk/contract'
import { asProblem } from '@souk/web'
import { readEventStream } from './eventStream.ts'

/** Reconnect after this much silence; the server sends a keep-alive every 15 s. */
const silenceTimeout = 40 * second
/** Reconnection delays, ms. */
const retryDelay = { first: 500, max: 30 * second }

interface Connection {
  /** Ends the connection. */
  signal: AbortSignal
  open(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
  /** Called after each (re)connection. */
  onOpen(): void
  onEvent(event: string, data: string): void
  /** Called when a connection has ended, before the next attempt. */
  onClose?(): void
}

/** Keeps a stream of server-sent events open until it is aborted, or the session of the user has ended. */
export async function stayConnected(connection: Connection): Promise<void> {
  const { signal, onClose } = connection
  let delay = retryDelay.first
  while (!signal.aborted) {
    try {
      await listen(connection, () => {
        delay = retryDelay.first
      })
    } catch (error) {
      // The session has ended; the client has already reported it.
      if (asProblem(error).status === 401) return
    }
    if (signal.aborted) return
    onClose?.()
    await waitToReconnect(delay * (0.5 + Math.random() / 2), signal)
    delay = Math.min(delay * 2, retryDelay.max)
  }
}

/** Passes events on until the connection ends. */
async function listen({ signal: until, open, onOpen, onEvent }: Connection, connected: () => void): Promise<void> {
  const attempt = new AbortController()
  const disconnect = () => attempt.abort()
  const signal = AbortSignal.any([until, attempt.signal])
  let silence: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    clearTimeout(silence)
    silence = setTimeout(disconnect, silenceTimeout)
  }
  alive()
  // After a network outage a connection can be dead without an error.
  addEventListener('online', disconnect, { signal })
  try {
    const stream = await open(signal)
    connected()
    onOpen()
    for await (const { event, data } of readEventStream(stream, alive)) if (event !== undefined) onEvent(event, data)
  } finally {
    clearTimeout(silence)
    disconnect()
  }
}

/** Waits for the delay, or until the network is back or the page becomes visible again. */
export function waitToReconnect(delay: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController()
    const done = () => {
      clearTimeout(timer)
      over.abort()
      resolve()
    }
    const timer = setTimeout(done, delay)
    signal.addEventListener('abort', done, { signal: over.signal })
    addEventListener('online', done, { signal: over.signal })
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && done(), {
      signal: over.signal,
    })
  })
}
