/** What an app in development has besides: it takes a changed pages.json without a reload, and shows start modes and diagnostics. */

import initialDiagnostics from 'virtual:souk-diagnostics'
import type { AppConfig, PageConfig } from '@souk/runtime/config'
import { showDiagnostics } from './diagnostics.ts'
import { selectedMode, showStartModes } from './startModes.ts'

/** In a frame the host's page shows what there is to show, and says where the app begins. */
const isInFrame = window.parent !== window

const configs = new Map<string, PageConfig>()

/** The configuration of a page, as its module was made with it; a hot update changes it in place, for when the page is opened again. */
export function registerConfig(config: PageConfig): PageConfig {
  configs.set(config.path, config)
  return config
}

/** The app's configuration with the start mode that was chosen. */
export function withStartMode(app: AppConfig): AppConfig {
  const { condition } = app
  if (isInFrame || condition === undefined || condition.list.length === 0) return app
  const current = selectedMode() ?? condition.current
  showStartModes(condition.list, current)
  return { ...app, condition: { ...condition, current } }
}

let hasFailed = false

/** A page that is being loaded. Browsers keep the failure of an import: with the next update, which may mend it, the document starts anew. */
export function reloadAfterFailure<T>(page: Promise<T>): Promise<T> {
  page.catch(() => {
    hasFailed = true
  })
  return page
}
import.meta.hot?.on('vite:beforeUpdate', () => {
  if (hasFailed) location.reload()
})

/** Takes a changed configuration, and tells `update` of it and of every page that it knows. */
export function onConfiguration(update: (app: AppConfig, page?: PageConfig) => void): void {
  import.meta.hot?.on('souk:configuration', ({ app, pages }: { app: AppConfig; pages: PageConfig[] }) => {
    const started = withStartMode(app)
    update(started)
    for (const page of pages) {
      const known = configs.get(page.path)
      if (known === undefined || JSON.stringify(known) === JSON.stringify(page)) continue
      known.style = page.style
      update(started, known)
    }
  })
}

if (!isInFrame) {
  showDiagnostics(initialDiagnostics)
  import.meta.hot?.on('souk:diagnostics', showDiagnostics)
}
