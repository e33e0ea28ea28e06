import { second } from '@souk/contract'
import { ref } from 'vue'

/** A short message that disappears automatically. */
export interface Toast {
  key: number
  text: string
  tone: 'info' | 'error'
}

export const toasts = ref<Toast[]>([])
let lastKey = 0
/** More at a time would cover the page: a mini app can cause the same one again and again. */
const maxShown = 3

/** Shows a short message over the current page. */
export function toast(text: string, tone: Toast['tone'] = 'info'): void {
  const key = ++lastKey
  toasts.value = [...toasts.value, { key, text, tone }].slice(-maxShown)
  setTimeout(() => dismiss(key), tone === 'error' ? 8 * second : 3.5 * second)
}

export function dismiss(key: number): void {
  toasts.value = toasts.value.filter((one) => one.key !== key)
}
