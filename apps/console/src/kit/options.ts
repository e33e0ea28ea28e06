/** A choice of a field: its value and text, or a text that is both. */
export type Option<V> =
  | (V & string)
  | {
      value: V
      title: string
      /** Second line. */
      subtitle?: string | undefined
      /** Only names a chosen value, and is not in the list. */
      hidden?: boolean
    }

/** An option with its parts. `key` identifies it among the options of its field. */
export interface Choice<V> {
  key: string
  value: V
  title: string
  subtitle?: string | undefined
  hidden?: boolean | undefined
}

/** Returns options as choices. A value that is not among them is shown as it is. */
export function choicesOf<V>(options: readonly Option<V>[], values: readonly V[] = []): Choice<V>[] {
  const choices = options.map((option, index): Choice<V> => {
    if (typeof option === 'string') return { key: String(index), value: option, title: option }
    const { value, title, subtitle, hidden } = option
    return { key: String(index), value, title, subtitle, hidden }
  })
  const others = values.filter((value) => !choices.some((choice) => choice.value === value))
  return [...choices, ...others.map((value) => ({ key: `other ${value}`, value, title: String(value) }))]
}
