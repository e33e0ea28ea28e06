import { computed, nextTick, ref } from 'vue'

const count = ref(0)
/** The element to focus after the sheet that is closing, for one that takes its place. */
let focusAfter: Element | null = null

/** True while a sheet is open; the rest of the screen is then inert. */
export const hasOpenSheet = computed(() => count.value > 0)

/** Returns the element to focus after the sheet. */
export function sheetOpened(): Element | null {
  count.value += 1
  return focusAfter ?? document.activeElement
}

const questions = ref(0)

/** True while the host asks the user something; mini apps then draw nothing over their pages. */
export const hasOpenQuestion = computed(() => questions.value > 0)

/** Counts the open questions: 1 when one opens, -1 when it closes. */
export function countQuestion(change: 1 | -1): void {
  questions.value += change
}

export function sheetClosed(before: Element | null): void {
  count.value -= 1
  focusAfter = before
  // It is inert until the next render.
  void nextTick(() => {
    focusAfter = null
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  })
}
