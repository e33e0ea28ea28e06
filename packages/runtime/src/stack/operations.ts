import type { PageModule } from '../config.ts'
import type { Transition } from '../page/motion.ts'
import { type Address, formatUrl, parseUrl } from './address.ts'
import type { Animator, PageAnimation } from './animator.ts'
import type { EventChannel, Listener } from './eventChannel.ts'
import { fire } from './hooks.ts'
import type { PageInstance } from './page.ts'
import {
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

/** Operations that navigation needs from the app. */
export interface NavigationEnvironment extends StackEnvironment {
  isTab(path: string): boolean
  /** Returns the animation with which a page opens or closes; undefined for none. */
  motion(page: PageInstance, options: Transition): PageAnimation | undefined
  /** Called with the addresses of the open pages, lowest first, when no navigation is pending. */
  onIdle(urls: string[]): void
}

export interface StackContext {
  state: StackState
  environment: NavigationEnvironment
  animator: Animator
}

export type BackTrigger = 'backbutton' | 'navigateBack'

export interface OpenOptions extends Transition {
  url: string
  /** Listeners for events from the opened page. */
  events?: Record<string, Listener>
}

/** Loads a page's module. Throws if the page does not exist. */
export async function loadPage(environment: NavigationEnvironment, { path }: Address): Promise<PageModule> {
  const module = await environment.load(path)
  if (!module) throw new Error(`page "${path}" is not found`)
  return module
}

/** Opens a page above the current one, and `below` between them without rendering it. */
export async function openPage(
  { state, environment, animator }: StackContext,
  address: Address,
  { events = {}, animationType, animationDuration }: Partial<OpenOptions>,
  below: Address[] = [],
): Promise<EventChannel> {
  const module = await loadPage(environment, address)
  const opener = createOpener()
  for (const [name, listener] of Object.entries(events)) opener.on(name, listener)
  const covered = state.view.top
  hide(covered)
  const page = environment.create(module, address, opener)
  const animation = { animationType, animationDuration }
  state.entries.push(...below, { ...address, page, animation })
  animator.end()
  animator.play('enter', page, covered, environment.motion(page, animation))
  await renderPage(state, environment, page)
  return opener
}

/** Opens a page above the entries `kept` and closes the pages `removed`, which stay rendered until it is ready. */
export async function replacePages(
  { state, environment, animator }: StackContext,
  address: Address,
  module: PageModule,
  kept: Entry[],
  removed: PageInstance[],
): Promise<void> {
  const page = environment.create(module, address, createOpener())
  for (const each of removed) state.leaving.add(each)
  state.entries = [...kept, { ...address, page }]
  animator.end()
  await renderPage(state, environment, page)
  for (const each of removed) closePage(state, each)
  updateView(state)
}

/** Replaces the page on top. */
export async function replaceTop(context: StackContext, address: Address): Promise<void> {
  const module = await loadPage(context.environment, address)
  const { entries } = context.state
  const { page } = entries.at(-1) ?? {}
  await replacePages(context, address, module, entries.slice(0, -1), page ? [page] : [])
}

/** Shows a tab and closes all pages that are not tabs. */
export async function showTab(context: StackContext, address: Address): Promise<void> {
  const { state, environment, animator } = context
  const { top } = state.view
  const tab = state.tabs.get(address.path)
  if (top && top === tab) return
  const module = tab ? undefined : await loadPage(environment, address)
  const removed = openPages(state).filter((page) => !page.isTab)
  removed.reverse()
  if (top?.isTab) hide(top)
  if (module) return replacePages(context, address, module, [], removed)
  animator.end()
  state.entries = [{ ...address, page: tab! }]
  for (const each of removed) closePage(state, each)
  await revealPage(context, tab!)
}

/** Goes back to the entry at `index`. Throws if onBackPress prevents it. */
export async function goBack(
  context: StackContext,
  index: number,
  trigger: BackTrigger,
  call: Transition,
): Promise<void> {
  const { state, environment, animator } = context
  const { entries } = state
  const { top } = state.view
  if (top && fire(top, 'onBackPress', { from: trigger })) throw new Error('onBackPress')
  const target = Math.max(0, index)
  const entry = entries[target]!
  const opened = entries.at(-1)!.animation
  const module = entry.page ? undefined : await loadPage(environment, entry)
  const removed = entries.splice(target + 1).flatMap(({ page }) => page ?? [])
  entry.page ??= environment.create(module!, entry, createOpener())
  animator.end()
  for (const each of removed.reverse()) closePage(state, each)
  if (top) {
    const animation = environment.motion(top, { ...opened, ...call })
    if (animation) state.leaving.add(top)
    animator.play('leave', top, entry.page, animation)
  }
  await (module ? renderPage(state, environment, entry.page) : revealPage(context, entry.page))
}

/** Brings the stack in line with the addresses that the user navigated to in the browser. */
export async function followBrowser(context: StackContext, urls: string[]): Promise<void> {
  const { state, environment } = context
  const { entries } = state
  const index = urls.length - 1
  const last = entries.length - 1
  // If onBackPress keeps the page, the browser's history is corrected afterwards.
  if (index < last) return goBack(context, index, 'backbutton', {}).catch(() => {})
  const below = urls.map((url) => parseUrl(url))
  const address = below.pop()!
  if (index === last && formatUrl(entries[last]!) === formatUrl(address)) return
  if (!(await environment.load(address.path))) environment.notFound(address, false)
  else if (environment.isTab(address.path)) await showTab(context, address)
  else if (index === last) await replaceTop(context, address)
  else await openPage(context, address, {}, below.slice(last + 1))
}

async function revealPage({ state, environment }: StackContext, page: PageInstance): Promise<void> {
  updateView(state)
  show(page)
  await environment.draw()
}

function closePage({ leaving, tabs }: StackState, page: PageInstance): void {
  leaving.delete(page)
  // A new page may have replaced it already.
  if (tabs.get(page.path) === page) tabs.delete(page.path)
  page.isUnloaded = true
  page.isShown = false
  fire(page, 'onUnload')
}
