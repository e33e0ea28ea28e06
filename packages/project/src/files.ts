import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import type { Files } from '@souk/pages'

export type Entry = { readonly name: string; readonly kind: 'file' | 'folder' }

/** The files of a project. Paths are relative to its folder, with forward slashes. */
export type ProjectFiles = Files & {
  readonly size: (path: string) => number | undefined
  readonly list: (folder: string) => readonly string[]
  readonly read: (path: string) => string | undefined
  /** Lists a folder, sorted by name; empty if it does not exist. */
  readonly entries: (folder: string) => readonly Entry[]
  /** Clears the cache, so that folders are read again. */
  readonly forget: () => void
}

/** Longer than any real path. A longer value in pages.json could name too many folders to visit recursively. */
const maxPathLength = 4096

const noEntries: ReadonlyMap<string, Entry['kind']> = new Map()

/**
 * Accesses the files below `root`, an absolute path. Each folder is read once. Names are case-sensitive even if the
 * disk is not, because the app may be built on another one.
 */
export function projectFiles(root: string): ProjectFiles {
  const folders = new Map<string, ReadonlyMap<string, Entry['kind']>>()

  const read = (folder: string): ReadonlyMap<string, Entry['kind']> => {
    const cached = folders.get(folder)
    if (cached) return cached
    if (folder.length > maxPathLength) return noEntries
    const isFolder = folder === root || read(dirname(folder)).get(basename(folder)) === 'folder'
    const entries = new Map((isFolder ? entriesOf(folder) : []).map((entry) => [entry.name, kindOf(folder, entry)]))
    folders.set(folder, entries)
    return entries
  }
  const isInside = (path: string) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
  const exists = (path: string) => {
    const full = resolve(root, path)
    return isInside(full) ? full !== root && read(dirname(full)).get(basename(full)) === 'file' : isFile(full)
  }
  const entries = (folder: string) => {
    const full = resolve(root, folder)
    const found = isInside(full) ? [...read(full)] : []
    return found.map(([name, kind]) => ({ name, kind })).sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  return {
    exists,
    size: (path) => (exists(path) ? statSync(resolve(root, path), { throwIfNoEntry: false })?.size : undefined),
    entries,
    read: (path) => (exists(path) ? textOf(resolve(root, path)) : undefined),
    list: (folder) => entries(folder).map(({ name }) => name),
    forget: () => folders.clear(),
  }
}

/** Converts a path below `root` to one for `Files`: relative, with forward slashes. */
export function pathInProject(root: string, path: string): string {
  return relative(root, path).replaceAll(sep, '/')
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // The folder does not exist or is not readable: either way its files cannot be used.
    return []
  }
}

function kindOf(folder: string, entry: Dirent): Entry['kind'] {
  if (!entry.isSymbolicLink()) return entry.isDirectory() ? 'folder' : 'file'
  return isFile(resolve(folder, entry.name)) ? 'file' : 'folder'
}

function textOf(path: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch {
    // Not readable, or not UTF-8: either way the file cannot be used.
    return undefined
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch {
    return false
  }
}
