import { absoluteUrl } from './absoluteUrl.ts'
import { isAppFile } from './appFilePaths.ts'

/** A file that the user chose. */
export interface ChosenFile {
  /** Path of the temporary file. */
  path: string
  /** In bytes. */
  size: number
  /** Name of the file on the device. */
  name: string
  /** Media type, such as `image/png`. */
  type: string
}

/** The temporary files of the app: those that the user chose or the app made, by blob URL, the oldest first. */
const files = new Map<string, Blob>()
/** Bytes of the files that are in memory. */
let bytes = 0

/** Most temporary files, and most bytes of those in memory (ADR 380). */
export const tempFileLimits = { files: 1000, bytes: 256 * 1024 ** 2 }

/** Files that the user chose stay on the disk. */
const bytesInMemory = (file: Blob) => (file instanceof File ? 0 : file.size)

/**
 * Returns a blob URL for a file that the app gets. It is valid until the app removes the file or its document is
 * closed, or until newer files need its place, since only the app knows how long it needs it.
 */
export function tempPathOf(file: Blob): string {
  const path = URL.createObjectURL(file)
  files.set(path, file)
  bytes += bytesInMemory(file)
  removeOldest(path)
  return path
}

/** Removes the oldest temporary files while there are too many, but never `newest`. */
function removeOldest(newest: string): void {
  for (const [path, file] of files) {
    const isTooLarge = bytes > tempFileLimits.bytes
    if (path === newest || (files.size <= tempFileLimits.files && !isTooLarge)) return
    if (files.size > tempFileLimits.files || bytesInMemory(file) > 0) removeTempFile(path)
  }
}

/** Removes a temporary file. Returns false if there is none at this path. */
export function removeTempFile(path: string): boolean {
  const file = files.get(path)
  if (!file) return false
  files.delete(path)
  bytes -= bytesInMemory(file)
  URL.revokeObjectURL(path)
  return true
}

/** Returns the reason why a file cannot be read: its own, unless it is a temporary file that was removed. */
export const unreadable = (path: string, reason: string): Error =>
  new Error(
    path.startsWith('blob:') && !files.has(path)
      ? `the temporary file "${path}" is no longer kept; use saveFile to keep files`
      : reason,
  )

/** Calls `use` with a URL of a file that is valid until the promise that it returns settles. */
export async function withUrlOf<R>(file: Blob, use: (url: string) => Promise<R>): Promise<R> {
  const url = URL.createObjectURL(file)
  try {
    return await use(url)
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Returns the file at a temporary path, or at any address that the app may read. */
export async function readFile(path: string): Promise<Blob> {
  const file = files.get(path)
  if (file) return file
  if (!path) throw new Error('no file given')
  if (isAppFile(path)) return (await (await import('./appFiles.ts')).loadAppFiles()).blob(path)
  const response = await fetch(absoluteUrl(path)).catch((error: Error) => {
    throw unreadable(path, error.message)
  })
  if (!response.ok) throw new Error(`the file cannot be read: HTTP ${response.status}`)
  return response.blob()
}

/** Returns the absolute address of a path, after the files that the app keeps are read if it is one of them. */
export async function readableUrl(path: string): Promise<string> {
  if (isAppFile(path)) await (await import('./appFiles.ts')).loadAppFiles()
  return absoluteUrl(path)
}
