import { getCurrentScope, onScopeDispose, watch } from 'vue'
import { clockOffset } from '../clock.ts'
import { openEvents } from './client.ts'
import { user } from './session.ts'
import { stayConnected } from './stayConnected.ts'

/** Events of a user: a new notification, answer or card, an activity message or trade that was created or changed. */
export type EventName = 'notification' | 'activity' | 'trade' | 'feedback' | 'card'

/**
 * Called with the id of the changed object, or with undefined after a (re)connection of this page or of its server,
 * since events may have been missed.
 */
export type Listener = (id: string | undefined) => void

const listeners: Record<EventName, Set<Listener>> = {
  notification: new Set(),
  activity: new Set(),
  trade: new Set(),
  feedback: new Set(),
  card: new Set(),
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
    // Also another session of the same user: the stream of the previous one ends with it.
    user,
    (now) => {
      connection?.abort()
      connection = undefined
      if (!now) return
      connection = new AbortController()
      void follow(connection.signal)
    },
    { immediate: true },
  )
}

function follow(signal: AbortSignal): Promise<void> {
  return stayConnected({
    signal,
    open: openEvents,
    onOpen: announceGap,
    onEvent(event, data) {
      const { id, now } = JSON.parse(data) as { id?: string; now?: number }
      if (event === 'resync') announceGap()
      else if (event === 'clock' && now !== undefined) clockOffset.value = now - Date.now()
      else if (Object.hasOwn(listeners, event)) for (const listener of listeners[event as EventName]) listener(id)
    },
  })
}

/** Makes all listeners read again, because events may have been missed. */
function announceGap(): void {
  for (const all of Object.values(listeners)) for (const listener of all) listener(undefined)
  for (const listener of connectedListeners) listener()
}
