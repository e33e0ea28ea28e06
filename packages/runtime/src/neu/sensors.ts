import type { BridgeMethods } from '@souk/contract/bridge'
import { second } from '@souk/contract/time'
import { currentCarrier } from '../carriers/current.ts'
import { callListeners } from '../page/callListeners.ts'

type Sensor = BridgeMethods['readSensor']['params']['sensor']
type SensorListener = (reading: BridgeMethods['readSensor']['result']) => void

/** Time between two readings in ms. */
const intervals: Record<string, number> = { game: 20, ui: 60, normal: 200 }

const listeners: Record<Sensor, Set<SensorListener>> = {
  accelerometer: new Set(),
  gyroscope: new Set(),
  compass: new Set(),
}
/** The run of each sensor that is on. */
const runs = new Map<Sensor, object>()

/** Turns a sensor on, or changes its interval. Fails if the device has none or the user refuses. */
async function startSensor(sensor: Sensor, interval = 'normal'): Promise<void> {
  const time = intervals[interval] ?? intervals.normal!
  const run = {}
  runs.set(sensor, run)
  try {
    const first = await currentCarrier().call('readSensor', { sensor, interval: 0 })
    notify(sensor, run, first)
  } catch (error) {
    if (runs.get(sensor) === run) runs.delete(sensor)
    throw error
  }
  void repeat(sensor, run, time)
}

async function repeat(sensor: Sensor, run: object, interval: number): Promise<void> {
  while (runs.get(sensor) === run) {
    try {
      notify(sensor, run, await currentCarrier().call('readSensor', { sensor, interval }))
    } catch {
      // The app may be in the background, or the device may be at rest.
      await new Promise((resolve) => setTimeout(resolve, second))
    }
  }
}

function notify(sensor: Sensor, run: object, reading: BridgeMethods['readSensor']['result']): void {
  if (runs.get(sensor) !== run) return
  callListeners(listeners[sensor], reading)
}

function stopSensor(sensor: Sensor): void {
  runs.delete(sensor)
}

/** Adds a listener, and turns the sensor on if it is off. */
function onSensor(sensor: Sensor, listener: SensorListener): void {
  listeners[sensor].add(listener)
  if (!runs.has(sensor)) startSensor(sensor).catch((error: Error) => console.warn(error.message))
}

function offSensor(sensor: Sensor, listener?: SensorListener): void {
  if (listener) listeners[sensor].delete(listener)
  else listeners[sensor].clear()
}

/** Creates the functions of a sensor. */
function functionsOf<R extends BridgeMethods['readSensor']['result']>(sensor: Sensor) {
  return {
    start: ({ interval }: { interval?: string | undefined }) => startSensor(sensor, interval),
    stop: async () => stopSensor(sensor),
    on: (listener: (reading: R) => void) => onSensor(sensor, listener as SensorListener),
    off: (listener?: (reading: R) => void) => offSensor(sensor, listener as SensorListener),
  }
}

type Axes = Record<'x' | 'y' | 'z', number>
export const {
  start: startAccelerometer,
  stop: stopAccelerometer,
  on: onAccelerometerChange,
  off: offAccelerometerChange,
} = functionsOf<Axes>('accelerometer')
export const {
  start: startGyroscope,
  stop: stopGyroscope,
  on: onGyroscopeChange,
  off: offGyroscopeChange,
} = functionsOf<Axes>('gyroscope')
export const {
  start: startCompass,
  stop: stopCompass,
  on: onCompassChange,
  off: offCompassChange,
} = functionsOf<{ direction: number }>('compass')
