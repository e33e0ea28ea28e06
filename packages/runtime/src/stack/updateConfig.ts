import { type AppConfig, type PageConfig, styleOf } from '../config.ts'
import { setRpx } from '../page/rpx.ts'
import { currentApp } from './app.ts'
import { allPages } from './stackState.ts'

/**
 * Takes a changed pages.json into the running app: bars, tabs and styles of the pages that are open change without a reload. `page` is the
 * configuration of one page, as its module has it now.
 */
export function updateConfig(config: AppConfig, page?: PageConfig): void {
  const app = currentApp()
  app.config = config
  setRpx(config.style)
  for (const each of allPages(app.stackState)) {
    if (each.path === page?.path) each.config = page
    each.style = styleOf(config, each.config)
  }
}
