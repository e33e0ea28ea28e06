import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { manifestFile } from './manifest.ts'

/** A folder that a release cannot go to; `message` is for people. */
export class FolderFault extends Error {
  override readonly name = 'FolderFault'
}

/** The folder of a release is emptied first, which shall not happen to one that holds something else. */
export function outFolder(): Plugin {
  return {
    name: 'souk:out-folder',
    apply: 'build',
    configResolved: ({ root, build: { outDir } }) => assertReplaceable(resolve(root, outDir)),
  }
}

function assertReplaceable(folder: string): void {
  // Vite leaves the repository of a folder alone.
  const names = namesIn(folder).filter((name) => name !== '.git')
  if (names.length === 0 || names.includes(manifestFile)) return
  throw new FolderFault(`${folder} is not empty, and what is in it is no release of a mini app.`)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    if (code === 'ENOTDIR') throw new FolderFault(`${folder} is a file.`)
    throw error
  }
}
