import { ref } from 'vue'
import { useCommon } from './i18n/index.ts'

/** Shows a short message that disappears automatically. */
export interface Toast {
  id: number
  text: string
  color: 'success' | 'info' | 'warning' | 'error'
  timeout: number
  /** Restores the state before. */
  onUndo?: () => Promise<void>
}

export const toasts = ref<Toast[]>([])
let count = 0

function show(one: Omit<Toast, 'id'>): void {
  toasts.value.push({ ...one, id: ++count })
}

export function removeToast(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}

export function toast(text: string, color: Toast['color'] = 'success'): void {
  show({ text, color, timeout: color === 'error' ? 10_000 : 4_000 })
}

/**
 * Reports a change with a button that undoes it. `read` returns what was changed: if someone else has changed it since,
 * it stays as it is. `reload` shows the result on the page.
 */
export function toastWithUndo(
  text: string,
  undo: () => Promise<unknown>,
  reload: () => unknown,
  read?: () => Promise<unknown>,
): void {
  const saved = read?.().then(JSON.stringify, () => undefined)
  const onUndo = async () => {
    try {
      if (read && JSON.stringify(await read()) !== (await saved)) toast(useCommon()('notUndone'), 'warning')
      else await undo()
    } finally {
      await reload()
    }
  }
  show({ text, color: 'success', timeout: 10_000, onUndo })
}
