import { absoluteUrl } from './absoluteUrl.ts'

/** Files that the user chose or the app loaded, by the path that the app knows them by: an address that images can show. */
const files = new Map<string, Blob>()

/** A path for the file, good until the app is closed. */
export function tempPathOf(file: Blob): string {
  const path = URL.createObjectURL(file)
  files.set(path, file)
  return path
}

/** The file at a path given before, or at any address that the app may read. */
export async function readFile(path: string): Promise<Blob> {
  const file = files.get(path)
  if (file) return file
  if (!path) throw new Error('no file was given')
  const response = await fetch(absoluteUrl(path))
  if (!response.ok) throw new Error(`the file cannot be read: HTTP ${response.status}`)
  return response.blob()
}
