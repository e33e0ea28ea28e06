/** Development client: applies a changed pages.json without a reload and shows start modes and diagnostics. */

import type { AppConfig, PageConfig } from '@souk/shell/config'
import type { HostMethods } from '@souk/shell/host'
import { watchDiagnostics } from './diagnostics.ts'
import { selectedMode, showStartModes } from './startModes.ts'

/** In a frame, the host's page shows the panels and chooses the start page. */
const isInFrame = window.parent !== window

const configs = new Map<string, PageConfig>()

/** Registers a page's configuration, which hot updates change in place for when the page is opened again. */
export function registerConfig(config: PageConfig): PageConfig {
  configs.set(config.path, config)
  return config
}

/** Returns the app's configuration with the selected start mode. */
export function withStartMode(app: AppConfig): AppConfig {
  const { condition } = app
  if (isInFrame || condition === undefined || condition.list.length === 0) return app
  const current = selectedMode() ?? condition.current
  showStartModes(condition.list, current)
  return { ...app, condition: { ...condition, current } }
}

/** Creates the host of an app that is its own page. */
export async function createHost(): Promise<HostMethods> {
  const { developmentHost } = await import('@souk/host-view/developmentHost')
  return developmentHost({ appid: __SOUK_APPID__, server: __SOUK_SERVER__ })
}

let hasFailed = false

/** Reloads the document with the next update if loading a page fails: browsers cache failed imports. */
export function reloadAfterFailure<T>(page: Promise<T>): Promise<T> {
  page.catch(() => {
    hasFailed = true
  })
  return page
}
import.meta.hot?.on('vite:beforeUpdate', () => {
  if (hasFailed) location.reload()
})

/** Calls `update` with a changed configuration, and for each registered page whose configuration changed. */
export function onConfiguration(update: (app: AppConfig, page?: PageConfig) => void): void {
  import.meta.hot?.on('souk:configuration', ({ app, pages }: { app: AppConfig; pages: PageConfig[] }) => {
    const started = withStartMode(app)
    update(started)
    for (const page of pages) {
      const current = configs.get(page.path)
      if (current === undefined || JSON.stringify(current) === JSON.stringify(page)) continue
      current.style = page.style
      if (page.appearances) current.appearances = page.appearances
      else delete current.appearances
      update(started, current)
    }
  })
}

if (!isInFrame) watchDiagnostics()
