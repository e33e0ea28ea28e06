import { watch } from 'vue'
import { currentCarrier } from '../carriers/current.ts'
import { keyboardHeight } from '../page/keyboard.ts'
import type { Result } from './table/types.ts'

export async function hideKeyboard(): Promise<void> {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

export async function getSelectedTextRange(): Promise<Result<'getSelectedTextRange'>> {
  const { selectionStart: start, selectionEnd: end } = document.activeElement as Partial<HTMLInputElement>
  if (typeof start !== 'number' || typeof end !== 'number') throw new Error('no field with a text has the focus')
  return { start, end }
}

type KeyboardListener = (event: { height: number }) => void
const keyboardListeners = new Map<KeyboardListener | undefined, () => void>()

/** Notifies with the height in px that the soft keyboard covers. */
export function onKeyboardHeightChange(listener: KeyboardListener): void {
  let height = 0
  const update = () => {
    const current = keyboardHeight()
    if (current === height) return
    height = current
    listener({ height })
  }
  const stop = watch(() => currentCarrier().device.keyboardHeight, update)
  window.visualViewport?.addEventListener('resize', update)
  offKeyboardHeightChange(listener)
  keyboardListeners.set(listener, () => {
    stop()
    window.visualViewport?.removeEventListener('resize', update)
  })
}

export function offKeyboardHeightChange(listener?: KeyboardListener): void {
  for (const [each, stop] of keyboardListeners) {
    if (listener && each !== listener) continue
    stop()
    keyboardListeners.delete(each)
  }
}
