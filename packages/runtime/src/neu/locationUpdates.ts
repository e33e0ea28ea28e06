import { second } from '@souk/contract/time'
import { callListeners } from '../page/callListeners.ts'
import { getLocation } from './places.ts'
import type { Position } from './table/device.ts'

type Failure = { errMsg: string }

const listeners = new Set<(position: Position) => void>()
const failureListeners = new Set<(failure: Failure) => void>()

/** Time between two positions in ms. */
const interval = 2 * second
/** The run that is on. */
let current: object | undefined

/** Fails if the position cannot be read. The host asks the user at the first reading. */
export async function startLocationUpdate(): Promise<void> {
  const run = {}
  current = run
  try {
    notify(run, await getLocation({ isHighAccuracy: true }))
  } catch (error) {
    if (current === run) current = undefined
    throw error
  }
  void repeat(run)
}

async function repeat(run: object): Promise<void> {
  while (current === run) {
    await new Promise((resolve) => setTimeout(resolve, interval))
    if (current !== run) return
    try {
      notify(run, await getLocation({ isHighAccuracy: true }))
    } catch (error) {
      const { errMsg, message } = error as Partial<Failure & Error>
      const failure = { errMsg: errMsg ?? `onLocationChangeError:fail ${message}` }
      callListeners(failureListeners, failure)
    }
  }
}

function notify(run: object, position: Position): void {
  if (current !== run) return
  callListeners(listeners, position)
}

export async function stopLocationUpdate(): Promise<void> {
  current = undefined
}

export const onLocationChange = (listener: (position: Position) => void): void => void listeners.add(listener)
export const onLocationChangeError = (listener: (failure: Failure) => void): void => void failureListeners.add(listener)

export const offLocationChange = (listener?: (position: Position) => void): void => remove(listeners, listener)
export const offLocationChangeError = (listener?: (failure: Failure) => void): void =>
  remove(failureListeners, listener)

function remove<L>(from: Set<L>, listener?: L): void {
  if (listener) from.delete(listener)
  else from.clear()
}
