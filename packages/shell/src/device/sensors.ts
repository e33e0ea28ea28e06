import type { BridgeMethods, SensorReading } from '@souk/contract/bridge'
import { second } from '@souk/contract/time'

type Sensor = BridgeMethods['readSensor']['params']['sensor']

/** Time for the first event of a sensor, in ms. Devices without it send none. */
const timeout = 2 * second

/** The event of each sensor, and its reading; undefined if the device has no such sensor. */
const sensors: Record<Sensor, { type: string; read(event: Event): SensorReading | undefined }> = {
  accelerometer: {
    type: 'devicemotion',
    read(event) {
      const { acceleration, accelerationIncludingGravity } = event as DeviceMotionEvent
      const { x, y, z } = acceleration?.x == null ? (accelerationIncludingGravity ?? {}) : acceleration
      return x == null ? undefined : { x, y: y ?? 0, z: z ?? 0 }
    },
  },
  gyroscope: {
    type: 'devicemotion',
    read(event) {
      const { alpha, beta, gamma } = (event as DeviceMotionEvent).rotationRate ?? {}
      const radians = (degrees: number | null | undefined) => ((degrees ?? 0) * Math.PI) / 180
      return beta == null ? undefined : { x: radians(beta), y: radians(gamma), z: radians(alpha) }
    },
  },
  compass: {
    // Browsers without the absolute event report the direction from north in the plain one.
    type:
      typeof window !== 'undefined' && 'ondeviceorientationabsolute' in window
        ? 'deviceorientationabsolute'
        : 'deviceorientation',
    read(event) {
      const { alpha, webkitCompassHeading } = event as DeviceOrientationEvent & { webkitCompassHeading?: number }
      if (webkitCompassHeading !== undefined) return { direction: webkitCompassHeading }
      return alpha === null ? undefined : { direction: (360 - alpha) % 360 }
    },
  },
}

/**
 * Returns the next reading of a sensor that is at least `interval` ms away.
 *
 * @throws Error `not supported` without such a sensor
 */
export async function readSensor(sensor: Sensor, interval: number): Promise<SensorReading> {
  await askBrowser(sensor)
  const { type, read } = sensors[sensor]
  const from = performance.now() + interval
  return new Promise((resolve, reject) => {
    const end = (reading: SensorReading | undefined) => {
      clearTimeout(timer)
      removeEventListener(type, onEvent)
      if (reading) resolve(reading)
      else reject(new Error('not supported'))
    }
    const onEvent = (event: Event) => {
      if (performance.now() >= from) end(read(event))
    }
    const timer = setTimeout(() => end(undefined), interval + timeout)
    addEventListener(type, onEvent)
  })
}

/** Requests access from Safari, which asks the user once, and only after a tap. */
async function askBrowser(sensor: Sensor): Promise<void> {
  const event = sensor === 'compass' ? DeviceOrientationEvent : DeviceMotionEvent
  const { requestPermission } = event as unknown as { requestPermission?: () => Promise<PermissionState> }
  if (requestPermission && (await requestPermission.call(event)) !== 'granted') throw new Error('the user refused')
}
