import { absoluteUrl } from './absoluteUrl.ts'
import { isAppFile } from './appFilePaths.ts'

/** A file that the user chose. */
export interface ChosenFile {
  path: string
  size: number
  name: string
  type: string
}

/** The temporary files of the app: those that the user chose or the app made, by blob URL. */
const files = new Map<string, Blob>()

/**
 * Returns a blob URL for a file that the app gets. It is valid until the app removes the file or its document is
 * closed, since only the app knows how long it needs it.
 */
export function tempPathOf(file: Blob): string {
  const path = URL.createObjectURL(file)
  files.set(path, file)
  return path
}

/** Removes a temporary file. Returns false if there is none at this path. */
export function removeTempFile(path: string): boolean {
  if (!files.delete(path)) return false
  URL.revokeObjectURL(path)
  return true
}

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
  const response = await fetch(absoluteUrl(path))
  if (!response.ok) throw new Error(`the file cannot be read: HTTP ${response.status}`)
  return response.blob()
}

/** Returns the absolute address of a path, after the files that the app keeps are read if it is one of them. */
export async function readableUrl(path: string): Promise<string> {
  if (isAppFile(path)) await (await import('./appFiles.ts')).loadAppFiles()
  return absoluteUrl(path)
}
