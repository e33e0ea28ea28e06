import { computed, ref } from 'vue'

const open = ref(0)

/** Whether a sheet covers the screen, which cannot be reached meanwhile. */
export const isCovered = computed(() => open.value > 0)

export function sheetOpened(): void {
  open.value += 1
}

export function sheetClosed(): void {
  open.value -= 1
}
