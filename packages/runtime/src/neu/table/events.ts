import type * as functions from '../events.ts'
import { event, inPage, type } from './entry.ts'

const ofApp = { ...inPage, module: 'start' } as const

/** Events of the whole app. */
export const events = {
  $on: event({ ...ofApp, is: type<typeof functions.$on>() }),
  $once: event({ ...ofApp, is: type<typeof functions.$once>() }),
  /** Removes a listener; without `listener` all listeners of the name, without `name` all listeners. */
  $off: event({ ...ofApp, is: type<typeof functions.$off>() }),
  $emit: event({ ...ofApp, is: type<typeof functions.$emit>() }),
}
