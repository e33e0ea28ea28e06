import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

/** Why no project was made; `message` is for people. */
export class CreateError extends Error {
  override readonly name = 'Refusal'
}

/** Beside `dist` and `src`, whichever this runs from. */
const template = join(import.meta.dirname, '../template')

/**
 * Makes a new mini app in a folder, which has to be empty or not there yet, and gives its absolute path. Nothing is installed.
 *
 * @throws Refusal where there is something in the folder already, or its name is none
 */
export async function create(path: string): Promise<string> {
  const folder = resolve(path)
  const name = packageName(basename(folder))
  if (name === '') throw new CreateError(`${path} is no name for a project: it needs a letter from a to z, or a digit.`)
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') throw new CreateError(`${path} is a file.`)
    throw error
  })
  // A repository that has just been made is empty for anybody but git.
  if (names.some((each) => each !== '.git')) throw new CreateError(`${path} is not empty: name a new folder.`)
  await mkdir(folder, { recursive: true })
  await cp(template, folder, { recursive: true })
  // npm would take a file of this name for its own.
  await rename(join(folder, 'gitignore'), join(folder, '.gitignore'))
  for (const file of ['package.json', 'pages.json', 'README.md']) {
    const text = await readFile(join(folder, file), 'utf8')
    await writeFile(join(folder, file), text.replaceAll('PROJECT_NAME', name))
  }
  return folder
}

/** As npm allows it. */
function packageName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
}
