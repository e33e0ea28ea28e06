import { absoluteUrl } from './absoluteUrl.ts'
import { isAppFile } from './appFilePaths.ts'

/** A file that the user chose. */
export interface ChosenFile {
  path: string
  size: number
  name: string
  type: string
}

/** Files that the user chose or the app downloaded, by blob URL. */
const files = new Map<string, Blob>()

/** Returns a blob URL for the file, valid until the app is closed. */
export function tempPathOf(file: Blob): string {
  const path = URL.createObjectURL(file)
  files.set(path, file)
  return path
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
