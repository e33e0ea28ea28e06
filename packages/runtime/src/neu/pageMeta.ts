import { nextTick } from 'vue'
import { rpx2px } from '../page/rpx2px.ts'
import { currentPage } from '../stack/app.ts'
import { changePageMeta } from '../stack/pageMeta.ts'
import type { Options } from './table/types.ts'

const styleNames = ['backgroundColor', 'backgroundColorTop', 'backgroundColorBottom', 'backgroundTextStyle'] as const

export async function setPageMeta(options: Options<'setPageMeta'>): Promise<object> {
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

export const setBackgroundColor = ({
  backgroundColor,
  backgroundColorTop,
  backgroundColorBottom,
}: Options<'setBackgroundColor'>): Promise<object> =>
  setPageMeta({ backgroundColor, backgroundColorTop, backgroundColorBottom })

export const setBackgroundTextStyle = ({ textStyle }: Options<'setBackgroundTextStyle'>): Promise<object> =>
  setPageMeta({ backgroundTextStyle: textStyle })
