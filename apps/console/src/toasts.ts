import { ref } from 'vue'

/** A short word about something that has happened; it leaves by itself. */
export interface Toast {
  text: string
  color: 'success' | 'info' | 'warning' | 'error'
  timeout: number
}

export const toasts = ref<Toast[]>([])

export function toast(text: string, color: Toast['color'] = 'success'): void {
  toasts.value.push({ text, color, timeout: color === 'error' ? 10_000 : 4_000 })
}
