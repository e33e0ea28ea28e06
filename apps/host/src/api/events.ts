import { second } from '@souk/contract'
import { asProblem } from '@souk/web'
import { getCurrentScope, onScopeDispose, watch } from 'vue'
import { clockOffset } from '../clock.ts'
import { openEvents } from './client.ts'
import { readEventStream } from './eventStream.ts'
import { user } from './session.ts'

/** Events of a user: a new notification or answer, an activity message or trade that was created or changed. */
export type EventName = 'notification' | 'activity' | 'trade' | 'feedback'

/**
 * Called with the id of the changed object, or with undefined after a (re)connection of this page or of its server,
 * since events may have been missed.
 */
export type Listener = (id: string | undefined) => void

/** Reconnect after this much silence; the server sends a keep-alive every 15 s. */
const silenceTimeout = 40 * second
/** Reconnection delays, ms. */
const retryDelay = { first: 500, max: 30 * second }

const listeners: Record<EventName, Set<Listener>> = {
  notification: new Set(),
  activity: new Set(),
  trade: new Set(),
  feedback: new Set(),
}
const connectedListeners = new Set<() => void>()

/** Subscribes to an event of the signed-in user until the returned function is called or the component is unmounted. */
export function onServerEvent(name: EventName, listener: Listener): () => void {
  return subscribe(listeners[name], listener)
}

/** Subscribes to (re)connections, after which failed reads can be retried. Ends like `onServerEvent`. */
export function onConnected(listener: () => void): () => void {
  return subscribe(connectedListeners, listener)
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  const stop = () => void listeners.delete(listener)
  if (getCurrentScope()) onScopeDispose(stop)
  return stop
}

/** Keeps the event stream open while a user is signed in. Called once, by App.vue. */
export function startEventStream(): void {
  let connection: AbortController | undefined
  watch(
    () => user.value?.uid,
    (uid) => {
      connection?.abort()
      connection = undefined
      if (uid === undefined) return
      connection = new AbortController()
      void stayConnected(connection.signal)
    },
    { immediate: true },
  )
}

async function stayConnected(signal: AbortSignal): Promise<void> {
  let delay = retryDelay.first
  while (!signal.aborted) {
    try {
      await listen(signal, () => {
        delay = retryDelay.first
      })
    } catch (error) {
      // The session has ended; the client has already reported it.
      if (asProblem(error).status === 401) return
    }
    await waitToReconnect(delay * (0.5 + Math.random() / 2), signal)
    delay = Math.min(delay * 2, retryDelay.max)
  }
}

/** Dispatches events until the connection ends. */
async function listen(until: AbortSignal, connected: () => void): Promise<void> {
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
    const stream = await openEvents(signal)
    connected()
    announceGap()
    for await (const { event, data } of readEventStream(stream, alive)) {
      const { id, now } = JSON.parse(data) as { id?: string; now?: number }
      if (event === 'resync') announceGap()
      else if (event === 'clock' && now !== undefined) clockOffset.value = now - Date.now()
      else if (event !== undefined && Object.hasOwn(listeners, event))
        for (const listener of listeners[event as EventName]) listener(id)
    }
  } finally {
    clearTimeout(silence)
    disconnect()
  }
}

/** Makes all listeners read again, because events may have been missed. */
function announceGap(): void {
  for (const all of Object.values(listeners)) for (const listener of all) listener(undefined)
  for (const listener of connectedListeners) listener()
}

/** Waits for the delay, or until the network is back or the page becomes visible again. */
function waitToReconnect(delay: number, signal: AbortSignal): Promise<void> {
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
