/** What this browser has kept as JSON under a name; undefined where that is nothing, or nothing that can be read. */
export function kept(name: string): object | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(name) ?? 'null')
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
