import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { filesOf } from '../configuration.ts'
import type { MiniApp } from '../miniApp.ts'

/**
 * Copies the folders called `static` (of the project, its subpackages and its uni_modules) as they are, and every other file that pages.json names. The
 * development server has them by their paths anyway.
 */
export function staticFiles(app: MiniApp): Plugin {
  return {
    name: 'souk:static-files',
    apply: 'build',
    async writeBundle({ dir }) {
      const { root, files, subpackages, configuration } = app
      const homes = ['', ...subpackages, ...files.list('uni_modules').map((name) => `uni_modules/${name}`)]
      const folders = homes
        .map((home) => (home ? `${home}/static` : 'static'))
        .filter((folder) => files.entries(folder).length > 0)
      const named = [...new Set(filesOf(configuration))].filter(
        (file) => !folders.some((folder) => file.startsWith(`${folder}/`)) && files.exists(file),
      )
      for (const path of [...folders, ...named]) {
        // What lies outside of the project has no place in its release.
        if (path.startsWith('../')) continue
        const target = join(dir!, path)
        await mkdir(dirname(target), { recursive: true })
        await cp(join(root, path), target, { recursive: true, dereference: true })
      }
    },
  }
}
