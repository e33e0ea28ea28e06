import type { OpenFile } from './openFile.ts'

export const images = /\.(?:png|jpe?g|gif|svg|webp)$/i
export const fonts = /\.(?:ttf|otf|woff2?)$/i
export const pageFiles = /\.(?:vue|nvue|uvue)$/

/** Folders without sources of the app. */
const ignoredFolders = new Set(['node_modules', 'unpackage', 'dist', 'uni_modules'])

/** Limits the time of a completion in large projects. */
const maxEntries = 5000

/** Finds the files of the project whose names match, breadth-first. */
export function findFiles({ files }: OpenFile, name: RegExp): string[] {
  const found: string[] = []
  const folders = ['']
  let visited = 0
  for (let folder = folders.shift(); folder !== undefined && visited < maxEntries; folder = folders.shift()) {
    for (const entry of files?.entries(folder) ?? []) {
      visited += 1
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.kind === 'file') {
        if (name.test(entry.name)) found.push(path)
      } else if (!ignoredFolders.has(entry.name) && !entry.name.startsWith('.')) folders.push(path)
    }
  }
  return found
}
