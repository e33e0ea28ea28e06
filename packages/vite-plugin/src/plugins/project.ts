import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { projectFiles } from '@souk/project'
import {
  type BuildOptions,
  defaultClientConditions,
  isCSSRequest,
  type Plugin,
  type Rolldown,
  searchForWorkspaceRoot,
  type UserConfig,
} from 'vite'
import type { Compat } from '../compat.ts'
import { constantsOf } from '../constants.ts'
import type { MiniApp } from '../miniApp.ts'
import { outFolders } from '../options.ts'
import { findPackage } from '../packageJson.ts'
import { hasOtherVue, runsFromSources, soukFolders, vueFolder, vueFolderOf } from '../packages.ts'
import { conditional } from './conditional.ts'

/** Reads the project and configures Vite. It comes first: the other plug-ins use what it has read. */
export function project(app: MiniApp, compat: Compat): Plugin {
  return {
    name: 'souk:project',
    enforce: 'pre',
    async config(config, { command }) {
      app.isDevelopment = command === 'serve'
      const path = app.options.project ?? config.root ?? '.'
      await app.open(isAbsolute(path) ? path : resolve(path))
      compat.assertVue3()
      const { folder, root } = app
      const variables = Object.fromEntries(
        Object.entries(compat.variables()).map(([name, value]) => [`process.env.${name}`, JSON.stringify(value)]),
      )
      const packages = componentPackages(app)
      return {
        // Plug-ins of the ecosystem expect the folder of package.json and vite.config, not the one of pages.json.
        root: folder,
        base: baseOf(config.base, command),
        publicDir: config.publicDir ?? false,
        envDir: config.envDir ?? folder,
        cacheDir: config.cacheDir ?? join(folder, 'node_modules/.vite'),
        appType: 'custom',
        define: {
          ...constantsOf(app),
          ...variables,
        },
        css: {
          // Plug-ins such as UnoCSS generate rules that are not valid CSS. Browsers ignore these, with esbuild as well.
          lightningcss: { errorRecovery: true },
          ...(compat.hasWebpackStyles() && { postcss: { plugins: [] } }),
        },
        resolve: {
          conditions: [...(runsFromSources ? ['souk-source'] : []), ...defaultClientConditions],
          alias: [
            { find: /^~?@(?=\/)/, replacement: root },
            ...(root === folder ? [] : [{ find: rootFolders(app), replacement: `${root}/` }]),
          ],
          extensions: ['.mjs', '.js', '.mts', '.ts', '.jsx', '.tsx', '.json', '.uts', '.vue', '.nvue', '.uvue'],
        },
        optimizeDeps: {
          // Without Vue in the project, Vite discovers it with the first page.
          include: [
            ...(vueFolderOf(folder) === vueFolder ? ['vue'] : []),
            // Vite looks for the dependencies of included packages only.
            ...packages.flatMap(({ name, dependencies }) => dependencies.map((each) => `${name} > ${each}`)),
          ],
          exclude: [
            ...(hasOtherVue(folder) ? ['vue'] : []),
            // Their components are not bundled, and would share no state with scripts that are, such as `toast()`.
            ...packages.map(({ name }) => name),
            '@souk/runtime',
            '@souk/shell',
            '@souk/host-view',
            '@souk/tags',
            '@souk/contract',
            // Imported by the first call of a function of the host, when Vite would reload the page to bundle it.
            '@cfworker/json-schema',
            '@souk/pages',
            ...compat.runtimePackages,
          ],
          // The platform of the variables is part of the key of Vite's cache.
          rolldownOptions: { plugins: [conditional(app)], transform: { define: variables } },
        },
        server: {
          fs: {
            allow: [searchForWorkspaceRoot(folder), folder, ...soukFolders, vueFolder],
          },
        },
        build: {
          outDir: config.build?.outDir ?? join(folder, 'dist', outFolders[app.platform]),
          emptyOutDir: true,
          target: 'baseline-widely-available',
          ...currentMinifiers(config),
          modulePreload: { polyfill: false },
          reportCompressedSize: false,
          chunkSizeWarningLimit: 2000,
        },
      }
    },
    configResolved({ plugins }) {
      makeTransformsCallable(plugins)
      shareModulesOfChunks(plugins)
    },
  }
}

/** Returns the packages that contain components of a framework, with their own dependencies. */
function componentPackages({ folder, resolved }: MiniApp): { name: string; dependencies: string[] }[] {
  const ofRules = Object.values(resolved.easycom.custom).flatMap((target) => packageName.exec(target)?.[0] ?? [])
  const file = (name: string) => join(folder, 'node_modules', name, 'package.json')
  const project = findPackage(join(folder, 'package.json'))
  const ofMarket = Object.keys(project.dependencies ?? {}).filter(
    (name) => findPackage(file(name)).dcloudext !== undefined,
  )
  return [...new Set([...ofRules, ...ofMarket])]
    .filter((name) => existsSync(file(name)))
    .map((name) => ({ name, dependencies: Object.keys(findPackage(file(name)).dependencies ?? {}) }))
}

/** Matches the package in the target of an easycom rule. */
const packageName = /^(?:@[\w.-]+\/)?[\w.-]+(?=\/)/

/** Returns a relative base, so that releases work in any folder of a server, unless it is on another server. */
const baseOf = (base: string | undefined, command: 'build' | 'serve'): string =>
  base === undefined || (command === 'build' && base.startsWith('/') && !base.startsWith('//')) ? './' : base

/** Lets plug-ins for older Vite, such as UnoCSS, call what was a function then: `transform.call(…)`. */
function makeTransformsCallable(plugins: readonly Plugin[]): void {
  const hasUno = plugins.some(({ name }) => name.startsWith('unocss:'))
  for (const plugin of plugins) {
    const { name, transform } = plugin
    if (!name.startsWith('vite:') || typeof transform !== 'object') continue
    if (hasUno && name.startsWith('vite:css')) plugin.transform = asFunction(transform)
    else
      Object.assign(transform, {
        call: (...[self, ...rest]: unknown[]) => Reflect.apply(transform.handler, self, rest),
      })
  }
}

type TransformObject = Extract<Plugin['transform'], { handler: unknown }>

/** Makes a hook a function, which older versions of UnoCSS call as `transform(…)`. Newer ones read its `handler`. */
function asFunction(transform: TransformObject): TransformObject['handler'] & Pick<TransformObject, 'handler'> {
  /** The context of the last call by Vite, which calls by plug-ins lack. */
  let context: ThisParameterType<TransformObject['handler']> | undefined
  const called: TransformObject['handler'] = function (code, id, ...rest) {
    const isStyle = isCSSRequest(id) && !/[?&](?:commonjs-proxy|worker|sharedworker|raw|url)\b/.test(id)
    if (!isStyle) return undefined
    if (this?.environment) context = this
    // Another plug-in may have replaced it.
    return result.handler.call(context ?? this, code, id, ...rest)
  }
  const result = Object.assign(called, { handler: transform.handler })
  return result
}

/**
 * Lets plug-ins see the modules that others have added to a chunk while it is rendered, as in Rollup: UnoCSS adds its
 * styles this way for Vite's to emit them.
 */
function shareModulesOfChunks(plugins: readonly Plugin[]): void {
  const modules = new Map<string, Rolldown.RenderedChunk['modules']>()
  for (const plugin of plugins) {
    const { renderChunk } = plugin
    if (renderChunk === undefined || plugin.name.startsWith('souk:')) continue
    const handler = typeof renderChunk === 'function' ? renderChunk : renderChunk.handler
    const shared: typeof handler = function (code, chunk, ...more) {
      const { fileName } = chunk
      if (!modules.has(fileName)) modules.set(fileName, chunk.modules)
      Object.defineProperty(chunk, 'modules', { value: modules.get(fileName) })
      return handler.call(this, code, chunk, ...more)
    }
    plugin.renderChunk = typeof renderChunk === 'function' ? shared : { ...renderChunk, handler: shared }
  }
}

/** Matches absolute paths in the folder of pages.json, which the ecosystem resolves from there. */
function rootFolders({ root, folder, files }: MiniApp): RegExp {
  const other = new Set(projectFiles(folder).list('.'))
  const names = files
    .entries('.')
    .filter(({ name, kind }) => kind === 'folder' && !other.has(name) && !root.startsWith(`/${name}/`))
    .map(({ name }) => name.replace(/[^\w]/g, '\\$&'))
  // ReDoS: names of the project's own folders, escaped.
  return new RegExp(`^/(?=(?:${names.join('|')})/)`)
}

/**
 * Replaces esbuild and Terser, which configurations for older Vite name, by the minifiers that Vite has today. The
 * project's Terser may be too old for the code that Vite adds.
 */
function currentMinifiers({ build = {}, esbuild }: UserConfig): BuildOptions {
  const { minify, cssMinify, terserOptions } = build
  // Without esbuild and Terser installed, their options have no type.
  const { drop = [] } = (esbuild || {}) as { drop?: readonly string[] }
  const terser = ((minify === 'terser' && terserOptions) || {}) as { compress?: Record<string, unknown> }
  const compress = {
    dropConsole: drop.includes('console') || Boolean(terser.compress?.drop_console),
    dropDebugger: drop.includes('debugger') || Boolean(terser.compress?.drop_debugger),
  }
  const drops = compress.dropConsole || compress.dropDebugger
  return {
    ...((minify === 'esbuild' || minify === 'terser') && { minify: true }),
    ...(cssMinify === 'esbuild' && { cssMinify: true }),
    ...(drops &&
      minify !== false && { rolldownOptions: { output: { minify: { compress, mangle: true, codegen: true } } } }),
  }
}
