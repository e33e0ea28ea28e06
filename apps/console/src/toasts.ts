import { ref } from 'vue'

/** Shows a short message that disappears automatically. */
export interface Toast {
  text: string
  color: 'success' | 'info' | 'warning' | 'error'
  timeout: number
  /** Restores the state before. */
  onUndo?: () => Promise<void>
}

export const toasts = ref<Toast[]>([])

export function toast(text: string, color: Toast['color'] = 'success'): void {
  toasts.value.push({ text, color, timeout: color === 'error' ? 10_000 : 4_000 })
}

/** Reports a change with a button that undoes it. */
export function toastWithUndo(text: string, undo: () => Promise<void>): void {
  toasts.value.push({ text, color: 'success', timeout: 10_000, onUndo: undo })
}
