/** Reads a JSON object from localStorage; undefined if it is missing or invalid. */
export function readStoredJson(key: string): object | undefined {
  try {
    const value: unknown = JSON.parse(readStored(key) ?? 'null')
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Reads from localStorage. Browsers can deny it to frames of other sites, where nothing is stored. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Writes to localStorage if there is one; undefined removes the entry. */
export function writeStored(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // Choices then last until the page is closed.
  }
}
