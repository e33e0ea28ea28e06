import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
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
  /** Refused where it is taken (default: the first free one from 5173 on). */
  port?: number
  /** The address to listen on, such as `192.168.1.7`; true for every address of this machine (default: localhost, which others do not reach). */
  host?: string | true
  /** Whether a browser is opened (default: false). */
  open?: boolean
}

export interface DevServer {
  /**
   * Whole addresses of the same page: the mini app itself (H5), or the device page that holds it (App, Mini App). The first one is for a browser on this
   * machine; those for others in the network follow, where `host` lets them in.
   */
  readonly urls: readonly string[]
  close(): Promise<void>
}

/** Serves a mini app for development, with hot update. @throws ProjectError where there is none */
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
  /** Path of the release's folder, which is made or emptied (default: `dist/h5`, `dist/app` or `dist/mini-app` of the project). */
  out?: string
}

export interface Release {
  /** Absolute path of where it is. */
  readonly folder: string
  /** Everything that is in it, by paths from `folder`, sorted. Sizes in bytes; `gzipped` is what a server that compresses sends. */
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly gzipped: number }[]
  /** Those of `files` that are scripts which a browser fetches before it shows the launch page: the entry first, then what that page needs. */
  readonly firstLoad: readonly string[]
}

/** The release that is under way, and those behind it. */
let line: Promise<unknown> = Promise.resolve()

/**
 * Builds the release of a mini app for one platform. In one process they are built one after the other: they share NODE_ENV, and
 * what the compiler of Vue files remembers of them.
 *
 * @throws ProjectError where there is no mini app
 * @throws PagesFault where its pages.json has errors
 * @throws FolderFault where the folder holds something else than a release, or is a file
 */
export function release(options: ReleaseOptions): Promise<Release> {
  const made = line.then(() => releaseNow(options))
  line = made.catch(() => {})
  return made
}

async function releaseNow({ out, ...options }: ReleaseOptions): Promise<Release> {
  let folder = ''
  const recordOutDir: PluginOption = {
    name: 'souk:note-folder',
    configResolved: ({ root, build: { outDir } }) => {
      folder = resolve(root, outDir)
    },
  }
  const more: InlineConfig = { plugins: [recordOutDir], ...(out !== undefined && { build: { outDir: out } }) }
  // Whatever runs this is in development or under test itself; what it makes is not.
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  try {
    await build(await resolveConfig(options, 'build', more))
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
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
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const scripts = [...html.matchAll(/\b(?:src|href)="\.\/([^"]+\.js)"/g)].map(([, path]) => path!)
  return { folder, files, firstLoad: [...new Set(scripts)] }
}

/** Together with the settings of the project's own vite.config, which may bring these plug-ins itself. */
async function resolveConfig(
  { project, ...options }: Options & { project: string },
  command: 'serve' | 'build',
  more: InlineConfig,
): Promise<InlineConfig> {
  const mode = command === 'serve' ? 'development' : 'production'
  const folder = basename(project) === 'pages.json' ? dirname(project) : project
  // Plug-ins that the configuration makes itself are for the platform that is asked for here.
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
