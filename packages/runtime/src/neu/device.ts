import { currentCarrier } from '../carriers/current.ts'
import { callListeners } from '../page/callListeners.ts'
import type { Options, Result } from './table/types.ts'

export async function makePhoneCall({ phoneNumber }: Options<'makePhoneCall'>): Promise<void> {
  if (__SOUK_PLATFORM__ === 'H5') (await import('@souk/shell/device/browser')).callNumber(phoneNumber)
  else await currentCarrier().call('makePhoneCall', { phoneNumber })
}

export function vibrateShort(): Promise<void> {
  return vibrate('short')
}

export function vibrateLong(): Promise<void> {
  return vibrate('long')
}

async function vibrate(type: 'long' | 'short'): Promise<void> {
  if (__SOUK_PLATFORM__ === 'H5') (await import('@souk/shell/device/browser')).vibrate(type)
  else await currentCarrier().call('vibrate', { type })
}

/** https://wicg.github.io/netinfo/, not available in all browsers. */
interface Connection extends EventTarget {
  type?: string
  effectiveType?: string
}

export async function getNetworkType(): Promise<Result<'getNetworkType'>> {
  return { networkType: networkType() }
}

const connection = () => (navigator as { connection?: Connection }).connection

function networkType(): string {
  if (!navigator.onLine) return 'none'
  const { type, effectiveType } = connection() ?? {}
  if (type === 'wifi' || type === 'ethernet') return type
  return effectiveType?.replace('slow-', '') ?? 'unknown'
}

type NetworkListener = (event: Result<'getNetworkType'> & { isConnected: boolean }) => void
const networkListeners = new Set<NetworkListener>()
let lastType = ''

/** Notifies once per change, though the browser may fire two events for it. */
function notifyListeners(): void {
  const type = networkType()
  if (type === lastType) return
  lastType = type
  callListeners(networkListeners, { isConnected: navigator.onLine, networkType: type })
}

export function onNetworkStatusChange(listener: NetworkListener): void {
  if (networkListeners.size === 0) lastType = networkType()
  networkListeners.add(listener)
  // Adding the same listener again has no effect.
  addEventListener('online', notifyListeners)
  addEventListener('offline', notifyListeners)
  connection()?.addEventListener('change', notifyListeners)
}

export function offNetworkStatusChange(listener?: NetworkListener): void {
  if (listener) networkListeners.delete(listener)
  else networkListeners.clear()
}

export function scanCode({ onlyFromCamera = false, scanType = [] }: Options<'scanCode'>): Promise<Result<'scanCode'>> {
  return currentCarrier().call('scanCode', { onlyFromCamera, scanType: scanType.map(String) })
}

export async function setKeepScreenOn({ keepScreenOn }: Options<'setKeepScreenOn'>): Promise<object> {
  if (__SOUK_PLATFORM__ !== 'H5') return currentCarrier().call('setKeepScreenOn', { keepScreenOn })
  await (await import('@souk/shell/device/browser')).keepScreenOn(keepScreenOn)
  return {}
}

/** https://w3c.github.io/battery/, not available in all browsers. */
type BatteryNavigator = Navigator & { getBattery?(): Promise<{ level: number; charging: boolean }> }

export async function getBatteryInfo(): Promise<Result<'getBatteryInfo'>> {
  const battery = await (navigator as BatteryNavigator).getBattery?.()
  if (!battery) throw new Error('not supported')
  return { level: Math.round(battery.level * 100), isCharging: battery.charging }
}
