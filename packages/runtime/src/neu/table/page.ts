import type { createMediaQueryObserver } from '../contexts.ts'
import type { createAnimation } from '../createAnimation.ts'
import type { NativeDom } from '../nativeDom.ts'
import type { createIntersectionObserver, createSelectorQuery } from '../queries.ts'
import { call, gives, inPage, number, text, type } from './entry.ts'

const ofPage = { ...inPage, module: 'scrolling' } as const
const object = { ...inPage, module: 'objects' } as const

/** The content of the page on top. */
export const page = {
  startPullDownRefresh: call(ofPage),
  stopPullDownRefresh: call(ofPage),
  /** Scrolls to an offset in px or to an element of the page. */
  pageScrollTo: call({
    ...ofPage,
    options: {
      scrollTop: number,
      /** CSS selector of an element in the page; overrides `scrollTop`. */
      selector: text,
      /** Added to the position of `selector`. */
      offsetTop: number,
      /** In ms; 300 by default. */
      duration: number,
    },
  }),
  /** Collects queries about elements of the page, and runs them together. */
  createSelectorQuery: gives({ ...object, is: type<typeof createSelectorQuery>() }),
  /** Notifies when elements enter or leave the visible area. */
  createIntersectionObserver: gives({ ...object, is: type<typeof createIntersectionObserver>() }),
  /** Notifies when the window matches or stops matching, such as `{ minWidth: 600, orientation: 'landscape' }`. */
  createMediaQueryObserver: gives({ ...object, is: type<typeof createMediaQueryObserver>() }),
  /** Records an animation. Elements run it when it is bound to their attribute `animation`. */
  createAnimation: gives({ ...object, is: type<typeof createAnimation>() }),
  /** Returns the module `dom` of nvue. All functions of other modules fail with `not supported`. */
  requireNativePlugin: gives({
    ...object,
    differs: 'dom only, with scrollToElement, getComponentRect and addRule; for native plug-ins use invokeNativePlugin',
    // biome-ignore lint/suspicious/noExplicitAny: projects call functions of other modules
    is: type<{ (name: 'dom'): NativeDom; (name: string): any }>(),
  }),
  /** Returns a sub-window of an open page (pages-json §2.8). */
  // biome-ignore lint/suspicious/noExplicitAny: projects call methods of the sub-window
  getSubNVueById: gives({ ...object, is: type<(id: string) => any>() }),
  /** Returns the sub-window in whose setup it is called. */
  // biome-ignore lint/suspicious/noExplicitAny: projects call methods of the sub-window
  getCurrentSubNVue: gives({ ...object, is: type<() => any>() }),
}
