import { currentCarrier } from '../carriers/current.ts'
import type { Options, Result } from './table/types.ts'

export async function getLocation({ isHighAccuracy = false }: Options<'getLocation'>): Promise<Result<'getLocation'>> {
  if (__SOUK_PLATFORM__ !== 'H5') return currentCarrier().call('getLocation', { isHighAccuracy })
  return (await import('@souk/shell/device/browser')).readPosition(isHighAccuracy)
}

export function openLocation({
  latitude,
  longitude,
  name,
  address,
  scale,
}: Options<'openLocation'>): Promise<Result<'openLocation'>> {
  return currentCarrier().call('openLocation', {
    latitude,
    longitude,
    name: String(name ?? ''),
    address: String(address ?? ''),
    ...(scale !== undefined && { scale: Math.min(20, Math.max(3, scale)) }),
  })
}

export function chooseLocation({ latitude, longitude }: Options<'chooseLocation'>): Promise<Result<'chooseLocation'>> {
  return currentCarrier().call(
    'chooseLocation',
    latitude === undefined || longitude === undefined ? {} : { latitude, longitude },
  )
}
