import { minute } from '@souk/contract/time'
import type { NetworkTimeout } from '@souk/pages'

let written: NetworkTimeout = {}

/** Sets the default timeouts of the app. */
export function setTimeouts(timeouts: NetworkTimeout): void {
  written = timeouts
}

/** Returns the timeout of a call without one, in ms. */
export const defaultTimeout = (name: keyof NetworkTimeout): number => written[name] ?? minute
