import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { filesOf } from '../configuration.ts'
import type { MiniApp } from '../miniApp.ts'

/**
 * Copies the `static` folders of the project, its subpackages and its uni_modules, and all other files that pages.json
 * refers to. The development server serves them by their paths.
 */
export function staticFiles(app: MiniApp): Plugin {
  return {
    name: 'souk:static-files',
    apply: 'build',
    async writeBundle({ dir }) {
      const { root, files, subpackages, configurations } = app
      const homes = ['', ...subpackages, ...files.list('uni_modules').map((name) => `uni_modules/${name}`)]
      const folders = homes
        .map((home) => (home ? `${home}/static` : 'static'))
        .filter((folder) => files.entries(folder).length > 0)
      const named = [...new Set(filesOf(configurations))].filter(
        (file) => !folders.some((folder) => file.startsWith(`${folder}/`)) && files.exists(file),
      )
      for (const path of [...folders, ...named]) {
        // Files outside the project are not copied.
        if (path.startsWith('../')) continue
        const target = join(dir!, path)
        await mkdir(dirname(target), { recursive: true })
        await cp(join(root, path), target, { recursive: true, dereference: true })
      }
    },
  }
}
