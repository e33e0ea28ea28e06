import { shallowReactive } from 'vue'
import type { PageModule } from '../config.ts'
import type { Transition } from '../page/motion.ts'
import { type Address, parseUrl } from './address.ts'
import { EventChannel } from './eventChannel.ts'
import { fire } from './hooks.ts'
import type { PageInstance } from './page.ts'

/** A place in the stack. After a reload those below the top have no page until they are gone back to. */
export interface Entry extends Address {
  page?: PageInstance
  /** With which it was opened, and is closed unless that says otherwise. */
  animation?: Transition
}

/** The pages that there are. The first one comes by `openFirst`, all others by the stack, which is loaded after it. */
export interface StackState {
  entries: Entry[]
  /** Tabs that were shown, by path. */
  readonly tabs: Map<string, PageInstance>
  /** Closed, or about to be, and still drawn. */
  readonly leaving: Set<PageInstance>
  /** What is drawn; reactive. */
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

/** The open pages, lowest first. */
export const openPages = ({ entries }: StackState): PageInstance[] => entries.flatMap(({ page }) => page ?? [])

/** Every page that lives: the open ones and the tabs that are kept. */
export const allPages = (state: StackState): PageInstance[] => [
  ...new Set([...state.tabs.values(), ...openPages(state)]),
]

/** To the page that opens a page, and from it; what is said before anybody listens is kept. */
export const createOpener = (): EventChannel => new EventChannel(true)

/** What places need around them. */
export interface StackEnvironment {
  /** Undefined where no such page is; fails where it cannot be loaded. */
  load(path: string): Promise<PageModule | undefined>
  create(module: PageModule, address: Address, opener: EventChannel): PageInstance
  /** Resolves when what has changed is drawn. */
  draw(): Promise<unknown>
  notFound(address: Address, isEntryPage: boolean): void
}

/** Opens the last of these addresses; the others are there to go back to. False where no such page is. */
export async function openFirstPage(
  state: StackState,
  environment: StackEnvironment,
  urls: string[],
): Promise<boolean> {
  const below = urls.map((url) => parseUrl(url))
  const address = below.pop()!
  const module = await environment.load(address.path)
  if (!module) {
    environment.notFound(address, true)
    return false
  }
  const page = environment.create(module, address, createOpener())
  state.entries = [...below, { ...address, page }]
  await renderPage(state, environment, page)
  return true
}

/** Draws a page that is new, with its hooks. */
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

/** Has drawn what there is. */
export function updateView(state: StackState): void {
  const { entries, leaving, view } = state
  entries.forEach(({ page }, index) => {
    if (page) page.canGoBack = index > 0
  })
  view.top = entries.at(-1)?.page
  // In the order of their making, so that none is ever moved in the document, which would lose where it is scrolled to.
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
