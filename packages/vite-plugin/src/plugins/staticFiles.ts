import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Platform } from '@souk/pages'
import type { Plugin } from 'vite'
import { filesOf } from '../configuration.ts'
import type { MiniApp } from '../miniApp.ts'

/** Folders in `static` that belong to a platform. */
const platformFolder =
  /^(?:h5|web|app(?:-(?:plus|android|ios|harmony))?|mp-[a-z\d]+|quickapp(?:-(?:native|webview(?:-(?:union|huawei))?))?)$/
const ownFolders: Readonly<Record<Platform, RegExp>> = {
  H5: /^(?:h5|web)$/,
  App: /^app(?:-(?:plus|android|ios))?$/,
  'Mini App': /^mp-neu$/,
}

/**
 * Copies the `static` folders of the project, its subpackages and its uni_modules, without folders such as
 * `static/app-plus` of other platforms, the folders `hybrid/html` with local pages of web-views, and all other files
 * that pages.json refers to. The development server serves them by their paths.
 */
export function staticFiles(app: MiniApp): Plugin {
  return {
    name: 'souk:static-files',
    apply: 'build',
    async writeBundle({ dir }) {
      const { root, files, subpackages, configurations, platform } = app
      const modules = files.list('uni_modules').map((name) => `uni_modules/${name}`)
      const homes = ['', ...subpackages, ...modules]
      const folders = homes
        .map((home) => (home ? `${home}/static` : 'static'))
        .filter((folder) => files.entries(folder).length > 0)
      const copied = folders.flatMap((folder) =>
        files
          .entries(folder)
          .filter(
            ({ name, kind }) => kind !== 'folder' || !platformFolder.test(name) || ownFolders[platform].test(name),
          )
          .map(({ name }) => `${folder}/${name}`),
      )
      const named = [...new Set(filesOf(configurations))].filter(
        (file) => !copied.some((path) => file === path || file.startsWith(`${path}/`)) && files.exists(file),
      )
      const localPages = ['', ...modules]
        .map((home) => (home ? `${home}/hybrid/html` : 'hybrid/html'))
        .filter((folder) => files.entries(folder).length > 0)
      for (const path of [...copied, ...localPages, ...named]) {
        // Files outside the project are not copied.
        if (path.startsWith('../')) continue
        const target = join(dir!, path)
        await mkdir(dirname(target), { recursive: true })
        await cp(join(root, path), target, { recursive: true, dereference: true })
      }
    },
  }
}
