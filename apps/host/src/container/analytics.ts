import { analyticsLimits, type hostOperations, type ParametersOf, second } from '@souk/contract'
import { reportEvents } from '../api/client.ts'
import { user } from '../api/session.ts'

type Event = ParametersOf<(typeof hostOperations)['recordEvents']>['events'][number]

/** Time in which events are collected before they are sent, ms. */
const sendDelay = 10 * second
/** Maximum number of events of one opening, so that a mini app cannot flood the network. */
const maxEvents = 500
/** Maximum size of a report in characters. Browsers send 64 KiB after a page was closed. */
const maxReport = 40_000

/** Collects the events of an open mini app until they are sent to the server. */
export interface Analytics {
  /** Id of the opening. */
  readonly opening: string
  record(event: Omit<Event, 'age'>): void
  /** Sends what was collected, and stops. */
  close(): void
}

/** Collects what happens in a release of a mini app, and reports it after some seconds or when the page is left. */
export function createAnalytics(appid: string, releaseId: string): Analytics {
  const uid = user.value?.uid
  let waiting: { event: Omit<Event, 'age'>; time: number }[] = []
  let count = 0
  const id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  let place = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function send(): void {
    clearTimeout(timer)
    timer = undefined
    const now = performance.now()
    const events = waiting.map(({ event, time }) => {
      return { ...event, age: Math.min(Math.round(now - time), analyticsLimits.delay) }
    })
    waiting = []
    // They would be counted for the user who has signed in since.
    if (user.value?.uid !== uid) return
    while (events.length > 0) {
      const report = [events.shift()!]
      let size = JSON.stringify(report).length
      while (events[0] && report.length < analyticsLimits.batch) {
        size += JSON.stringify(events[0]).length
        if (size > maxReport) break
        report.push(events.shift()!)
      }
      reportEvents({ appid, releaseId, opening: { id, place }, events: report })
      place += report.length
    }
  }
  const sendIfHidden = () => document.visibilityState === 'hidden' && send()
  document.addEventListener('visibilitychange', sendIfHidden)
  addEventListener('pagehide', send)

  return {
    opening: id,
    record(event) {
      if (++count > maxEvents) return
      waiting.push({ event, time: performance.now() })
      timer ??= setTimeout(send, sendDelay)
    },
    close() {
      document.removeEventListener('visibilitychange', sendIfHidden)
      removeEventListener('pagehide', send)
      send()
    },
  }
}
