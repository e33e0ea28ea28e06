import { midButton } from '../stack/app.ts'
import { EventChannel, type Listener } from '../stack/eventChannel.ts'

/** Events of the whole app. */
const events = new EventChannel()

export const $on = (name: string, listener: Listener): void => events.on(name, listener)
export const $once = (name: string, listener: Listener): void => events.once(name, listener)
/** Removes a listener; without `listener` all listeners of the name, without `name` all listeners. */
export const $off = (name?: string, listener?: Listener): void => events.off(name, listener)
export const $emit = (name: string, ...args: unknown[]): void => events.emit(name, ...args)

/** Adds a listener for the middle button of the tab bar, which has no page (pages-json §2.7). */
export function onTabBarMidButtonTap(listener: () => void): void {
  midButton.on('tap', listener)
}

export function offTabBarMidButtonTap(listener?: () => void): void {
  midButton.off('tap', listener)
}
