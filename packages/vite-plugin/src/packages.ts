import { createRequire } from 'node:module'
import { dirname, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { normalizePath } from 'vite'

/** Whether this package runs from its sources, so that the others of its repository are taken from theirs as well. */
export const runsFromSources = extname(import.meta.filename) === '.ts'

const { resolve } = createRequire(import.meta.url)

/** Folders of the packages that are compiled together with the app, by themselves and not as pages. */
export const runtimeFolder: string = normalizePath(dirname(dirname(resolve('@souk/runtime/config'))))
export const tagsFolder: string = normalizePath(dirname(dirname(resolve('@souk/tags/host'))))
export const vueFolder: string = normalizePath(dirname(resolve('vue/package.json')))
export const pluginFolder: string = normalizePath(fileURLToPath(new URL('..', import.meta.url))).replace(/\/$/, '')

/** A script of this package that runs in the page; like the runtime they are shipped as they are. */
export const clientFile = (name: string): string => `${pluginFolder}/src/client/${name}.ts`

/** Whether a file belongs to Souk itself: in it, `<button>` and `button {}` mean those of HTML. */
export function isSoukFile(file: string): boolean {
  return [runtimeFolder, tagsFolder, pluginFolder].some((folder) => file.startsWith(`${folder}/src/`))
}
