interface TitledOption<V> {
  value: V
  title: string
  subtitle?: string | undefined
}

/**
 * Returns the options of a field that the server searches. While it searches for what is typed, only those of the last
 * result that have it in their text are shown.
 *
 * @param more options that the server does not search, such as the chosen one
 */
export function searchedOptions<V>(
  typed: string,
  {
    found,
    isSearching,
    more,
  }: { found: readonly TitledOption<V>[]; isSearching: boolean; more: readonly TitledOption<V>[] },
): (TitledOption<V> & { hidden: boolean })[] {
  const text = typed.trim().toLowerCase()
  const hasText = ({ title, subtitle = '' }: TitledOption<V>) => `${title} ${subtitle}`.toLowerCase().includes(text)
  return [
    ...more.map((option) => ({ ...option, hidden: !hasText(option) })),
    ...found.map((option) => ({ ...option, hidden: isSearching && !hasText(option) })),
  ]
}
