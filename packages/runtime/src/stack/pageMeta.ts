import { effectScope, watchEffect } from 'vue'
import type { PageMeta } from '../page/renderedPage.ts'
import { rpxStyle } from '../page/rpx.ts'
import { running } from './app.ts'
import type { PageInstance } from './page.ts'

/** What `page-meta` and `neu.setPageMeta` change beside the style in pages.json. An empty text takes it back. */
export interface PageMetaChanges {
  /** Style of the element `page`. A `direction` is also that of the page's bar; `overflow: hidden` stops scrolling. */
  pageStyle?: string | undefined
  /** Font size that the unit rem refers to while the page is on top; `system` is that of the browser. */
  rootFontSize?: string | undefined
  /** Background of the element `page`. */
  rootBackgroundColor?: string | undefined
}

/** Changes how a page looks. Properties that are omitted stay as they are. */
export function changePageMeta(page: PageInstance, { pageStyle, rootFontSize, rootBackgroundColor }: PageMetaChanges) {
  const meta: PageMeta = { ...page.meta }
  if (rootBackgroundColor !== undefined) meta.background = rootBackgroundColor
  if (rootFontSize !== undefined) {
    meta.rootFontSize = rpxStyle(rootFontSize)
    followRootFontSize()
  }
  if (pageStyle !== undefined) {
    meta.style = rpxStyle(pageStyle)
    const { style } = document.createElement('div')
    style.cssText = meta.style
    meta.isFixed = style.overflowY === 'hidden'
    const { direction } = style
    page.overrides = {
      ...page.overrides,
      direction: direction === 'rtl' || direction === 'ltr' ? direction : undefined,
    }
  }
  page.meta = meta
}

let isFollowing = false
let isSet = false

/** Gives the document the font size of the page on top. Without one, it keeps what the project has set. */
function followRootFontSize(): void {
  if (isFollowing) return
  isFollowing = true
  effectScope(true).run(() =>
    watchEffect(() => {
      const size = running?.top?.meta.rootFontSize
      if (size || isSet) document.documentElement.style.fontSize = !size || size === 'system' ? '' : size
      isSet = Boolean(size)
    }),
  )
}
