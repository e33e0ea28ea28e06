import type { EventChannel, Listener } from '../../stack/eventChannel.ts'
import { call, hostOnly, inPage, number, object, required, text, type, unchecked, word } from './entry.ts'

type Side = 'right' | 'left' | 'top' | 'bottom'
type Animation =
  | 'auto'
  | 'none'
  | `${'slide-in' | 'slide-out'}-${Side}`
  | `${'fade' | 'zoom' | 'zoom-fade' | 'pop'}-${'in' | 'out'}`

const transition = {
  /** Animation of the page; `auto` by default, which is that of the platform. */
  animationType: unchecked<Animation>(),
  /** Duration of the animation in ms; 300 by default. */
  animationDuration: unchecked<number>(),
}

const url = required(text)
const inStack = { ...inPage, module: 'navigation' } as const
const application = { ...hostOnly, module: 'applications', isLoadedWhenCalled: true } as const

/** Pages, other mini apps and other applications. */
export const navigation = {
  /**
   * Opens a page above the current one. `url` is relative to the current page unless it starts with a slash. Not for
   * tabs.
   */
  navigateTo: call({
    ...inStack,
    fails: ['pageMissing', 'pageIsTab', 'pageOpening'],
    options: {
      /** Page with its query, such as `/pages/detail/detail?id=1`, or relative to the current page. */
      url,
      ...transition,
      /** Listeners for events from the opened page. */
      events: object<Record<string, Listener>>(),
    },
    result: type<{
      /** Channel to the opened page. */
      eventChannel: EventChannel
    }>(),
  }),
  /** Replaces the current page, which is closed when the new one is rendered. Not for tabs. */
  redirectTo: call({
    ...inStack,
    fails: ['pageMissing', 'pageIsTab'],
    options: {
      /** Page with its query, or relative to the current page. */
      url,
    },
  }),
  /** Closes all pages, including kept tabs, and opens this one. */
  reLaunch: call({
    ...inStack,
    fails: ['pageMissing'],
    options: {
      /** Page with its query, or relative to the current page. */
      url,
    },
  }),
  /** Shows a tab and closes every page that is not a tab. */
  switchTab: call({
    ...inStack,
    fails: ['pageMissing', 'pageIsNoTab'],
    options: {
      /** Page of a tab, without a query. */
      url,
    },
  }),
  /** Goes back by `delta` pages, at most to the first one. Fails on the first page. */
  navigateBack: call({
    ...inStack,
    fails: ['firstPage', 'pageKept'],
    options: {
      /** Number of pages; 1 by default. */
      delta: number,
      ...transition,
    },
  }),
  /** Loads a page's module, so that the page opens without delay. */
  preloadPage: call({
    ...inStack,
    fails: ['pageMissing'],
    options: {
      /** Page, or relative to the current page. */
      url,
    },
  }),
  /** Opens another mini app of the host. */
  navigateToMiniProgram: call({
    ...application,
    method: 'openMiniApp',
    differs: 'opens mini apps of the same host; trial and develop versions for their testers only',
    options: {
      /** The appid of the other mini app. */
      appId: required(text),
      /** Page with its query; the launch page if it is omitted. */
      path: text,
      /** The other mini app gets it with its launch options. */
      extraData: unchecked<unknown>(),
      /** Versions other than `release` open for users who may test the other mini app. */
      envVersion: word<'release' | 'trial' | 'develop'>(),
    },
  }),
  /** Leaves the mini app. */
  exitMiniProgram: call({ ...hostOnly, module: 'navigation', method: 'exitMiniApp' }),
  /** Starts the app again, at the launch page or at another one. */
  restartMiniProgram: call({
    ...application,
    method: 'restartMiniApp',
    options: {
      /** Page with its query; the launch page by default. */
      path: text,
    },
  }),
  /** Opens another application by its address, or by its identifier in hosts that can, after the user agrees. */
  launchApp: call({
    ...application,
    fails: ['noAddress'],
    method: 'launchApp',
    differs: 'identity without url needs an application around the host',
    options: {
      /** Address of the other application, such as `bank://pay`. */
      url: text,
      /** Identifier of the other application, instead of an address. */
      identity: text,
    },
  }),
}
