import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ProjectFiles, projectFiles } from './files.ts'

/** A pages.json with the files around it. */
export type Project = {
  /** Absolute path of the pages.json. */
  readonly file: string
  /** Without a byte order mark, so that columns are those that editors show. */
  readonly text: string
  readonly files: ProjectFiles
  /** Replaces the text; the byte order mark stays as it was. */
  write(text: string): Promise<void>
}

/** Why there is no project to work on; `message` is for people. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError'
}

/** Where the pages.json of a project folder is: in it, or in the `src` of projects that are built from a command line. */
const places = ['pages.json', 'src/pages.json']

/**
 * Opens the project at an absolute path: its folder, or its pages.json, whatever that file is called.
 *
 * @throws ProjectError when there is none, or when it cannot be read
 */
export async function openProject(path: string): Promise<Project> {
  const file = await findPagesJson(path)
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new ProjectError(`${file} cannot be read: ${reasonOf(error)}.`)
  })
  const read = decode(bytes)
  if (read === undefined) throw new ProjectError(`${file} cannot be read: it is not UTF-8.`)
  const mark = read.startsWith('\uFEFF') ? '\uFEFF' : ''
  return {
    file,
    text: read.slice(mark.length),
    files: projectFiles(dirname(file)),
    write: async (text) => {
      await writeFile(file, mark + text).catch((error: unknown) => {
        throw new ProjectError(`${file} cannot be written: ${reasonOf(error)}.`)
      })
    },
  }
}

async function findPagesJson(path: string): Promise<string> {
  const found = await stat(path).catch((error: unknown) => {
    throw new ProjectError(`${path} cannot be read: ${reasonOf(error)}.`)
  })
  if (!found.isDirectory()) return path
  for (const place of places) {
    const file = join(path, place)
    if (
      await stat(file).then(
        (it) => it.isFile(),
        () => false,
      )
    )
      return file
  }
  throw new ProjectError(`There is no ${places.join(' and no ')} in ${path}.`)
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file'
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not'
  return error instanceof Error ? error.message : String(error)
}
