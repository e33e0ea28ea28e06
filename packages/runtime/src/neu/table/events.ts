import type * as functions from '../events.ts'
import { event, inPage, type } from './entry.ts'

const ofApp = { ...inPage, module: 'start' } as const

/** Events of the whole app. */
export const events = {
  /**
   * Adds a listener to an event of the app, and returns a function that removes it.
   * @param name Name of the event.
   * @param listener Called with what is passed to `$emit`.
   * @returns A function that removes the listener.
   */
  $on: event({ ...ofApp, is: type<typeof functions.$on>() }),
  /**
   * Adds a listener that is called for the next event only.
   * @param name Name of the event.
   * @param listener Called with what is passed to `$emit`.
   * @returns A function that removes the listener.
   */
  $once: event({ ...ofApp, is: type<typeof functions.$once>() }),
  /**
   * Removes a listener; without `listener` all listeners of the name, without `name` all listeners.
   * @param name Name of the event, or several.
   * @param listener The listener to remove.
   */
  $off: event({ ...ofApp, is: type<typeof functions.$off>() }),
  /**
   * Calls the listeners of an event, in every page and component of the app.
   * @param name Name of the event.
   * @param args Passed to the listeners.
   */
  $emit: event({ ...ofApp, is: type<typeof functions.$emit>() }),
}
