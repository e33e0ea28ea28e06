import { ref } from 'vue'

/** A short word about something that has happened; it leaves by itself. */
export interface Toast {
  key: number
  text: string
  tone: 'info' | 'error'
}

export const toasts = ref<Toast[]>([])
let made = 0

/** Shows a short word over whatever is on the screen. */
export function toast(text: string, tone: Toast['tone'] = 'info'): void {
  const key = ++made
  toasts.value.push({ key, text, tone })
  setTimeout(() => dismiss(key), tone === 'error' ? 8_000 : 3_500)
}

export function dismiss(key: number): void {
  toasts.value = toasts.value.filter((one) => one.key !== key)
}
