import { stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type Connect, normalizePath, type Plugin, type ViteDevServer } from 'vite'
import type { Configuration } from '../configuration.ts'
import type { MiniApp } from '../miniApp.ts'
import { prefix } from '../virtual.ts'
import { displayedDiagnostics } from './diagnostics.ts'

/**
 * Takes a changed pages.json into the open page without a reload. Only where pages or files came or went does the page start anew, and where
 * a file is mended that could not be compiled until now. What seems to be gone from a file that is being written is waited for.
 */
export function updates(app: MiniApp): Plugin {
  /** Absolute paths of files that somebody asked for and could not have. */
  const broken = new Set<string>()
  /** What open pages were started with, as far as it cannot change under them. */
  let structure = ''
  return {
    name: 'souk:updates',
    apply: 'serve',
    configureServer(server) {
      const update = coalesce(() => applyChange(app, server, () => structure))
      let again: ReturnType<typeof setTimeout> | undefined
      server.watcher.add(app.file)
      server.watcher.on('all', (event, path) => {
        const file = normalizePath(path)
        const isConfiguration = file === normalizePath(app.file)
        // Whether a file is there is all that pages.json asks of it.
        if (!isConfiguration && (event === 'change' || !file.startsWith(`${normalizePath(app.root)}/`))) return
        void update()
        // A change right after another one, as when a file is formatted on saving, is not told.
        clearTimeout(again)
        again = setTimeout(update, 150)
      })
      server.httpServer?.on('close', () => clearTimeout(again))
      const noteBroken: Connect.ErrorHandleFunction = (error: { id?: string }, _request, _response, next) => {
        if (error.id) broken.add(error.id.replace(/\?.*/s, ''))
        next(error)
      }
      // Behind what compiles, before what tells of faults.
      return () => server.middlewares.use(noteBroken)
    },
    transform: {
      filter: { id: /^\0virtual:souk\/entry$/ },
      handler() {
        structure = structureOf(app)
      },
    },
    hotUpdate({ file, modules }) {
      if (file === normalizePath(app.file)) return []
      // Vite passes over modules that it has never compiled: what waits for them has to be told.
      const mended = modules.filter((it) => it.isSelfAccepting === undefined && it.file && broken.has(it.file))
      for (const { file } of mended) broken.delete(file!)
      return mended.length > 0 ? [...modules, ...mended.flatMap(({ importers }) => [...importers])] : undefined
    },
  }
}

async function applyChange(app: MiniApp, server: ViteDevServer, started: () => string): Promise<void> {
  const before = structureOf(app)
  const { configuration, text, diagnostics } = app
  try {
    await waitForContent(app.file)
    await app.read()
  } catch {
    // Gone for a moment, as when an editor writes it anew; or gone for good, which the next start will say.
    return
  }
  const hasChanged = app.text !== text || structureOf(app) !== before
  if (!hasChanged && JSON.stringify(app.diagnostics) === JSON.stringify(diagnostics)) return
  if (hasChanged) logReport(app, server)
  const { hot, moduleGraph } = server.environments.client
  for (const [id, module] of moduleGraph.idToModuleMap) {
    if (id.startsWith(prefix) || id === '\0virtual:souk-diagnostics') moduleGraph.invalidateModule(module)
  }
  hot.send('souk:diagnostics', displayedDiagnostics(app))
  if (structureOf(app) !== started()) {
    if (!app.errors.some(({ code }) => code.startsWith('syntax-'))) hot.send({ type: 'full-reload', path: '*' })
  } else if (differ(configuration, app.configuration)) hot.send('souk:configuration', app.configuration)
}

/** Until a file holds something: who saves it may empty it first, and the system may tell of both at once. Not longer than a fifth of a second. */
async function waitForContent(file: string): Promise<void> {
  for (let tries = 0; tries < 20 && (await stat(file)).size === 0; tries += 1) await wait(10)
}

/** What cannot change under a running app: its pages and the files that they are. */
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
  return JSON.stringify([files, windows, others, rpxCalcMaxDeviceWidth, rpxCalcBaseDeviceWidth, rpxCalcIncludeWidth])
}

const differ = (a: Configuration, b: Configuration) => JSON.stringify(a) !== JSON.stringify(b)

function logReport(app: MiniApp, { config: { logger } }: ViteDevServer): void {
  const report = app.report()
  if (report !== undefined) logger.warn(`\n${report}\n`, { timestamp: false })
}

/** Runs one after the other, and once for all calls that come in while it runs. */
function coalesce(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let isQueued = false
  return async () => {
    if (running) {
      isQueued = true
      return running
    }
    do {
      isQueued = false
      running = run()
      await running.finally(() => {
        running = undefined
      })
    } while (isQueued)
  }
}
