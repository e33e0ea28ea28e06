import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ProjectFiles, projectFiles } from './files.ts'
import { generatorAdvice, pagesGenerator } from './generatedPages.ts'

/** A pages.json and the files of its project. */
export type Project = {
  /** Absolute path of the pages.json. */
  readonly file: string
  /** Without a byte order mark, so that columns match those in editors. */
  readonly text: string
  readonly files: ProjectFiles
  /** Replaces the text and preserves the byte order mark. */
  write(text: string): Promise<void>
}

/** The project cannot be read or written; the message can be shown to users. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError'
  /** What to do, if it is not to name another folder. */
  readonly advice: string | undefined

  constructor(message: string, advice?: string) {
    super(message)
    this.advice = advice
  }
}

/** Locations of pages.json in a project folder; projects built from the command line have it in `src`. */
const places = ['pages.json', 'src/pages.json']

/** Locations of app.json in a project of WeChat. Other frameworks have a file of this name, but list no pages in it. */
const nativePlaces = ['app.json', 'miniprogram/app.json', 'src/app.json']

/**
 * Opens a project by the absolute path of its folder or of its pages.json. The file may have another name that ends
 * with .json.
 *
 * @throws ProjectError if there is no project or it cannot be read
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
  if (!found.isDirectory()) {
    const isJson = /\.json[5c]?$/i.test(path)
    // Otherwise, `souk pages check --fix` could write its fixes into a page.
    if (found.isFile() && !isJson) throw new ProjectError(`${path} is not a JSON file.`)
    // A pipe of this name would have to be waited for; /dev/stdin is one that can be read.
    if (!found.isFile() && isJson) throw new ProjectError(`${path} is not a regular file.`)
    return path
  }
  const files = places.map((place) => join(path, place)).filter((each) => existsSync(each))
  // A project that moved to src can still have an old pages.json in its folder, but no App.vue beside it.
  const file = files.find((each) => existsSync(join(dirname(each), 'App.vue'))) ?? files[0]
  if (file !== undefined) return findPagesJson(file)
  const message = `There is no ${places.join(' and no ')} in ${path}`
  const native = await Promise.all(nativePlaces.map((place) => listsPages(join(path, place))))
  if (native.includes(true))
    throw new ProjectError(
      `${message}, but the app.json of a native WeChat mini program.`,
      'Rewrite its pages in Vue. The documentation says how: /docs/guides/from-wechat on every Souk.',
    )
  const generator = pagesGenerator(path)
  if (!generator.isNamed) throw new ProjectError(`${message}.`)
  const { plugin, settings } = generator
  throw new ProjectError(
    `${message}: ${plugin} writes it${settings === undefined ? '' : ` from ${settings}`}.`,
    generatorAdvice(generator),
  )
}

async function listsPages(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return /"pages"\s*:\s*\[/.test(text)
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
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'no such file or directory'
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  return error instanceof Error ? error.message : String(error)
}
