import type { InjectionKey, Ref } from 'vue'

/** A column as its picker view sees it. */
export interface PickerColumn {
  root(): HTMLElement | null
  /** Goes to an item, without telling anybody. */
  select(index: number): void
  selected(): number
}

export const pickerViewKey: InjectionKey<{
  /** Height of an item, px. */
  itemHeight: Ref<number>
  add(column: PickerColumn): void
  remove(column: PickerColumn): void
  onStart(): void
  /** The user has brought a column to rest at another item. */
  onChange(column: PickerColumn): void
  onEnd(): void
}> = Symbol('souk.pickerView')
