import type { createMediaQueryObserver } from '../contexts.ts'
import type { createAnimation } from '../createAnimation.ts'
import type { NativeDom } from '../nativeDom.ts'
import type { createIntersectionObserver, createSelectorQuery } from '../queries.ts'
import { call, gives, inPage, number, text, type } from './entry.ts'

const ofPage = { ...inPage, module: 'scrolling' } as const
const object = { ...inPage, module: 'objects' } as const

/** The content of the page on top. */
export const page = {
  /** Starts a pull to refresh, as if the user had pulled. The page gets `onPullDownRefresh`. */
  startPullDownRefresh: call(ofPage),
  /** Ends a pull to refresh. Call it when the new content is there. */
  stopPullDownRefresh: call(ofPage),
  /** Scrolls to an offset in px or to an element of the page. */
  pageScrollTo: call({
    ...ofPage,
    fails: ['noPosition', 'noElement'],
    options: {
      /** Position in px. */
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
  /**
   * Notifies when elements enter or leave the visible area.
   * @param component Component in which elements are searched; by default the page.
   * @param options What to watch.
   */
  createIntersectionObserver: gives({ ...object, is: type<typeof createIntersectionObserver>() }),
  /** Notifies when the window matches or stops matching, such as `{ minWidth: 600, orientation: 'landscape' }`. */
  createMediaQueryObserver: gives({ ...object, is: type<typeof createMediaQueryObserver>() }),
  /**
   * Records an animation. Elements run it when it is bound to their attribute `animation`.
   * @param options Values that all steps have, unless they have their own.
   * @returns An animation with the functions of CSS transformations, such as `translateX(10)`, `step()` and `export()`.
   */
  createAnimation: gives({ ...object, is: type<typeof createAnimation>() }),
  /**
   * Returns the module `dom` of nvue. All functions of other modules fail with `not supported`.
   * @param name Name of the module.
   * @returns The module.
   */
  requireNativePlugin: gives({
    ...object,
    differs: 'dom only, with scrollToElement, getComponentRect and addRule; for native plug-ins use invokeNativePlugin',
    // biome-ignore lint/suspicious/noExplicitAny: projects call functions of other modules
    is: type<{ (name: 'dom'): NativeDom; (name: string): any }>(),
  }),
  /**
   * Returns a sub-window of an open page (pages-json §2.8).
   * @param id The `id` of the sub-window in pages.json.
   * @returns The sub-window, with `show`, `hide`, `setStyle`, `postMessage` and `onMessage`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: projects call methods of the sub-window
  getSubNVueById: gives({ ...object, is: type<(id: string) => any>() }),
  /**
   * Returns the sub-window in whose setup it is called.
   * @returns The sub-window, as `getSubNVueById` returns it.
   */
  // biome-ignore lint/suspicious/noExplicitAny: projects call methods of the sub-window
  getCurrentSubNVue: gives({ ...object, is: type<() => any>() }),
}
