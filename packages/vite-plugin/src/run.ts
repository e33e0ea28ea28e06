import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Platform } from '@souk/pages'
import { choosePlatform } from '@souk/project'
import pLimit from 'p-limit'
import {
  build,
  type ConfigEnv,
  createLogger,
  createServer,
  type IndexHtmlTransformHook,
  type InlineConfig,
  type Logger,
  mergeConfig,
  normalizePath,
  type Plugin,
  type PluginOption,
  resolveConfig as resolveViteConfig,
  type UserConfig,
} from 'vite'
import { MiniApp } from './miniApp.ts'
import type { Options } from './options.ts'
import { isSoukFile } from './packages.ts'
import type { ExecutionOrder } from './plugins/chunks.ts'
import { devicePath } from './plugins/document.ts'
import { Mistakes, withMistakes } from './plugins/mistakes.ts'
import { clearOutFolder } from './plugins/outFolder.ts'
import { sourceMapFolder } from './plugins/sourceMaps.ts'
import { ConfigError, loadProjectConfig, missingPackage, viteConfigOf } from './projectConfig.ts'
import { souk } from './souk.ts'
import { unlessStalled } from './stalled.ts'
import { type OptionsApi, pluginPackages, registerModuleHooks, setEcosystemVariables } from './uniCompat/index.ts'

export interface ServeOptions extends Options {
  project: string
  /** Fails if the port is in use (default: the first free port from 5173). */
  port?: number
  /** Address to listen on, such as `192.168.1.7`; `true` listens on all addresses (default: localhost only). */
  host?: string | true
  /** Opens the app in a browser (default: false). */
  open?: boolean
}

export interface DevServer {
  /**
   * Absolute URLs of the mini app (H5) or of the device page around it (App, Mini App). The local URL comes first;
   * network URLs follow if `host` allows them.
   */
  readonly urls: readonly string[]
  close(): Promise<void>
}

/**
 * Serves a mini app for development, with hot module replacement.
 *
 * @throws ProjectError if the project has no pages.json
 * @throws VueVersionError if the project is written for Vue 2
 */
export async function serve({ port, host, open = false, ...given }: ServeOptions): Promise<DevServer> {
  const options = withPlatform(given)
  const path = options.platform === 'H5' ? '/' : devicePath
  const more: InlineConfig = {
    server: {
      ...(port !== undefined && { port, strictPort: true }),
      ...(host !== undefined && { host }),
      open: open && path,
    },
  }
  const server = await limit(() =>
    inProject(options, async (folder) => createServer(await resolveConfig(options, folder, 'serve', more))),
  )
  await server.listen().catch(async (error: unknown) => {
    // Vite logs the stack of a scan for dependencies that is interrupted by the end of the server.
    await server.environments.client.depsOptimizer?.scanProcessing
    await server.close()
    throw error
  })
  const { local = [], network = [] } = server.resolvedUrls ?? {}
  return {
    urls: [...local, ...network].map((url) => new URL(path, url).href),
    close: () => server.close(),
  }
}

export interface ReleaseOptions extends Options {
  project: string
  /**
   * Output folder, created or emptied first (default: `dist/h5`, `dist/app` or `dist/mini-app` in the project).
   */
  out?: string
}

export interface Release {
  /** Absolute path of the output folder. */
  readonly folder: string
  /** All files, sorted by path relative to `folder`. `gzipped` is the compressed size in bytes. */
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly gzipped: number }[]
  /** Scripts that a browser fetches before it shows the launch page: the entry first, then its dependencies. */
  readonly firstLoad: readonly string[]
  /** Absolute path of the folder of source maps: `assets/a.js.map` is that of `assets/a.js`. */
  readonly sourceMaps: string
}

/** Builds in one process run one at a time: they share variables, working directory and the cache of Vue's compiler. */
const limit = pLimit(1)

/**
 * Builds the release of a mini app for one platform.
 *
 * @throws ProjectError if the project has no pages.json
 * @throws VueVersionError if the project is written for Vue 2
 * @throws PagesError if pages.json has errors
 * @throws FolderError if the output folder contains anything but a release, or is a file
 * @throws ConfigError if vite.config cannot be loaded, or waits for a promise that nothing is left to settle
 */
export function release(options: ReleaseOptions): Promise<Release> {
  return limit(() => buildRelease(options))
}

async function buildRelease({ out, ...given }: ReleaseOptions): Promise<Release> {
  const options = withPlatform(given)
  let folder = ''
  let base = ''
  const recordOutDir: PluginOption = {
    name: 'souk:record-out-dir',
    configResolved: (config) => {
      folder = resolve(config.root, config.build.outDir)
      base = config.base
    },
  }
  const more: InlineConfig = { plugins: [recordOutDir], ...(out !== undefined && { build: { outDir: out } }) }
  // The calling process may run in development or test mode; a release is always a production build.
  await withVariable('NODE_ENV', 'production', () =>
    inProject(options, (project) => {
      const built = buildUntilComplete(options, project, more, () => clearOutFolder(folder))
      return unlessStalled(built, viteConfigOf(project))
    }),
  )
  const firstLoad = firstScripts(readFileSync(join(folder, 'index.html'), 'utf8'), base)
  return { folder, files: listFiles(folder), firstLoad, sourceMaps: sourceMapFolder(folder) }
}

/** Returns the scripts that a document loads. With a base on another server, most have that address. */
function firstScripts(html: string, base: string): string[] {
  const addresses = [...html.matchAll(/\b(?:src|href)="([^"]+\.js)"/g)].map(([, address]) => address!)
  const own = ['./', base].filter((prefix) => prefix !== '')
  return [
    ...new Set(
      addresses.flatMap((address) => {
        const prefix = own.find((each) => address.startsWith(each))
        return prefix === undefined ? [] : [address.slice(prefix.length)]
      }),
    ),
  ]
}

/** Repeats a build that has failed because of what is only known after it. */
async function buildUntilComplete(
  options: ProjectOptions,
  folder: string,
  more: InlineConfig,
  clear: () => void,
): Promise<void> {
  const mistakes = new Mistakes()
  const logger = buildLogger()
  let again = more
  for (;;) {
    const config = mergeConfig({ customLogger: logger }, await resolveConfig(options, folder, 'build', again))
    try {
      await build(config)
      return
    } catch (error) {
      const file = again.define === undefined ? reportOf<OptionsApi>(config, 'missingFor') : undefined
      const moved = again.build?.rolldownOptions ? undefined : reportOf<ExecutionOrder>(config, 'changedFor')
      if (file !== undefined) {
        again = { ...again, define: { __VUE_OPTIONS_API__: 'true' } }
        logger.warn(
          `${file} uses Vue's Options API: building again with it. To build once, set define: { __VUE_OPTIONS_API__: 'true' } in vite.config.`,
        )
      } else if (moved !== undefined) {
        again = mergeConfig(again, { build: { rolldownOptions: { output: { strictExecutionOrder: true } } } })
        logger.warn(
          `${moved} would run in another order than that of the imports: building again in this order. To build once, set build.rolldownOptions.output.strictExecutionOrder: true in vite.config.`,
        )
      } else if (mistakes.add(error)) {
        again = { ...again, plugins: [more.plugins, withMistakes(mistakes)] }
        logger.warn('Building again with corrections of the mistakes below.')
      } else {
        throw error
      }
      clear()
    }
  }
}

/** Returns a logger that prints each warning once, and leaves failures to the caller, because builds are repeated. */
function buildLogger(): Logger {
  const logger = createLogger('warn')
  const { error } = logger
  logger.warn = logger.warnOnce
  logger.error = (message, options) => {
    if (!/^\S+ Build failed in /.test(stripVTControlCharacters(message))) error(message, options)
  }
  return logger
}

function listFiles(folder: string): Release['files'] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const file = join(parentPath, name)
      const bytes = readFileSync(file)
      return {
        path: normalizePath(relative(folder, file)),
        bytes: bytes.length,
        gzipped: gzipSync(bytes).length,
      }
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Options of a project whose platform is chosen. */
type ProjectOptions = Options & { project: string; platform: Platform }

const withPlatform = <O extends Options & { project: string }>(options: O): O & { platform: Platform } => ({
  ...options,
  platform: choosePlatform(resolve(options.project), options.platform).platform,
})

/** Plug-ins and configuration files of the ecosystem look for files relative to the working directory. */
async function inProject<T>(options: ProjectOptions, run: (folder: string) => Promise<T>): Promise<T> {
  // If vite.config calls souk() itself, it must build for the platform requested here.
  return withVariable('SOUK_PLATFORM', options.platform, () => inFolder(options, run))
}

async function inFolder<T>({ project, ...options }: ProjectOptions, run: (folder: string) => Promise<T>): Promise<T> {
  const app = new MiniApp(options)
  await app.locate(resolve(project))
  setEcosystemVariables(app)
  registerModuleHooks()
  const before = process.cwd()
  process.chdir(app.folder)
  try {
    return await run(app.folder)
  } catch (error) {
    // Plug-ins load files such as uno.config.ts, which may import such a package.
    const problem = error instanceof Error ? missingPackage(error) : undefined
    throw problem ? new ConfigError(problem) : error
  } finally {
    process.chdir(before)
  }
}

/** Runs `run` with an environment variable, and restores the variable. */
async function withVariable<T>(name: string, value: string, run: () => Promise<T>): Promise<T> {
  const before = process.env[name]
  process.env[name] = value
  try {
    return await run()
  } finally {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  }
}

/** Merges the project's own vite.config, which may already contain Souk's plug-ins. */
async function resolveConfig(
  options: ProjectOptions,
  folder: string,
  command: 'serve' | 'build',
  more: InlineConfig,
): Promise<InlineConfig> {
  const mode = command === 'serve' ? 'development' : 'production'
  const { config, plugins } = await loadConfig(folder, { command, mode })
  return mergeConfig(config, {
    configFile: false,
    root: config.root ?? folder,
    mode,
    logLevel: 'warn',
    clearScreen: false,
    ...more,
    plugins: [hasSouk(plugins) ? [] : souk(options), more.plugins],
  })
}

interface LoadedConfig {
  config: UserConfig
  plugins: Plugin[]
}

/**
 * Loads the project's vite.config. Plug-ins that write pages.json from the pages run first, because Souk reads it
 * before Vite calls them, and are then created again, as they expect to run once.
 */
async function loadConfig(folder: string, env: ConfigEnv): Promise<LoadedConfig> {
  const load = async (): Promise<LoadedConfig> => {
    const config = (await loadProjectConfig(folder, env, pluginPackages)) ?? {}
    const plugins = (await Promise.all([config.plugins ?? []].flat(5))).flat(5)
    const named = plugins.filter((plugin) => plugin && 'name' in plugin) as Plugin[]
    // A configuration that contains Souk's plug-ins is written for it, and they compile the runtime.
    if (!hasSouk(named)) for (const plugin of named) adapt(plugin)
    return { config: { ...config, plugins: named }, plugins: named }
  }
  const { config, plugins } = await load()
  if (!plugins.some(({ name }) => mayWritePages.test(name))) return { config, plugins }
  const quiet: InlineConfig = { configFile: false, root: config.root ?? folder, logLevel: 'warn' }
  await resolveViteConfig({ ...config, ...quiet, plugins }, env.command, env.mode)
  return load()
}

/**
 * Adapts a plug-in of the project, in place, because plug-ins find each other in the configuration. It must not change
 * the runtime, which it does not expect outside of node_modules, and it may be written for older Vite.
 */
function adapt(plugin: Plugin): void {
  const { transform, transformIndexHtml: ofHtml } = plugin
  if (transform !== undefined) {
    const handler = typeof transform === 'function' ? transform : transform.handler
    const limited: typeof handler = function (code, id, ...more) {
      return isSoukFile(id) ? undefined : handler.call(this, code, id, ...more)
    }
    plugin.transform = typeof transform === 'function' ? limited : { ...transform, handler: limited }
  }
  // Before Vite 5 these keys had other names.
  const { enforce, transform: handler } = (ofHtml ?? {}) as {
    enforce?: 'pre' | 'post'
    transform?: IndexHtmlTransformHook
  }
  if (handler !== undefined) plugin.transformIndexHtml = { ...(enforce && { order: enforce }), handler }
}

/** Returns what a plug-in reports about a failed build. */
const reportOf = <Api extends object>({ plugins = [] }: InlineConfig, name: keyof Api): Api[keyof Api] | undefined =>
  ([plugins].flat(5) as Plugin[])
    .map((plugin) => (plugin?.api as Partial<Api> | undefined)?.[name])
    .find((value) => value !== undefined)

const hasSouk = (plugins: readonly Plugin[]): boolean => plugins.some(({ name }) => name === 'souk:project')

/** Matches names such as `vite-plugin-uni-pages`. */
const mayWritePages = /\bpages\b/i
