import type { OpenFile } from './openFile.ts'

export const images = /\.(?:png|jpe?g|gif|svg|webp)$/i
export const fonts = /\.(?:ttf|otf|woff2?)$/i
export const pageFiles = /\.(?:vue|nvue|uvue)$/

/** Folders that hold no sources of the app. */
const foreign = new Set(['node_modules', 'unpackage', 'dist', 'uni_modules'])

/** Keeps a completion quick in a project of any size. */
const mostLooked = 5000

/** The files of the project whose names match, nearest to its root first. */
export function findFiles({ files }: OpenFile, name: RegExp): string[] {
  const found: string[] = []
  const folders = ['']
  let looked = 0
  for (let folder = folders.shift(); folder !== undefined && looked < mostLooked; folder = folders.shift()) {
    for (const entry of files?.entries(folder) ?? []) {
      looked += 1
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.kind === 'file') {
        if (name.test(entry.name)) found.push(path)
      } else if (!foreign.has(entry.name) && !entry.name.startsWith('.')) folders.push(path)
    }
  }
  return found
}
