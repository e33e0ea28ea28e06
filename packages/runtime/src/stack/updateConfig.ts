import type { AppConfig, PageConfig } from '@souk/shell/config'
import { setRpx } from '../page/rpx.ts'
import { currentApp, pageStyle } from './app.ts'
import { allPages } from './stackState.ts'

/**
 * Applies a changed pages.json to the running app without a reload. `page` is the new configuration of one page, from
 * its module.
 */
export function updateConfig(config: AppConfig, page?: PageConfig): void {
  const app = currentApp()
  app.config = config
  setRpx(config.style)
  for (const each of allPages(app.stackState)) {
    if (each.path === page?.path) each.config = page
    each.style = pageStyle(app, each.config)
  }
}
