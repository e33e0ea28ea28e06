import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { normalizePath } from 'vite'

/** True if this package runs from source; the other packages of the repository are then used from source too. */
export const runsFromSources = extname(import.meta.filename) === '.ts'

const { resolve } = createRequire(import.meta.url)

/** Folders of the packages that are compiled with the app but are not part of it. */
export const runtimeFolder: string = normalizePath(dirname(dirname(resolve('@souk/runtime/createMiniApp'))))
const shellFolder: string = normalizePath(dirname(dirname(resolve('@souk/shell/config'))))
const hostViewFolder: string = normalizePath(dirname(dirname(resolve('@souk/host-view'))))
const tagsFolder: string = normalizePath(dirname(dirname(resolve('@souk/tags/host'))))
export const vueFolder: string = normalizePath(dirname(resolve('vue/package.json')))
const pluginFolder: string = normalizePath(fileURLToPath(new URL('..', import.meta.url))).replace(/\/$/, '')

/** Folders of the packages whose constants and types the runtime uses. Only the runtime can resolve them with pnpm. */
const dependencyFolders: readonly string[] = ['@souk/contract', '@souk/pages'].map((name) =>
  normalizePath(dirname(dirname(createRequire(join(runtimeFolder, 'package.json')).resolve(name)))),
)

export const soukFolders = [runtimeFolder, shellFolder, hostViewFolder, tagsFolder, pluginFolder]

/** Settings of TypeScript for vite.config, and for projects whose own cannot be read. */
export const fallbackTsconfig: string = `${pluginFolder}/tsconfig.fallback.json`

/** Returns the path of a script that runs in the page. Like the runtime, these are shipped as source. */
export const clientFile = (name: string): string => `${pluginFolder}/src/client/${name}.ts`

/** Checks if a file belongs to Souk itself, where `<button>` and `button {}` mean the HTML element. */
export function isSoukFile(file: string): boolean {
  return soukFolders.some((folder) => file.startsWith(`${folder}/src/`))
}

/** Checks if a file belongs to a package whose constants and types the runtime uses. */
export function isDependencyOfSouk(file: string): boolean {
  return dependencyFolders.some((folder) => file.startsWith(`${folder}/`))
}

/** Returns the folder of Vue in a project; undefined if it is not installed. */
export function vueFolderOf(folder: string): string | undefined {
  try {
    return normalizePath(dirname(createRequire(join(folder, 'package.json')).resolve('vue/package.json')))
  } catch {
    return undefined
  }
}

/** Checks if the project has installed another Vue than the one that its pages run on. */
export function hasOtherVue(folder: string): boolean {
  const installed = vueFolderOf(folder)
  return installed !== undefined && installed !== vueFolder
}
