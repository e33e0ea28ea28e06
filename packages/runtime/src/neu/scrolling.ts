import { nextTick } from 'vue'
import type { PageControls } from '../page/renderedPage.ts'
import { currentPage } from '../stack/app.ts'
import type { Options } from './table/types.ts'

export async function startPullDownRefresh(): Promise<void> {
  await (await controls()).startPullDownRefresh()
}

export async function stopPullDownRefresh(): Promise<void> {
  ;(await controls()).stopPullDownRefresh()
}

export async function pageScrollTo({
  scrollTop,
  selector,
  offsetTop,
  duration,
}: Options<'pageScrollTo'>): Promise<void> {
  if (scrollTop === undefined && selector === undefined) throw new Error('scrollTop or selector is required')
  await (await controls()).scrollTo({ scrollTop, selector, offsetTop, duration })
}

/** Returns the controls of the page, which is not rendered yet in onLoad. */
async function controls(): Promise<PageControls> {
  const page = currentPage()
  if (!page.controls?.scroller) await nextTick()
  if (!page.controls?.scroller) throw new Error('the page is not rendered yet')
  return page.controls
}
