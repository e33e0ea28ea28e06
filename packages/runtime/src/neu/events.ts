import { midButton } from '../stack/app.ts'
import { EventChannel, type Listener } from '../stack/eventChannel.ts'

/** Events of the whole app. */
const events = new EventChannel()

/** Adds a listener. Returns a function that removes this registration, which `$off` also accepts as the listener. */
export const $on = (name: string, listener: Listener): (() => void) => events.on(name, listener)
export const $once = (name: string, listener: Listener): (() => void) => events.once(name, listener)

/**
 * Removes the latest registration of a listener, from one event or from several; without `listener` all listeners of
 * these events, without `name` all listeners.
 */
export function $off(name?: string | string[], listener?: Listener | null): void {
  if (!name) events.off()
  for (const each of [name ?? []].flat()) {
    if (listener) events.offLatest(each, listener)
    else events.off(each)
  }
}
export const $emit = (name: string, ...args: unknown[]): void => events.emit(name, ...args)

/** Adds a listener for the middle button of the tab bar, which has no page (pages-json §2.7). */
export function onTabBarMidButtonTap(listener: () => void): void {
  midButton.on('tap', listener)
}

export function offTabBarMidButtonTap(listener?: () => void): void {
  midButton.off('tap', listener)
}
