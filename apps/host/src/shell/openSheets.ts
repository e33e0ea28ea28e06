import { computed, ref } from 'vue'

const count = ref(0)

/** True while a sheet is open; the rest of the screen is then inert. */
export const hasOpenSheet = computed(() => count.value > 0)

export function sheetOpened(): void {
  count.value += 1
}

export function sheetClosed(): void {
  count.value -= 1
}
