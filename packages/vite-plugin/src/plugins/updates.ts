import { stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { definesNames } from '@souk/pages'
import { pathInProject } from '@souk/project'
import pLimit from 'p-limit'
import { type Connect, normalizePath, type Plugin, type ViteDevServer } from 'vite'
import type { Configuration } from '../configuration.ts'
import type { MiniApp } from '../miniApp.ts'
import { prefix } from '../virtual.ts'
import { displayedDiagnostics } from './diagnostics.ts'

/**
 * Applies a changed pages.json to the open page without a reload. The page reloads only if pages or files were added or
 * removed, or if a file that failed to compile has been fixed.
 */
export function updates(app: MiniApp): Plugin {
  /** Absolute paths of requested files that failed to compile. */
  const broken = new Set<string>()
  /** Structure that the open pages were loaded with. */
  let structure = ''
  return {
    name: 'souk:updates',
    apply: 'serve',
    configureServer(server) {
      const limit = pLimit(1)
      // Changes that arrive during an update are applied by one more update.
      const update = () => {
        if (limit.pendingCount === 0) void limit(() => applyChange(app, server, () => structure))
      }
      const rechecks = new Map<string, NodeJS.Timeout>()
      server.environments.client.hot.on('souk:diagnostics', (_, client) => {
        client.send('souk:diagnostics', displayedDiagnostics(app))
      })
      server.watcher.on('change', (path, stats) => {
        if (stats) recheck(path, stats.mtimeMs)
      })
      /** The watcher drops a change within 50 ms of another one, such as the formatting of a file on save. */
      const recheck = (path: string, mtime: number) => {
        clearTimeout(rechecks.get(path))
        const timer = setTimeout(async () => {
          rechecks.delete(path)
          const now = await stat(path).catch(() => undefined)
          if (!now || now.mtimeMs === mtime) return
          server.watcher.emit('change', path, now)
          server.watcher.emit('all', 'change', path, now)
        }, 100)
        rechecks.set(path, timer.unref())
      }
      server.watcher.add(app.file)
      server.watcher.on('all', (event, path) => {
        const file = normalizePath(path)
        const isConfiguration = isConfigurationFile(app, file)
        // For other files, only their existence matters here.
        if (!isConfiguration && (event === 'change' || !file.startsWith(`${normalizePath(app.root)}/`))) return
        update()
      })
      const noteBroken: Connect.ErrorHandleFunction = (error: { id?: string }, _request, _response, next) => {
        if (error.id) broken.add(error.id.replace(/\?.*/s, ''))
        next(error)
      }
      // After the compiling middleware, before the error middleware.
      return () => server.middlewares.use(noteBroken)
    },
    transform: {
      filter: { id: /^\0virtual:souk\/entry$/ },
      handler() {
        structure = structureOf(app)
      },
    },
    hotUpdate({ file, modules }) {
      if (isConfigurationFile(app, file)) return []
      // Vite ignores modules that it has never compiled, so their importers have to be updated.
      const fixed = modules.filter((it) => it.isSelfAccepting === undefined && it.file && broken.has(it.file))
      for (const { file } of fixed) broken.delete(file!)
      return fixed.length > 0 ? [...modules, ...fixed.flatMap(({ importers }) => [...importers])] : undefined
    },
  }
}

/** Returns whether a file is pages.json or defines names that it uses. */
function isConfigurationFile({ file, root, config }: MiniApp, changed: string): boolean {
  return changed === normalizePath(file) || definesNames(pathInProject(root, changed), config.names)
}

async function applyChange(app: MiniApp, server: ViteDevServer, started: () => string): Promise<void> {
  const before = structureOf(app)
  const { configuration, text, diagnostics } = app
  const hadReport = app.report() !== undefined
  try {
    await waitForContent(app.file)
    await app.read()
  } catch {
    // Missing while an editor replaces it, or deleted, which the next start reports.
    return
  }
  const hasChanged = app.text !== text || structureOf(app) !== before || differ(configuration, app.configuration)
  if (!hasChanged && JSON.stringify(app.diagnostics) === JSON.stringify(diagnostics)) return
  if (hasChanged) logReport(app, server, hadReport)
  const { hot, moduleGraph } = server.environments.client
  for (const [id, module] of moduleGraph.idToModuleMap) {
    if (id.startsWith(prefix)) moduleGraph.invalidateModule(module)
  }
  hot.send('souk:diagnostics', displayedDiagnostics(app))
  if (structureOf(app) !== started()) {
    if (!app.errors.some(({ code }) => code.startsWith('syntax-'))) hot.send({ type: 'full-reload', path: '*' })
  } else if (differ(configuration, app.configuration)) hot.send('souk:configuration', app.configuration)
}

/** Waits up to 200 ms until a file has content: editors may truncate it before they write it. */
async function waitForContent(file: string): Promise<void> {
  for (let tries = 0; tries < 20 && (await stat(file)).size === 0; tries += 1) await wait(10)
}

/** Serializes what cannot change in a running app: its pages and their files. */
function structureOf(app: MiniApp): string {
  const { resolved, configuration } = app
  const files = resolved.pages.map((page) => [
    page.path,
    page.root,
    app.pageFile(page.path),
    app.subWindows(page).map(({ config, file }) => [config, file]),
  ])
  const windows = Object.entries(configuration.app.windows).map(([name, { path }]) => [name, app.pageFile(path)])
  const others = ['App.vue', 'main.ts', 'main.js', 'index.html'].map((file) => app.files.exists(file))
  const { rpxCalcMaxDeviceWidth, rpxCalcBaseDeviceWidth, rpxCalcIncludeWidth } = configuration.app.style
  return JSON.stringify([
    files,
    windows,
    app.customTabBar,
    others,
    rpxCalcMaxDeviceWidth,
    rpxCalcBaseDeviceWidth,
    rpxCalcIncludeWidth,
  ])
}

const differ = (a: Configuration, b: Configuration) => JSON.stringify(a) !== JSON.stringify(b)

/** Prints the report, or that there is none any more, so that an old one is not taken for the current one. */
function logReport(app: MiniApp, { config: { logger } }: ViteDevServer, hadReport: boolean): void {
  const report = app.report() ?? (hadReport ? `${app.file}: nothing to report.` : undefined)
  if (report !== undefined) logger.warn(`\n${report}\n`, { timestamp: false })
}
