import type { PageModule } from '../build.ts'
import type { Transition } from '../page/transition.ts'
import { type Address, formatUrl, parseUrl } from './address.ts'
import type { Animator, PageAnimation } from './animator.ts'
import type { EventChannel, Listener } from './eventChannel.ts'
import { fire } from './hooks.ts'
import type { PageInstance } from './page.ts'
import {
  createOpener,
  type Entry,
  hide,
  loadOrReplace,
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

export interface StackContext extends NavigationEnvironment {
  state: StackState
  animator: Animator
}

export type BackTrigger = 'backbutton' | 'navigateBack'

export interface OpenOptions extends Transition {
  url: string
  /** Listeners for events from the opened page. */
  events?: Record<string, Listener> | undefined
}

/** Loads a page's module, or one in its place if that fails. Throws if the page does not exist. */
export async function loadPage(stack: StackContext, { path }: Address): Promise<PageModule> {
  const module = await loadOrReplace(stack, path)
  if (!module) throw new Error(`page "${path}" is not found`)
  return module
}

/** Calls `open` with the address that the guards admit. Throws if they stop the navigation. */
export async function openAdmitted<T>(
  environment: StackEnvironment,
  requested: Address,
  open: (address: Address) => Promise<T>,
): Promise<T> {
  const guards = environment.guards?.()
  if (!guards) return open(requested)
  const address = await guards.admit(requested)
  try {
    return await open(address)
  } catch (error) {
    guards.fail(address, error)
    throw error
  }
}

/** Opens a page above the current one, and `below` between them without rendering it. */
export async function openPage(
  stack: StackContext,
  address: Address,
  { events = {}, animationType, animationDuration }: Partial<OpenOptions>,
  below: Address[] = [],
): Promise<EventChannel> {
  const { state } = stack
  const module = await loadPage(stack, address)
  const opener = createOpener()
  for (const [name, listener] of Object.entries(events)) opener.on(name, listener)
  const covered = state.view.top
  const page = stack.create(module, address, opener)
  hide(covered)
  const animation = { animationType, animationDuration }
  state.entries.push(...below, { ...address, page, animation })
  stack.animator.end()
  stack.animator.play('enter', page, covered, stack.motion(page, animation))
  await renderPage(state, stack, page)
  return opener
}

interface Replacement {
  module: PageModule
  /** The entries below the page. */
  kept: Entry[]
  /** The pages to close, in this order. */
  removed: PageInstance[]
  opener?: EventChannel
}

/** Opens a page instead of others, which stay rendered until it is ready. */
export async function replacePages(
  stack: StackContext,
  address: Address,
  { module, kept, removed, opener = createOpener() }: Replacement,
): Promise<void> {
  const { state } = stack
  const page = stack.create(module, address, opener)
  for (const each of removed) state.leaving.add(each)
  state.entries = [...kept, { ...address, page }]
  stack.animator.end()
  await renderPage(state, stack, page)
  closePages(state, removed)
  updateView(state)
}

/** Replaces the page on top. */
export async function replaceTop(stack: StackContext, address: Address): Promise<void> {
  const module = await loadPage(stack, address)
  const { entries } = stack.state
  const { page } = entries.at(-1) ?? {}
  await replacePages(stack, address, { module, kept: entries.slice(0, -1), removed: page ? [page] : [] })
}

/** Reloads the top page, which replaces an error message. Throws if that fails. */
export async function reloadTop(stack: StackContext): Promise<void> {
  const { entries } = stack.state
  const { page, ...entry } = entries.at(-1)!
  const module = page && (await stack.load(page.path))
  if (!module) return
  await replacePages(stack, entry, { module, kept: entries.slice(0, -1), removed: [page], opener: page.opener })
}

/** Returns true if the page on top is the tab. */
export function isTabOnTop({ tabs, view: { top } }: StackState, path: string): boolean {
  return !!top && top === tabs.get(path)
}

/** Shows a tab and closes all pages that are not tabs. */
export async function showTab(stack: StackContext, address: Address): Promise<void> {
  const { state } = stack
  const { top } = state.view
  if (isTabOnTop(state, address.path)) return stack.guards?.()?.stay(address)
  const tab = state.tabs.get(address.path)
  const module = tab ? undefined : await loadPage(stack, address)
  const removed = openPages(state).filter((page) => !page.isTab)
  removed.reverse()
  if (top?.isTab) hide(top)
  if (module) return replacePages(stack, address, { module, kept: [], removed })
  stack.animator.end()
  state.entries = [{ ...address, page: tab! }]
  closePages(state, removed)
  await revealPage(stack, tab!)
}

/** Calls onBackPress of the page on top. Returns true if it keeps the page. */
export function isKept({ view: { top } }: StackState, trigger: BackTrigger): boolean {
  return !!top && fire(top, 'onBackPress', { from: trigger })
}

/** Goes back to the entry at `index`. */
export async function goBack(stack: StackContext, index: number, call: Transition): Promise<void> {
  const { state } = stack
  const { entries } = state
  const { top } = state.view
  const target = Math.max(0, index)
  const entry = entries[target]!
  const opened = entries.at(-1)!.animation
  const module = entry.page ? undefined : await loadPage(stack, entry)
  entry.page ??= stack.create(module!, entry, createOpener())
  const removed = entries.splice(target + 1).flatMap(({ page }) => page ?? [])
  stack.animator.end()
  closePages(state, removed.reverse())
  if (top) {
    const animation = stack.motion(top, { ...opened, ...call })
    if (animation) state.leaving.add(top)
    stack.animator.play('leave', top, entry.page, animation)
  }
  await (module ? renderPage(state, stack, entry.page) : revealPage(stack, entry.page))
}

/** Brings the stack in line with the addresses that the user navigated to in the browser. */
export async function followBrowser(stack: StackContext, urls: string[]): Promise<void> {
  const { entries } = stack.state
  const index = urls.length - 1
  const last = entries.length - 1
  if (index < last) return goBack(stack, index, {})
  const below = urls.map((url) => parseUrl(url))
  const address = below.pop()!
  if (index === last && formatUrl(entries[last]!) === formatUrl(address)) return stack.guards?.()?.stay(address)
  // A page that cannot be loaded exists; opening it reports the error.
  const isFound = await stack.load(address.path).catch(() => true)
  if (!isFound) stack.notFound(address, false)
  else if (stack.isTab(address.path)) await showTab(stack, address)
  else if (index === last) await replaceTop(stack, address)
  else await openPage(stack, address, {}, below.slice(last + 1))
}

async function revealPage(stack: StackContext, page: PageInstance): Promise<void> {
  updateView(stack.state)
  show(page)
  await stack.draw()
}

function closePages({ leaving, tabs }: StackState, pages: PageInstance[]): void {
  for (const page of pages) {
    leaving.delete(page)
    // A new page may have replaced it already.
    if (tabs.get(page.path) === page) tabs.delete(page.path)
    page.isUnloaded = true
    page.isShown = false
    fire(page, 'onUnload')
  }
}
