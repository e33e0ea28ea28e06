/** Reads a JSON object from localStorage; undefined if it is missing or invalid. */
export function readStoredJson(key: string): object | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
