import { createQueue } from '@souk/shell/queue'
import type { Transition } from '../page/transition.ts'
import { type Address, formatUrl, parseUrl } from './address.ts'
import { createAnimator } from './animator.ts'
import type { EventChannel } from './eventChannel.ts'
import {
  type BackTrigger,
  followBrowser,
  goBack,
  isKept,
  isTabOnTop,
  loadPage,
  type NavigationEnvironment,
  type OpenOptions,
  openAdmitted,
  openPage,
  reloadTop,
  replacePages,
  replaceTop,
  showTab,
} from './operations.ts'
import { allPages, createOpener, type StackState } from './stackState.ts'

/**
 * Navigates between pages. Calls run completely and one after the other, so that hooks always see a consistent stack. A
 * page that replaces others is ready before they close; pages close before the one below them is shown.
 *
 * Errors hold only the reason; `neu` adds the name of its function.
 */
export interface PageStack {
  navigateTo(options: OpenOptions): Promise<{ eventChannel: EventChannel }>
  redirectTo(options: { url: string }): Promise<void>
  reLaunch(options: { url: string }): Promise<void>
  switchTab(options: { url: string }): Promise<void>
  navigateBack(options: { delta?: number | undefined } & Transition, trigger: BackTrigger): Promise<void>
  /** Loads the page on top again, which could not be loaded. Rejects if that fails. */
  reloadTop(): Promise<void>
  /** Follows the user's navigation in the browser to these addresses, lowest first. */
  follow(urls: string[]): Promise<void>
  /**
   * Resolves with the length of the stack when no navigation is pending. Counts pages not yet restored after a reload.
   */
  idle(): Promise<number>
}

/** Creates the stack. `first` is the promise of the first page, which may reject. */
export function createStack(state: StackState, environment: NavigationEnvironment, first: Promise<unknown>): PageStack {
  const context = { ...environment, state, animator: createAnimator(state) }
  const queue = createQueue(() => environment.onIdle(state.entries.map(formatUrl)))
  /** The last call, if it is a navigateTo that has not finished. */
  let opening: { url: string } | undefined

  const parse = (url: string) => parseUrl(url, state.entries.at(-1)?.path)
  function run<T>(task: () => T | Promise<T>): Promise<T> {
    opening = undefined
    environment.guards?.()?.cancel()
    return queue.add(task)
  }

  /** Opens the address, or the one that a guard redirects to, as a tab or instead of the top page. */
  const replaceOrShowTab = (requested: Address): Promise<void> =>
    openAdmitted(environment, requested, (address) =>
      (environment.isTab(address.path) ? showTab : replaceTop)(context, address),
    )
  /** Returns the addresses with this one above the open pages, unless it is the one on top. */
  function above(address: Address): string[] {
    const urls = state.entries.map(formatUrl)
    return urls.at(-1) === formatUrl(address) ? urls : [...urls, formatUrl(address)]
  }

  void run(() => first).catch(() => {})
  return {
    async navigateTo(options) {
      const call = { url: formatUrl(parse(options.url)) }
      // A double tap opens one page.
      if (opening?.url === call.url) throw new Error(`"${call.url}" is already being opened`)
      const opened = run(async () => {
        const requested = parse(options.url)
        if (environment.isTab(requested.path)) throw new Error('can not navigateTo a tabbar page')
        const eventChannel = await openAdmitted(environment, requested, async (address) => {
          if (!environment.isTab(address.path)) return openPage(context, address, options)
          await showTab(context, address)
          return createOpener()
        })
        return { eventChannel }
      })
      opening = call
      try {
        return await opened
      } finally {
        if (opening === call) opening = undefined
      }
    },
    redirectTo: ({ url }) =>
      run(async () => {
        const requested = parse(url)
        if (environment.isTab(requested.path)) throw new Error('can not redirectTo a tabbar page')
        await replaceOrShowTab(requested)
      }),
    reLaunch: ({ url }) =>
      run(() =>
        openAdmitted(environment, parse(url), async (address) => {
          const module = await loadPage(context, address)
          await replacePages(context, address, { module, kept: [], removed: allPages(state).reverse() })
        }),
      ),
    switchTab: ({ url }) =>
      run(async () => {
        const { path } = parse(url)
        if (!environment.isTab(path)) throw new Error('can not switch to no-tabBar page')
        if (!isTabOnTop(state, path)) await replaceOrShowTab({ path, query: {} })
      }),
    navigateBack: ({ delta = 1, ...call }, trigger) =>
      run(async () => {
        const last = state.entries.length - 1
        if (last < 1) throw new Error('cannot navigate back at first page')
        if (isKept(state, trigger)) throw new Error('onBackPress')
        const index = Math.max(0, last - Math.max(1, Math.trunc(delta) || 1))
        const target = state.entries[index]!
        await openAdmitted(environment, target, (address) =>
          address === target ? goBack(context, index, call) : followBrowser(context, above(address)),
        )
      }),
    reloadTop: () => run(() => reloadTop(context)),
    follow: (urls) =>
      run(async () => {
        // If onBackPress or a guard stops it, the browser's history is corrected afterwards.
        if (urls.length < state.entries.length && isKept(state, 'backbutton')) return
        const requested = parseUrl(urls.at(-1)!)
        const { length } = state.entries
        if (urls.length === length && formatUrl(requested) === formatUrl(state.entries[length - 1]!)) return
        await openAdmitted(environment, requested, (address) =>
          followBrowser(context, address === requested ? urls : above(address)),
        )
      }),
    idle: async () => {
      await queue.idle()
      return state.entries.length
    },
  }
}
