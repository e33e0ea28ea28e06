import { currentCarrier } from '../carriers/current.ts'
import { absoluteUrl } from './absoluteUrl.ts'

export interface ToastOptions {
  title?: string
  icon?: 'success' | 'error' | 'fail' | 'loading' | 'none' | 'exception'
  /** Shown instead of the icon. */
  image?: string
  /** In ms. */
  duration?: number
  /** Blocks touches behind the toast. */
  mask?: boolean
  position?: 'top' | 'center' | 'bottom'
}

const icons: Record<string, string> = { fail: 'error', exception: 'error' }

export function showToast({
  title = '',
  icon = 'success',
  image = '',
  duration = 1500,
  mask = false,
  position,
}: ToastOptions = {}): Promise<object> {
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
