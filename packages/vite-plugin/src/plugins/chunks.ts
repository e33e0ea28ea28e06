import { resolve } from 'node:path'
import { type BuildOptions, isCSSRequest, normalizePath, type Plugin, type Rolldown } from 'vite'
import { findMisplaced } from '../executionOrder.ts'
import { isInert } from '../inert.ts'
import type { MiniApp } from '../miniApp.ts'
import { tryPackage } from '../packageJson.ts'
import { isDependencyOfSouk, isSoukFile, runtimeFolder } from '../packages.ts'
import { pageId, prefix } from '../virtual.ts'

/** The state of a build, for `release`, which repeats a build whose chunks change the order of modules. */
export interface ExecutionOrder {
  /** A module that would run at another time than in the sources. */
  changedFor?: string
}

/**
 * Names chunks after their page, with a content hash, so that servers can cache them forever, and loads Souk and Vue
 * for the first page as one script. Fails if modules would run in another order than that of the sources; wrapping
 * all of them by default would make the first script 5 % larger (ADR 375).
 */
export function chunks(app: MiniApp): Plugin<ExecutionOrder> {
  let chunkNames: ReadonlyMap<string, string> | undefined
  let isStrict = false
  const api: ExecutionOrder = {}
  return {
    name: 'souk:chunks',
    api,
    apply: 'build',
    configResolved({ build }) {
      isStrict = outputsOf(build).some(({ strictExecutionOrder }) => strictExecutionOrder)
    },
    buildStart() {
      chunkNames = undefined
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
                  includeDependenciesRecursively: false,
                  groups: [
                    {
                      debugName: 'souk',
                      name: (id: string, context: Rolldown.ChunkingContext) => {
                        chunkNames ??= chunkNamesOf(app, context)
                        return chunkNames.get(id) ?? null
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
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        const file = isStrict ? undefined : misplacedModule(this, bundle)
        if (file === undefined) return
        api.changedFor = file
        this.error(
          `${file} would run in another order than that of the imports. Set build.rolldownOptions.output.strictExecutionOrder: true in vite.config.`,
        )
      },
    },
  }
}

/** Returns a module that would run at another time than in the sources. */
function misplacedModule(context: Rolldown.PluginContext, bundle: Rolldown.OutputBundle): string | undefined {
  const infoOf = (id: string) => context.getModuleInfo(id)
  const entries = [...context.getModuleIds()].filter((id) => (infoOf(id)?.dynamicImporters.length ?? 0) > 0)
  const start = [`${prefix}entry`, `${prefix}main`]
  return findMisplaced(
    Object.values(bundle).flatMap((output) => {
      if (output.type !== 'chunk') return []
      // Without the modules of which nothing is left.
      const ids = output.moduleIds.filter((id) => (output.modules[id]?.renderedLength ?? 0) > 0)
      return [{ ...output, moduleIds: ids }]
    }),
    {
      importsOf: (id) => infoOf(id)?.importedIds ?? [],
      isSensitive(id) {
        const code = infoOf(id)?.code
        const isOurs = id.startsWith(prefix) || isSoukFile(id) || isDependencyOfSouk(id)
        return !isOurs && !isCSSRequest(id) && !hasNoEffects(id) && typeof code === 'string' && !isInert(code)
      },
    },
    start,
    entries.filter((id) => !start.includes(id)),
  )
}

/** Checks if the module belongs to a package that declares that its modules can run at any time. */
function hasNoEffects(id: string): boolean {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//s.exec(id) ?? []
  return folder !== undefined && tryPackage(`${folder}package.json`).sideEffects === false
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

/** Modules that the first page imports, but whose functions only others use, on each platform. */
const unneededOnH5 = /\/carriers\/inFrame\.ts$|\/contract\/(?:src|dist)\/(?!time\.)/
const unneededInFrame = /\/contract\/(?:src|dist)\/bridgeCheck\.[jt]s$/

/** Functions of `neu` that other chunks than the services use if a page mentions them. */
const mentioned = ['storage', 'system', 'objects', 'index'].map((name) => `${runtimeFolder}/src/neu/${name}.ts`)

/**
 * Returns the chunks of modules of Souk and Vue. Those that the first page needs are one chunk, and the services
 * another: each request costs more time than its bytes. The project's own code is not among them, because it may run
 * only after the host's welcome, unless it is inert and the entry imports it. What App.vue and main.js import is one
 * chunk, even if pages import it too, because the scripts of chunks run before the chunk that imports them.
 */
function chunkNamesOf(app: MiniApp, context: Rolldown.ChunkingContext): ReadonlyMap<string, string> {
  const unneeded = app.platform === 'H5' ? unneededOnH5 : unneededInFrame
  const reached = (start: readonly string[], isLeftOut = (_: string) => false) => {
    const found = new Set<string>(start)
    for (const id of found) {
      for (const imported of context.getModuleInfo(id)?.importedIds ?? []) {
        if (!isLeftOut(imported)) found.add(imported)
      }
    }
    return [...found]
  }
  const isUnneeded = (id: string) => unneeded.test(id)
  const isShared = (id: string) => isSoukFile(id) || id === '\0plugin-vue:export-helper'
  const first = reached([`${prefix}main`, ...(app.launch ? [`\0${pageId(app.launch.path)}`] : [])], isUnneeded)
  const index = new Set([...reached([`${prefix}entry`], isUnneeded), ...first.filter(isShared)])
  const isOfPages = (id: string) =>
    context.getModuleInfo(id)?.importers.some((importer) => !isSoukFile(importer)) === true
  const ofPages = reached(mentioned.filter(isOfPages))
  const services = reached([`${runtimeFolder}/src/neu/services.ts`], (id) => ofPages.includes(id))
  const isInIndex = (id: string) => index.has(id)
  const ofMain = new Set(reached([`${prefix}main`], isInIndex))
  const pages = app.resolved.pages.map(({ path }) => `\0${pageId(path)}`)
  const isWithPages = reached(pages, isInIndex).some((id) => ofMain.has(id))
  const named = (name: string, ids: readonly string[]) => ids.map((id) => [id, name] as const)
  return new Map([
    ...(isWithPages ? named('main', [...ofMain]) : []),
    ...named('neu', ofPages),
    ...named('services', services),
    ...named('index', [...index]),
  ])
}
