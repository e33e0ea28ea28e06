import { analyticsLimits, type BridgeMethods } from '@souk/contract/bridge'
import { currentCarrier } from './current.ts'

type Event = BridgeMethods['reportEvent']['params']

const nothing = { page: '', message: '', stack: '', method: '', address: '', status: 0 }

/** Reports an event to the host, for the analytics of the mini app. Does nothing if the host does not collect them. */
export function reportEvent(event: Pick<Event, 'kind'> & Partial<Event>): void {
  if (__SOUK_PLATFORM__ === 'H5') return
  const carrier = currentCarrier()
  if (!carrier.collectsEvents) return
  const { page, message, stack, address, ...rest } = { ...nothing, ...event }
  const short = (text: string) => text.slice(0, analyticsLimits.text)
  const params = { ...rest, page: short(page), message: short(message), address: short(address) }
  carrier.call('reportEvent', { ...params, stack: stack.slice(0, analyticsLimits.stack) }).catch(() => {})
}

/**
 * Reports a custom event with its fields as JSON. The host refuses those of another form, and the server those that are
 * not declared.
 */
export function reportCustomEvent(name: string, fields: string): void {
  if (__SOUK_PLATFORM__ === 'H5') return
  const carrier = currentCarrier()
  if (!carrier.collectsEvents) return
  carrier.call('reportCustomEvent', { name, fields }).catch(() => {})
}

/** Reports a value that was thrown. Without a stack there is nothing to find the cause by. */
export function reportThrown(thrown: unknown, page: string): void {
  if (thrown instanceof Error) reportEvent({ kind: 'error', page, message: String(thrown), stack: thrown.stack ?? '' })
}

/** Reports a request that failed; `status` is 0 without a response. */
export function reportRequest(method: string, url: string, status: number): void {
  if (__SOUK_PLATFORM__ === 'H5' || !URL.canParse(url)) return
  const { host, pathname } = new URL(url)
  reportEvent({ kind: 'request', method: method.toUpperCase().slice(0, 10), address: host + pathname, status })
}
