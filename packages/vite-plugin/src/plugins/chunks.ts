import { resolve } from 'node:path'
import { type BuildOptions, normalizePath, type Plugin, type Rolldown } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import { isSoukFile } from '../packages.ts'
import { pageId, prefix } from '../virtual.ts'

/**
 * Names chunks after their page, with a content hash, so that servers can cache them forever, and loads Souk and Vue
 * for the first page as one script.
 */
export function chunks(app: MiniApp): Plugin {
  let startModules: Set<string> | undefined
  return {
    name: 'souk:chunks',
    apply: 'build',
    buildStart() {
      startModules = undefined
    },
    config: ({ root = process.cwd(), build: own }) => {
      acceptListedChunks(own, root)
      return {
        build: {
          rolldownOptions: {
            // Plug-in timings do not help app developers.
            checks: { bundlerTimings: false },
            output: {
              entryFileNames: 'assets/[name]-[hash].js',
              chunkFileNames: (chunk) => `assets/${nameOf(chunk)}-[hash].js`,
              assetFileNames: 'assets/[name]-[hash][extname]',
              ...(!definesChunks(own) && {
                codeSplitting: {
                  groups: [
                    {
                      debugName: 'index',
                      name: (id: string, context: Rolldown.ChunkingContext) => {
                        startModules ??= startModulesOf(app, context)
                        return startModules.has(id) ? 'index' : null
                      },
                    },
                  ],
                },
              }),
            },
          },
        },
      }
    },
  }
}

function nameOf({ facadeModuleId, name }: Rolldown.PreRenderedChunk): string {
  if (!facadeModuleId?.startsWith(prefix)) return name
  return (
    facadeModuleId
      .slice(prefix.length)
      .replace(/^(?:page|subpackage)\//, '')
      .replace(/[^\w-]+/g, '-') || name
  )
}

const outputsOf = ({ rolldownOptions, rollupOptions }: BuildOptions = {}) =>
  [rolldownOptions?.output, rollupOptions?.output].flat().filter((output) => output !== undefined)

/** Replaces `manualChunks` that list packages and files, which only Rollup takes, by a function. */
function acceptListedChunks(own: BuildOptions | undefined, root: string): void {
  for (const output of outputsOf(own)) {
    const listed: unknown = output.manualChunks
    if (typeof listed !== 'object' || listed === null) continue
    const lists = Object.entries(listed as Record<string, readonly string[]>)
    output.manualChunks = (id) => {
      const file = normalizePath(id)
      const holds = (name: string) => {
        const path = normalizePath(resolve(root, name))
        return (
          file.includes(`/node_modules/${name}/`) ||
          (file.startsWith(path) && /^(?:[./?]|$)/.test(file.slice(path.length)))
        )
      }
      return lists.find(([, names]) => names.some(holds))?.[0]
    }
  }
}

/** Checks if the project defines chunks; the bundler would ignore its `manualChunks` beside the groups of Souk. */
function definesChunks(own: BuildOptions | undefined): boolean {
  const keys = ['manualChunks', 'advancedChunks', 'codeSplitting']
  return outputsOf(own).some((output) => keys.some((key) => key in output))
}

/**
 * Returns the modules of Souk and Vue that the first page needs. They are one chunk: each request costs more time than
 * its bytes. The project's own code is not among them, because it may run only after the host's welcome.
 */
function startModulesOf(app: MiniApp, context: Rolldown.ChunkingContext): Set<string> {
  const reached = (start: readonly string[]) => {
    const found = new Set<string>(start)
    for (const id of found) for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
    return found
  }
  const first = reached([`${prefix}project`, ...(app.launch ? [`\0${pageId(app.launch.path)}`] : [])])
  const isShared = (id: string) => isSoukFile(id) || id === '\0plugin-vue:export-helper'
  return new Set([...reached([`${prefix}entry`]), ...[...first].filter(isShared)])
}
