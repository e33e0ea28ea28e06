import { currentCarrier } from '../carriers/current.ts'
import { absoluteUrl } from './absoluteUrl.ts'
import type { Options } from './table/types.ts'

const icons: Record<string, string> = { fail: 'error', exception: 'error' }

export function showToast({
  title = '',
  icon = 'success',
  image = '',
  duration = 1500,
  mask = false,
  position,
}: Options<'showToast'> = {}): Promise<object> {
  return currentCarrier().call('showToast', {
    title,
    icon: icons[icon] ?? icon,
    image: absoluteUrl(image),
    duration,
    mask,
    position: position ?? '',
  })
}

export function hideToast(): Promise<object> {
  return currentCarrier().call('hideToast', {})
}
