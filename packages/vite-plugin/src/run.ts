import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import pLimit from 'p-limit'
import {
  build,
  createServer,
  type InlineConfig,
  loadConfigFromFile,
  mergeConfig,
  normalizePath,
  type PluginOption,
} from 'vite'
import type { Options } from './options.ts'
import { devicePath } from './plugins/document.ts'
import { souk } from './souk.ts'

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
 */
export async function serve({ port, host, open = false, ...options }: ServeOptions): Promise<DevServer> {
  const path = options.platform === undefined || options.platform === 'H5' ? '/' : devicePath
  const server = await createServer(
    await resolveConfig(options, 'serve', {
      server: {
        ...(port !== undefined && { port, strictPort: true }),
        ...(host !== undefined && { host }),
        open: open && path,
      },
    }),
  )
  await server.listen()
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
}

/** Builds in one process run one at a time: they share NODE_ENV and the cache of Vue's compiler. */
const limit = pLimit(1)

/**
 * Builds the release of a mini app for one platform.
 *
 * @throws ProjectError if the project has no pages.json
 * @throws PagesError if pages.json has errors
 * @throws FolderError if the output folder contains anything but a release, or is a file
 */
export function release(options: ReleaseOptions): Promise<Release> {
  return limit(() => buildRelease(options))
}

async function buildRelease({ out, ...options }: ReleaseOptions): Promise<Release> {
  let folder = ''
  const recordOutDir: PluginOption = {
    name: 'souk:record-out-dir',
    configResolved: ({ root, build: { outDir } }) => {
      folder = resolve(root, outDir)
    },
  }
  const more: InlineConfig = { plugins: [recordOutDir], ...(out !== undefined && { build: { outDir: out } }) }
  // The calling process may run in development or test mode; a release is always a production build.
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  try {
    await build(await resolveConfig(options, 'build', more))
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const scripts = [...html.matchAll(/\b(?:src|href)="\.\/([^"]+\.js)"/g)].map(([, path]) => path!)
  return { folder, files: listFiles(folder), firstLoad: [...new Set(scripts)] }
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

/** Merges the project's own vite.config, which may already contain Souk's plug-ins. */
async function resolveConfig(
  { project, ...options }: Options & { project: string },
  command: 'serve' | 'build',
  more: InlineConfig,
): Promise<InlineConfig> {
  const mode = command === 'serve' ? 'development' : 'production'
  const folder = basename(project) === 'pages.json' ? dirname(project) : project
  // If vite.config calls souk() itself, it must build for the platform requested here.
  const { SOUK_PLATFORM: before } = process.env
  if (options.platform) process.env.SOUK_PLATFORM = options.platform
  const found = await loadConfigFromFile({ command, mode }, undefined, folder, 'error')
  if (before === undefined) delete process.env.SOUK_PLATFORM
  else process.env.SOUK_PLATFORM = before
  const plugins = (await Promise.all([found?.config.plugins ?? []].flat(5))).flat(5)
  const hasSoukPlugins = plugins.some((plugin) => plugin && 'name' in plugin && plugin.name === 'souk:project')
  return mergeConfig(found?.config ?? {}, {
    configFile: false,
    root: found?.config.root ?? folder,
    mode,
    logLevel: 'warn',
    clearScreen: false,
    ...more,
    plugins: [hasSoukPlugins ? [] : souk({ project, ...options }), more.plugins],
  })
}
