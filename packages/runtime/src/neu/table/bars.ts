import { call, inPage, number, object, required, sync, text, type, unchecked, word } from './entry.ts'

const ofBars = { ...inPage, module: 'bars' } as const
const ofPageMeta = { ...inPage, module: 'pageMeta', isLoadedWhenCalled: true } as const

/** The navigation bar and the style of the page on top. */
export const bars = {
  setNavigationBarTitle: call({ ...ofBars, options: { title: required(text) } }),
  setNavigationBarColor: call({
    ...ofBars,
    options: {
      /** Color of the title, the buttons and the status bar. */
      frontColor: word<'#ffffff' | '#000000' | '#FFFFFF'>(),
      backgroundColor: text,
      animation: object<{
        /** In ms. */
        duration?: number | undefined
        timingFunc?: 'linear' | 'easeIn' | 'easeOut' | 'easeInOut' | undefined
      }>(),
    },
  }),
  showNavigationBarLoading: call(ofBars),
  hideNavigationBarLoading: call(ofBars),
  hideHomeButton: call(ofBars),
  /** Changes the page on top, like the tag `page-meta`. Options that are omitted keep what was set before. */
  setPageMeta: call({
    ...ofPageMeta,
    options: {
      /** Style of the element `page`. */
      pageStyle: text,
      /** Font size that the unit rem refers to while the page is on top; `system` is that of the browser. */
      rootFontSize: text,
      /** Background of the element `page`. */
      rootBackgroundColor: text,
      backgroundColor: text,
      backgroundColorTop: text,
      backgroundColorBottom: text,
      backgroundTextStyle: word<'dark' | 'light'>(),
      /** Position to scroll to, in px or rpx. */
      scrollTop: unchecked<number | string>(),
      /** In ms. */
      scrollDuration: number,
    },
  }),
  /** Colors behind the page, as `setPageMeta` sets them. */
  setBackgroundColor: call({
    ...ofPageMeta,
    options: { backgroundColor: text, backgroundColorTop: text, backgroundColorBottom: text },
  }),
  /** Style of the indicator of pulling to refresh, as `setPageMeta` sets it. */
  setBackgroundTextStyle: call({ ...ofPageMeta, options: { textStyle: required(word<'dark' | 'light'>()) } }),
  /**
   * Returns the area of the host's capsule in px, which is on the left if the language of the device is right-to-left.
   * On H5 there is none: its width is 0.
   */
  getMenuButtonBoundingClientRect: sync({
    ...inPage,
    module: 'system',
    differs: 'on H5 the width is 0, and tests find it missing',
    is: type<() => Record<'top' | 'bottom' | 'left' | 'right' | 'width' | 'height', number>>(),
  }),
}
