import { ref } from 'vue'

/** Shows a short message that disappears automatically. */
export interface Toast {
  text: string
  color: 'success' | 'info' | 'warning' | 'error'
  timeout: number
}

export const toasts = ref<Toast[]>([])

export function toast(text: string, color: Toast['color'] = 'success'): void {
  toasts.value.push({ text, color, timeout: color === 'error' ? 10_000 : 4_000 })
}
