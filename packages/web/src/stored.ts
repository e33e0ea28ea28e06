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
  return read(() => localStorage, key)
}

/** Writes to localStorage; undefined removes the entry. Returns false if the browser denies it, or if it is full. */
export function writeStored(key: string, text: string | undefined): boolean {
  return write(() => localStorage, key, text)
}

/** Reads from sessionStorage, which lasts as long as the tab. */
export function readOfTab(key: string): string | null {
  return read(() => sessionStorage, key)
}

/** Writes to sessionStorage; undefined removes the entry. Returns false if the browser denies it, or if it is full. */
export function writeOfTab(key: string, text: string | undefined): boolean {
  return write(() => sessionStorage, key, text)
}

/** Browsers that deny storage already throw when it is accessed. */
type Access = () => Storage

function read(access: Access, key: string): string | null {
  try {
    return access().getItem(key)
  } catch {
    return null
  }
}

function write(access: Access, key: string, text: string | undefined): boolean {
  try {
    if (text === undefined) access().removeItem(key)
    else access().setItem(key, text)
    return true
  } catch {
    return false
  }
}
