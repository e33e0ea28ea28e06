import { nextTick } from 'vue'
import { changePageMeta, type PageMetaChanges } from '../page/pageMeta.ts'
import { rpx2px } from '../page/rpx2px.ts'
import { currentPage } from '../stack/app.ts'

/** The attributes of the tag `page-meta`. */
export interface PageMetaOptions extends PageMetaChanges {
  backgroundColor?: string
  backgroundColorTop?: string
  backgroundColorBottom?: string
  backgroundTextStyle?: 'dark' | 'light'
  /** Position to scroll to, in px or rpx. */
  scrollTop?: number | string
  /** In ms. */
  scrollDuration?: number
}

const styleNames = ['backgroundColor', 'backgroundColorTop', 'backgroundColorBottom', 'backgroundTextStyle'] as const

/** Changes the page on top, like the tag `page-meta`. Options that are omitted keep what was set before. */
export async function setPageMeta(options: PageMetaOptions): Promise<object> {
  const page = currentPage()
  const style = styleNames.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]))
  if (style.length > 0) page.style = { ...page.style, ...Object.fromEntries(style) }
  changePageMeta(page, options)
  const { scrollTop = '', scrollDuration } = options
  if (scrollTop !== '') {
    await nextTick()
    const position = String(scrollTop)
    const target = /[ru]px$/.test(position) ? rpx2px(position) : Number.parseFloat(position)
    await page.controls?.scrollTo({ scrollTop: target, duration: scrollDuration })
  }
  return {}
}
