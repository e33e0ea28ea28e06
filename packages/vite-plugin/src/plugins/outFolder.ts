import { accessSync, constants, existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { manifestFile } from './manifest.ts'

/** Thrown if a release cannot be written to the output folder. */
export class FolderError extends Error {
  override readonly name = 'FolderError'
}

/** Refuses an output folder that contains anything but a release, or cannot be written. */
export function outFolder(): Plugin {
  return {
    name: 'souk:out-folder',
    apply: 'build',
    configResolved: ({ root, build: { outDir } }) => assertReplaceable(resolve(root, outDir)),
  }
}

/** Removes what a failed build has written, so that the folder can be used again. */
export function clearOutFolder(folder: string): void {
  for (const name of namesIn(folder)) if (name !== '.git') rmSync(join(folder, name), { recursive: true })
}

function assertReplaceable(folder: string): void {
  // Vite does not delete .git.
  const names = namesIn(folder).filter((name) => name !== '.git')
  if (names.length > 0 && !names.includes(manifestFile))
    throw new FolderError(`${folder} is not empty and does not contain a mini app release.`)
  assertWritable(folder)
}

/** The bundler would only find out after the build, and report a fault of its own. */
function assertWritable(folder: string): void {
  let existing = folder
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing)
  try {
    accessSync(existing, constants.W_OK)
  } catch {
    throw new FolderError(`${folder} cannot be written: permission denied.`)
  }
}

/** Returns the names in a folder, none if it does not exist. @throws FolderError if it is a file */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    if (code === 'ENOTDIR') throw new FolderError(`${folder} is a file, not a folder.`)
    throw error
  }
}
