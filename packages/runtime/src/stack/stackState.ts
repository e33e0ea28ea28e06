import { isSeeThrough } from '@souk/shell/page/insets'
import { shallowReactive } from 'vue'
import type { PageModule } from '../build.ts'
import type { Transition } from '../page/transition.ts'
import { type Address, parseUrl } from './address.ts'
import { EventChannel } from './eventChannel.ts'
import type { Guards } from './guards.ts'
import { fire } from './hooks.ts'
import type { PageInstance } from './page.ts'

/** A position in the stack. After a reload, those below the top have no page until the user goes back to them. */
export interface Entry extends Address {
  page?: PageInstance
  /** The animation that opened it, which closing reverses by default. */
  animation?: Transition
}

/** All pages. `openFirstPage` creates the first one, the stack, which is loaded later, all others. */
export interface StackState {
  entries: Entry[]
  /** Tabs that were shown, by path. */
  readonly tabs: Map<string, PageInstance>
  /** Pages that are closed or closing, but still rendered. */
  readonly leaving: Set<PageInstance>
  /** Rendered pages; reactive. */
  readonly view: { top: PageInstance | undefined; rendered: readonly PageInstance[] }
}

export function createStackState(): StackState {
  return {
    entries: [],
    tabs: new Map(),
    leaving: new Set(),
    view: shallowReactive({ top: undefined, rendered: [] }),
  }
}

/** Returns the open pages, lowest first. */
export const openPages = ({ entries }: StackState): PageInstance[] => entries.flatMap(({ page }) => page ?? [])

/** Returns all pages: open ones and kept tabs. */
export const allPages = (state: StackState): PageInstance[] => [
  ...new Set([...state.tabs.values(), ...openPages(state)]),
]

/** Returns the pages that show through transparent ones above them, highest first. */
export function pagesSeenBelow(state: StackState): PageInstance[] {
  const open = openPages(state).reverse()
  const opaque = open.findIndex(({ style }) => !isSeeThrough(style))
  return open.slice(1, opaque < 0 ? undefined : opaque + 1)
}

/** Creates the channel between a page and its opener. Events are buffered until someone listens. */
export const createOpener = (): EventChannel => new EventChannel(true)

/** Operations that the stack needs from the app. */
export interface StackEnvironment {
  /** Resolves with undefined if the page does not exist; rejects if it cannot be loaded. */
  load(path: string): Promise<PageModule | undefined>
  create(module: PageModule, address: Address, opener: EventChannel): PageInstance
  /** Returns a module that replaces one that cannot be loaded. */
  failed(path: string, error: unknown): Promise<PageModule>
  /** Resolves when changes are rendered. */
  draw(): Promise<unknown>
  notFound(address: Address, isEntryPage: boolean): void
  guards?(): Guards | undefined
}

/**
 * Loads a page's module. If that fails, reports it and resolves with one in its place. Resolves with undefined if the
 * page does not exist.
 */
export async function loadOrReplace(environment: StackEnvironment, path: string): Promise<PageModule | undefined> {
  try {
    return await environment.load(path)
  } catch (error) {
    reportError(error)
    return environment.failed(path, error)
  }
}

/**
 * Opens the last of these addresses; the user can go back to the others. Returns false if the page does not exist, and
 * opens nothing if a guard stops it.
 */
export async function openFirstPage(
  state: StackState,
  environment: StackEnvironment,
  urls: string[],
): Promise<boolean> {
  const below = urls.map((url) => parseUrl(url))
  let address = below.pop()!
  const guards = environment.guards?.()
  if (guards) {
    try {
      address = await guards.admit(address)
    } catch (error) {
      console.warn((error as Error).message)
      return true
    }
  }
  const module = await loadOrReplace(environment, address.path)
  if (!module) {
    environment.notFound(address, true)
    return false
  }
  const page = environment.create(module, address, createOpener())
  state.entries = [...below, { ...address, page }]
  await renderPage(state, environment, page)
  return true
}

/** Renders a new page and fires onReady. */
export async function renderPage(
  state: StackState,
  { draw }: Pick<StackEnvironment, 'draw'>,
  page: PageInstance,
): Promise<void> {
  if (page.isTab) state.tabs.set(page.path, page)
  updateView(state)
  await draw()
  page.isReady = true
  fire(page, 'onReady')
}

/** Updates what is rendered. */
export function updateView(state: StackState): void {
  const { entries, leaving, view } = state
  entries.forEach(({ page }, index) => {
    if (page) page.canGoBack = index > 0
  })
  view.top = entries.at(-1)?.page
  // In order of creation: moving an element in the document would reset its scroll position.
  view.rendered = [...new Set([...allPages(state), ...leaving])].sort((a, b) => a.id - b.id)
}

export function hide(page: PageInstance | undefined): void {
  if (!page?.isShown) return
  page.isShown = false
  fire(page, 'onHide')
}

export function show(page: PageInstance | undefined): void {
  if (!page || page.isShown) return
  page.isShown = true
  fire(page, 'onShow')
}
