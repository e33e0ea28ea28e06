import { call, inPage, number, object, required, sync, text, type, unchecked, word } from './entry.ts'

const ofBars = { ...inPage, module: 'bars' } as const
const ofPageMeta = { ...inPage, module: 'pageMeta', isLoadedWhenCalled: true } as const

/** The navigation bar and the style of the page on top. */
export const bars = {
  /** Changes the title in the navigation bar of the page on top. */
  setNavigationBarTitle: call({
    ...ofBars,
    options: {
      /** The title. */
      title: required(text),
    },
  }),
  /** Changes the colors of the navigation bar of the page on top. */
  setNavigationBarColor: call({
    ...ofBars,
    fails: ['colorWrong'],
    options: {
      /** Color of the title, the buttons and the status bar. */
      frontColor: word<'#ffffff' | '#000000' | '#FFFFFF'>(),
      /** Background of the bar. */
      backgroundColor: text,
      /** How the colors change. */
      animation: object<{
        /** Duration in ms; 0 by default. */
        duration?: number | undefined
        /** Timing of the change; `linear` by default. */
        timingFunc?: 'linear' | 'easeIn' | 'easeOut' | 'easeInOut' | undefined
      }>(),
    },
  }),
  /** Shows an indicator in the navigation bar. */
  showNavigationBarLoading: call(ofBars),
  /** Hides the indicator in the navigation bar. */
  hideNavigationBarLoading: call(ofBars),
  /** Hides the button that leads to the launch page. */
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
      /** Color behind the page. */
      backgroundColor: text,
      /** Color above the page, which pulling it down shows. */
      backgroundColorTop: text,
      /** Color below the page, which pulling it up shows. */
      backgroundColorBottom: text,
      /** Color of the indicator of pulling to refresh. */
      backgroundTextStyle: word<'dark' | 'light'>(),
      /** Position to scroll to, in px or rpx. */
      scrollTop: unchecked<number | string>(),
      /** Duration of scrolling in ms. */
      scrollDuration: number,
    },
  }),
  /** Colors behind the page, as `setPageMeta` sets them. */
  setBackgroundColor: call({
    ...ofPageMeta,
    options: {
      /** Color behind the page. */
      backgroundColor: text,
      /** Color above the page, which pulling it down shows. */
      backgroundColorTop: text,
      /** Color below the page, which pulling it up shows. */
      backgroundColorBottom: text,
    },
  }),
  /** Style of the indicator of pulling to refresh, as `setPageMeta` sets it. */
  setBackgroundTextStyle: call({
    ...ofPageMeta,
    options: {
      /** Color of the indicator. */
      textStyle: required(word<'dark' | 'light'>()),
    },
  }),
  /**
   * Returns the area of the host's capsule in px, which is on the left if the language of the device is right-to-left.
   * On H5 there is none: its width is 0.
   * @returns `top`, `bottom`, `left`, `right`, `width` and `height`, in px.
   */
  getMenuButtonBoundingClientRect: sync({
    ...inPage,
    module: 'system',
    differs: 'on H5 the width is 0, and tests find it missing',
    is: type<() => Record<'top' | 'bottom' | 'left' | 'right' | 'width' | 'height', number>>(),
  }),
}
