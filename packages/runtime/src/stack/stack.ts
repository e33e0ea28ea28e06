import type { PageModule } from '../config.ts'
import type { Motion, Transition } from '../page/motion.ts'
import { type Address, formatUrl, parseUrl } from './address.ts'
import type { EventChannel, Listener } from './eventChannel.ts'
import { fire } from './hooks.ts'
import type { PageInstance } from './page.ts'
import {
  type Around,
  type Entry,
  hide,
  livingPages,
  newOpener,
  openPages,
  type Places,
  ready,
  show,
  update,
} from './stackState.ts'

/** What the stack needs around it. */
export interface Surroundings extends Around {
  isTab(path: string): boolean
  /** How a page comes and goes; undefined where nothing is to move. */
  motion(page: PageInstance, options: Transition): Move | undefined
  /** Nothing more is under way: these are the addresses of the pages, lowest first. */
  settled(urls: string[]): void
}

type Move = Pick<Motion, 'name' | 'duration'>
type From = 'backbutton' | 'navigateBack'

export interface Opening extends Transition {
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
  navigateTo(options: Opening): Promise<{ eventChannel: EventChannel }>
  redirectTo(options: { url: string }): Promise<void>
  reLaunch(options: { url: string }): Promise<void>
  switchTab(options: { url: string }): Promise<void>
  navigateBack(options: { delta?: number } & Transition, from: From): Promise<void>
  /** The user went elsewhere in the browser: these are the addresses there, as far as they are known. */
  follow(urls: string[]): Promise<void>
  /** When all that has been asked for is done: how many pages are open, those included that a reload has left without their drawing. */
  idle(): Promise<number>
}

/** `first`: what is under way already, and may fail. */
export function createStack(places: Places, around: Surroundings, first: Promise<unknown>): PageStack {
  const { tabs, leaving, seen } = places
  /** What navigateTo has not opened yet, where nothing else was asked for since. */
  let opening: { url: string } | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let endMotion = () => {}

  const parse = (url: string) => parseUrl(url, places.entries.at(-1)?.path)

  async function turn<T>(run: () => T | Promise<T>): Promise<T> {
    waiting++
    opening = undefined
    const outcome = queue.then(run)
    queue = outcome.catch(() => {})
    try {
      return await outcome
    } finally {
      if (--waiting === 0) around.settled(places.entries.map(formatUrl))
    }
  }

  async function load({ path }: Address): Promise<PageModule> {
    const module = await around.load(path)
    if (!module) throw new Error(`page "${path}" is not found`)
    return module
  }

  async function open(
    address: Address,
    { events = {}, animationType, animationDuration }: Partial<Opening>,
    below: Address[] = [],
  ): Promise<EventChannel> {
    const module = await load(address)
    const opener = newOpener()
    for (const [name, listener] of Object.entries(events)) opener.on(name, listener)
    const covered = seen.top
    hide(covered)
    const page = around.create(module, address, opener)
    const animation = { animationType, animationDuration }
    places.entries.push(...below, { ...address, page, animation })
    endMotion()
    move(page, 'enter', covered, 'cover', around.motion(page, animation))
    await ready(places, around, page)
    return opener
  }

  /** The page comes in place of `left`, which are drawn until it is there. */
  async function replace(module: PageModule, address: Address, kept: Entry[], left: PageInstance[]): Promise<void> {
    const page = around.create(module, address, newOpener())
    for (const each of left) leaving.add(each)
    places.entries = [...kept, { ...address, page }]
    endMotion()
    await ready(places, around, page)
    left.forEach(close)
    update(places)
  }

  async function redirect(address: Address): Promise<void> {
    const module = await load(address)
    const { page } = places.entries.at(-1) ?? {}
    await replace(module, address, places.entries.slice(0, -1), page ? [page] : [])
  }

  async function switchTo(address: Address): Promise<void> {
    const { top } = seen
    const tab = tabs.get(address.path)
    if (top && top === tab) return
    const module = tab ? undefined : await load(address)
    const left = openPages(places).filter((page) => !page.isTab)
    left.reverse()
    if (top?.isTab) hide(top)
    if (module) return replace(module, address, [], left)
    endMotion()
    places.entries = [{ ...address, page: tab! }]
    left.forEach(close)
    await uncover(tab!)
  }

  async function back(index: number, from: From, call: Transition): Promise<void> {
    const { entries } = places
    const { top } = seen
    if (top && fire(top, 'onBackPress', { from })) throw new Error('onBackPress')
    const at = Math.max(0, index)
    const entry = entries[at]!
    const opened = entries.at(-1)!.animation
    const module = entry.page ? undefined : await load(entry)
    const left = entries.splice(at + 1).flatMap(({ page }) => page ?? [])
    entry.page ??= around.create(module!, entry, newOpener())
    endMotion()
    left.reverse().forEach(close)
    if (top) {
      const motion = around.motion(top, { ...opened, ...call })
      if (motion) leaving.add(top)
      move(top, 'leave', entry.page, 'uncover', motion)
    }
    await (module ? ready(places, around, entry.page) : uncover(entry.page))
  }

  async function follow(urls: string[]): Promise<void> {
    const { entries } = places
    const index = urls.length - 1
    const last = entries.length - 1
    // Where the page stays, the browser is told where it is in the end.
    if (index < last) return back(index, 'backbutton', {}).catch(() => {})
    const below = urls.map((url) => parseUrl(url))
    const address = below.pop()!
    if (index === last && formatUrl(entries[last]!) === formatUrl(address)) return
    if (!(await around.load(address.path))) around.notFound(address, false)
    else if (around.isTab(address.path)) await switchTo(address)
    else if (index === last) await redirect(address)
    else await open(address, {}, below.slice(last + 1))
  }

  async function uncover(page: PageInstance): Promise<void> {
    update(places)
    show(page)
    await around.draw()
  }

  function close(page: PageInstance): void {
    leaving.delete(page)
    // Another one may have come in its place.
    if (tabs.get(page.path) === page) tabs.delete(page.path)
    page.isUnloaded = true
    page.isShown = false
    fire(page, 'onUnload')
  }

  function move(
    over: PageInstance,
    overRole: Motion['role'],
    under: PageInstance | undefined,
    underRole: Motion['role'],
    motion: Move | undefined,
  ): void {
    if (!under || !motion) return
    over.motion = { ...motion, role: overRole }
    under.motion = { ...motion, role: underRole }
    endMotion = () => {
      clearTimeout(timer)
      endMotion = () => {}
      over.motion = under.motion = null
      leaving.delete(over)
      update(places)
    }
    const timer = setTimeout(endMotion, motion.duration)
  }

  void turn(() => first).catch(() => {})
  return {
    async navigateTo(options) {
      const own = { url: formatUrl(parse(options.url)) }
      // Two quick taps mean one page.
      if (opening?.url === own.url) throw new Error(`"${own.url}" is being opened already`)
      const opened = turn(async () => {
        const address = parse(options.url)
        if (around.isTab(address.path)) throw new Error('can not navigateTo a tabbar page')
        return { eventChannel: await open(address, options) }
      })
      opening = own
      try {
        return await opened
      } finally {
        if (opening === own) opening = undefined
      }
    },
    redirectTo: ({ url }) =>
      turn(() => {
        const address = parse(url)
        if (around.isTab(address.path)) throw new Error('can not redirectTo a tabbar page')
        return redirect(address)
      }),
    reLaunch: ({ url }) =>
      turn(async () => {
        const address = parse(url)
        const module = await load(address)
        await replace(module, address, [], livingPages(places).reverse())
      }),
    switchTab: ({ url }) =>
      turn(() => {
        const { path } = parse(url)
        if (!around.isTab(path)) throw new Error('can not switch to no-tabBar page')
        return switchTo({ path, query: {} })
      }),
    navigateBack: ({ delta = 1, ...call }, from) =>
      turn(() => {
        const last = places.entries.length - 1
        if (last < 1) throw new Error('cannot navigate back at first page')
        return back(last - Math.max(1, Math.trunc(delta) || 1), from, call)
      }),
    follow: (urls) => turn(() => follow(urls)),
    async idle() {
      // What hooks have asked for just now is on its way here.
      await new Promise((resolve) => setTimeout(resolve))
      const before = queue
      await before
      return before === queue ? places.entries.length : this.idle()
    },
  }
}
