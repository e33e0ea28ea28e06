import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { FolderError, namesIn } from './outFolder.ts'

/** Returns the folder of a release's source maps: beside the release, so that they are not published with it. */
export const sourceMapFolder = (folder: string): string => `${folder}-source-maps`

/** Writes source maps, without the sources, into their own folder. Scripts do not refer to them. */
export function sourceMaps(app: MiniApp): Plugin {
  let outFolder = ''
  const maps = new Map<string, string>()
  return {
    name: 'souk:source-maps',
    apply: 'build',
    config: () => ({
      build: { sourcemap: 'hidden', rolldownOptions: { output: { sourcemapExcludeSources: true } } },
    }),
    configResolved({ root, build: { outDir } }) {
      outFolder = resolve(root, outDir)
      assertReplaceable(sourceMapFolder(outFolder))
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const [path, file] of Object.entries(bundle)) {
          if (!path.endsWith('.js.map') || file.type !== 'asset') continue
          const map = JSON.parse(String(file.source)) as { sources: string[] }
          const origin = dirname(join(outFolder, path))
          const sources = map.sources.map((source) => sourceName(source, origin, app.folder))
          maps.set(path, JSON.stringify({ ...map, sources }))
          delete bundle[path]
        }
      },
    },
    writeBundle() {
      const folder = sourceMapFolder(outFolder)
      rmSync(folder, { recursive: true, force: true })
      for (const [path, map] of maps) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), map)
      }
    },
  }
}

/** Returns the path of a source in the project or in its package, the same on each machine. */
function sourceName(source: string, origin: string, project: string): string {
  const file = normalizePath(resolve(origin, source))
  const installed = file.lastIndexOf('/node_modules/')
  if (installed >= 0) return file.slice(installed + 1)
  const path = normalizePath(relative(project, file))
  return path.replace(/^(?:\.\.\/)+(?:.*\/packages\/)?/, '')
}

function assertReplaceable(folder: string): void {
  if (namesIn(folder).length === 0) return
  const foreign = readdirSync(folder, { recursive: true, withFileTypes: true }).find(
    (entry) => entry.isFile() && !entry.name.endsWith('.map'),
  )
  if (foreign) throw new FolderError(`${folder} contains ${foreign.name}, which is not a source map.`)
}
