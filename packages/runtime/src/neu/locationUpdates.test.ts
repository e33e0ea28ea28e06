import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Carrier } from '../carriers/carrier.ts'
import { setCarrier } from '../carriers/current.ts'
import {
  offLocationChange,
  onLocationChange,
  onLocationChangeError,
  startLocationUpdate,
  stopLocationUpdate,
} from './locationUpdates.ts'

let read: () => Promise<object>

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('__SOUK_PLATFORM__', 'App')
  setCarrier({ call: (method: string) => (method === 'getLocation' ? read() : undefined) } as unknown as Carrier)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('reports positions and failures until it is stopped', async () => {
  const [onChange, onError] = [vi.fn(), vi.fn()]
  onLocationChange(onChange)
  onLocationChangeError(onError)
  read = async () => ({ latitude: 1 })
  await startLocationUpdate()
  expect(onChange).toHaveBeenLastCalledWith({ latitude: 1 })
  read = async () => ({ latitude: 2 })
  await vi.advanceTimersByTimeAsync(2000)
  expect(onChange).toHaveBeenLastCalledWith({ latitude: 2 })
  read = () => Promise.reject(new Error('timeout'))
  await vi.advanceTimersByTimeAsync(2000)
  expect(onError).toHaveBeenCalledExactlyOnceWith({ errMsg: 'onLocationChangeError:fail timeout' })
  await stopLocationUpdate()
  offLocationChange()
  await vi.advanceTimersByTimeAsync(10_000)
  expect([onChange.mock.calls.length, onError.mock.calls.length]).toEqual([2, 1])
})

it('fails, and stays off, if the user refuses', async () => {
  read = () => Promise.reject(new Error('denied'))
  await expect(startLocationUpdate()).rejects.toThrow('denied')
  const onError = vi.fn()
  onLocationChangeError(onError)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(onError).not.toHaveBeenCalled()
})
