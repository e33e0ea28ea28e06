import type { InjectionKey, Ref } from 'vue'

/** A column as its picker view sees it. */
export interface PickerColumn {
  root(): HTMLElement | null
  /** Moves to an item without dispatching events. */
  select(index: number): void
  selected(): number
}

export const pickerViewKey: InjectionKey<{
  /** Height of an item, in px. */
  itemHeight: Ref<number>
  add(column: PickerColumn): void
  remove(column: PickerColumn): void
  onStart(): void
  /** Called when a column stops at another item. */
  onChange(column: PickerColumn): void
  onEnd(): void
}> = Symbol('souk.pickerView')
