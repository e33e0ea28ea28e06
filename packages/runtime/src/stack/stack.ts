import type { PageModule } from '../config.ts'
import type { Motion, Transition } from '../page/motion.ts'
import { type Address, formatUrl, parseUrl } from './address.ts'
import type { EventChannel, Listener } from './eventChannel.ts'
import { fire } from './hooks.ts'
import type { PageInstance } from './page.ts'
import {
  allPages,
  createOpener,
  type Entry,
  hide,
  openPages,
  renderPage,
  type StackEnvironment,
  type StackState,
  show,
  updateView,
} from './stackState.ts'

/** What the stack needs around it. */
export interface NavigationEnvironment extends StackEnvironment {
  isTab(path: string): boolean
  /** How a page comes and goes; undefined where nothing is to move. */
  motion(page: PageInstance, options: Transition): PageAnimation | undefined
  /** Nothing more is under way: these are the addresses of the pages, lowest first. */
  onIdle(urls: string[]): void
}

type PageAnimation = Pick<Motion, 'name' | 'duration'>
type BackTrigger = 'backbutton' | 'navigateBack'

export interface OpenOptions extends Transition {
  url: string
  /** What the opened page may emit to its opener. */
  events?: Record<string, Listener>
}

/**
 * Moves between pages, one move after the other, whole: each hook is called when the stack is what it says. A page that comes in place of others is there before they
 * go; pages that are gone back from are gone before the one below is shown.
 *
 * Failures are told as errors with the reason alone; `neu` puts the name of its function in front.
 */
export interface PageStack {
  navigateTo(options: OpenOptions): Promise<{ eventChannel: EventChannel }>
  redirectTo(options: { url: string }): Promise<void>
  reLaunch(options: { url: string }): Promise<void>
  switchTab(options: { url: string }): Promise<void>
  navigateBack(options: { delta?: number } & Transition, trigger: BackTrigger): Promise<void>
  /** The user went elsewhere in the browser: these are the addresses there, as far as they are known. */
  follow(urls: string[]): Promise<void>
  /** When all that has been asked for is done: how many pages are open, those included that a reload has left without their drawing. */
  idle(): Promise<number>
}

/** `first`: what is under way already, and may fail. */
export function createStack(state: StackState, environment: NavigationEnvironment, first: Promise<unknown>): PageStack {
  const { tabs, leaving, view } = state
  /** What navigateTo has not opened yet, where nothing else was asked for since. */
  let pending: { url: string } | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let endMotion = () => {}

  const parse = (url: string) => parseUrl(url, state.entries.at(-1)?.path)

  async function enqueue<T>(run: () => T | Promise<T>): Promise<T> {
    waiting++
    pending = undefined
    const outcome = queue.then(run)
    queue = outcome.catch(() => {})
    try {
      return await outcome
    } finally {
      if (--waiting === 0) environment.onIdle(state.entries.map(formatUrl))
    }
  }

  async function load({ path }: Address): Promise<PageModule> {
    const module = await environment.load(path)
    if (!module) throw new Error(`page "${path}" is not found`)
    return module
  }

  async function open(
    address: Address,
    { events = {}, animationType, animationDuration }: Partial<OpenOptions>,
    below: Address[] = [],
  ): Promise<EventChannel> {
    const module = await load(address)
    const opener = createOpener()
    for (const [name, listener] of Object.entries(events)) opener.on(name, listener)
    const covered = view.top
    hide(covered)
    const page = environment.create(module, address, opener)
    const animation = { animationType, animationDuration }
    state.entries.push(...below, { ...address, page, animation })
    endMotion()
    animate(page, 'enter', covered, 'cover', environment.motion(page, animation))
    await renderPage(state, environment, page)
    return opener
  }

  /** The page comes in place of `left`, which are drawn until it is there. */
  async function replace(
    module: PageModule,
    address: Address,
    remaining: Entry[],
    removed: PageInstance[],
  ): Promise<void> {
    const page = environment.create(module, address, createOpener())
    for (const each of removed) leaving.add(each)
    state.entries = [...remaining, { ...address, page }]
    endMotion()
    await renderPage(state, environment, page)
    removed.forEach(close)
    updateView(state)
  }

  async function redirect(address: Address): Promise<void> {
    const module = await load(address)
    const { page } = state.entries.at(-1) ?? {}
    await replace(module, address, state.entries.slice(0, -1), page ? [page] : [])
  }

  async function switchTo(address: Address): Promise<void> {
    const { top } = view
    const tab = tabs.get(address.path)
    if (top && top === tab) return
    const module = tab ? undefined : await load(address)
    const removed = openPages(state).filter((page) => !page.isTab)
    removed.reverse()
    if (top?.isTab) hide(top)
    if (module) return replace(module, address, [], removed)
    endMotion()
    state.entries = [{ ...address, page: tab! }]
    removed.forEach(close)
    await reveal(tab!)
  }

  async function back(index: number, trigger: BackTrigger, call: Transition): Promise<void> {
    const { entries } = state
    const { top } = view
    if (top && fire(top, 'onBackPress', { from: trigger })) throw new Error('onBackPress')
    const at = Math.max(0, index)
    const entry = entries[at]!
    const opened = entries.at(-1)!.animation
    const module = entry.page ? undefined : await load(entry)
    const removed = entries.splice(at + 1).flatMap(({ page }) => page ?? [])
    entry.page ??= environment.create(module!, entry, createOpener())
    endMotion()
    removed.reverse().forEach(close)
    if (top) {
      const motion = environment.motion(top, { ...opened, ...call })
      if (motion) leaving.add(top)
      animate(top, 'leave', entry.page, 'uncover', motion)
    }
    await (module ? renderPage(state, environment, entry.page) : reveal(entry.page))
  }

  async function follow(urls: string[]): Promise<void> {
    const { entries } = state
    const index = urls.length - 1
    const last = entries.length - 1
    // Where the page stays, the browser is told where it is in the end.
    if (index < last) return back(index, 'backbutton', {}).catch(() => {})
    const below = urls.map((url) => parseUrl(url))
    const address = below.pop()!
    if (index === last && formatUrl(entries[last]!) === formatUrl(address)) return
    if (!(await environment.load(address.path))) environment.notFound(address, false)
    else if (environment.isTab(address.path)) await switchTo(address)
    else if (index === last) await redirect(address)
    else await open(address, {}, below.slice(last + 1))
  }

  async function reveal(page: PageInstance): Promise<void> {
    updateView(state)
    show(page)
    await environment.draw()
  }

  function close(page: PageInstance): void {
    leaving.delete(page)
    // Another one may have come in its place.
    if (tabs.get(page.path) === page) tabs.delete(page.path)
    page.isUnloaded = true
    page.isShown = false
    fire(page, 'onUnload')
  }

  function animate(
    over: PageInstance,
    overRole: Motion['role'],
    under: PageInstance | undefined,
    underRole: Motion['role'],
    motion: PageAnimation | undefined,
  ): void {
    if (!under || !motion) return
    over.motion = { ...motion, role: overRole }
    under.motion = { ...motion, role: underRole }
    endMotion = () => {
      clearTimeout(timer)
      endMotion = () => {}
      over.motion = under.motion = null
      leaving.delete(over)
      updateView(state)
    }
    const timer = setTimeout(endMotion, motion.duration)
  }

  void enqueue(() => first).catch(() => {})
  return {
    async navigateTo(options) {
      const own = { url: formatUrl(parse(options.url)) }
      // Two quick taps mean one page.
      if (pending?.url === own.url) throw new Error(`"${own.url}" is being opened already`)
      const opened = enqueue(async () => {
        const address = parse(options.url)
        if (environment.isTab(address.path)) throw new Error('can not navigateTo a tabbar page')
        return { eventChannel: await open(address, options) }
      })
      pending = own
      try {
        return await opened
      } finally {
        if (pending === own) pending = undefined
      }
    },
    redirectTo: ({ url }) =>
      enqueue(() => {
        const address = parse(url)
        if (environment.isTab(address.path)) throw new Error('can not redirectTo a tabbar page')
        return redirect(address)
      }),
    reLaunch: ({ url }) =>
      enqueue(async () => {
        const address = parse(url)
        const module = await load(address)
        await replace(module, address, [], allPages(state).reverse())
      }),
    switchTab: ({ url }) =>
      enqueue(() => {
        const { path } = parse(url)
        if (!environment.isTab(path)) throw new Error('can not switch to no-tabBar page')
        return switchTo({ path, query: {} })
      }),
    navigateBack: ({ delta = 1, ...call }, trigger) =>
      enqueue(() => {
        const last = state.entries.length - 1
        if (last < 1) throw new Error('cannot navigate back at first page')
        return back(last - Math.max(1, Math.trunc(delta) || 1), trigger, call)
      }),
    follow: (urls) => enqueue(() => follow(urls)),
    async idle() {
      // What hooks have asked for just now is on its way here.
      await new Promise((resolve) => setTimeout(resolve))
      const before = queue
      await before
      return before === queue ? state.entries.length : this.idle()
    },
  }
}
