import { asProblem } from '@souk/web'
import { getCurrentScope, onScopeDispose, watch } from 'vue'
import { clockOffset } from '../clock.ts'
import { openEvents } from './client.ts'
import { readEventStream } from './eventStream.ts'
import { user } from './session.ts'

/** What can happen to a user: a notification, an activity message that comes, changes or goes, a trade that goes on. */
export type News = 'notification' | 'activity' | 'trade'

/** Called with the id of what has changed; with undefined after a connection was made, before which something may have been missed. */
export type Listener = (id: string | undefined) => void

/** Without a sign of life for so long the connection counts as lost; the server gives one every 15 s. Ms. */
const longestSilence = 40_000
/** Waiting times between attempts, ms. */
const retry = { first: 500, longest: 30_000 }

const listeners: Record<News, Set<Listener>> = { notification: new Set(), activity: new Set(), trade: new Set() }
const connectedListeners = new Set<() => void>()

/** Hears of what happens to the signed-in user, live; until `stop`, or until the component that asked is gone. */
export function onNews(news: News, listener: Listener): () => void {
  return added(listeners[news], listener)
}

/** Called after each connection was made: what could not be read before can be read now. Ends as `onNews` does. */
export function onConnected(listener: () => void): () => void {
  return added(connectedListeners, listener)
}

function added<T>(all: Set<T>, one: T): () => void {
  all.add(one)
  const stop = () => void all.delete(one)
  if (getCurrentScope()) onScopeDispose(stop)
  return stop
}

/** Keeps the connection for as long as somebody is signed in; called once, by the app. */
export function followEvents(): void {
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
  let delay = retry.first
  while (!signal.aborted) {
    try {
      await listen(signal, () => {
        delay = retry.first
      })
    } catch (error) {
      // The session has ended, which the client has told already.
      if (asProblem(error).status === 401) return
    }
    await chanceToConnect(delay * (0.5 + Math.random() / 2), signal)
    delay = Math.min(delay * 2, retry.longest)
  }
}

/** Hands on what comes, until the connection ends. */
async function listen(until: AbortSignal, connected: () => void): Promise<void> {
  const attempt = new AbortController()
  const giveUp = () => attempt.abort()
  const signal = AbortSignal.any([until, attempt.signal])
  let silence: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    clearTimeout(silence)
    silence = setTimeout(giveUp, longestSilence)
  }
  alive()
  // Through a network that was away a connection may be dead without a word.
  addEventListener('online', giveUp, { signal })
  try {
    const stream = await openEvents(signal)
    connected()
    for (const news of Object.values(listeners)) for (const listener of news) listener(undefined)
    for (const listener of connectedListeners) listener()
    for await (const { event, data } of readEventStream(stream, alive)) {
      const { id, now } = JSON.parse(data) as { id?: string; now?: number }
      if (event === 'clock' && now !== undefined) clockOffset.value = now - Date.now()
      else if (event !== undefined && Object.hasOwn(listeners, event))
        for (const listener of listeners[event as News]) listener(id)
    }
  } finally {
    clearTimeout(silence)
    giveUp()
  }
}

/** Waits; not after the network has come back, or somebody looks at the page again. */
function chanceToConnect(delay: number, signal: AbortSignal): Promise<void> {
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
