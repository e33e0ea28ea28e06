import type { Transition } from '../page/transition.ts'
import { parseUrl } from '../stack/address.ts'
import { currentApp } from '../stack/app.ts'
import type { EventChannel } from '../stack/eventChannel.ts'
import type { OpenOptions } from '../stack/operations.ts'
import type { PageStack } from '../stack/stack.ts'

const stack = (): Promise<PageStack> => currentApp().navigation()

/**
 * Opens a page above the current one. `url` is relative to the current page unless it starts with a slash. Not for
 * tabs.
 */
export async function navigateTo(options: OpenOptions): Promise<{ eventChannel: EventChannel }> {
  return (await stack()).navigateTo(options)
}

/** Replaces the current page, which is closed when the new one is rendered. Not for tabs. */
export async function redirectTo(options: { url: string }): Promise<void> {
  await (await stack()).redirectTo(options)
}

/** Closes all pages, including kept tabs, and opens this one. */
export async function reLaunch(options: { url: string }): Promise<void> {
  await (await stack()).reLaunch(options)
}

/** Shows a tab and closes every page that is not a tab. */
export async function switchTab(options: { url: string }): Promise<void> {
  await (await stack()).switchTab(options)
}

/** Goes back by `delta` pages, at most to the first one. Fails on the first page. */
export async function navigateBack(options: { delta?: number } & Transition = {}): Promise<void> {
  await (await stack()).navigateBack(options, 'navigateBack')
}

/** Loads a page's module, so that the page opens without delay. */
export async function preloadPage({ url }: { url: string }): Promise<void> {
  const { environment, top } = currentApp()
  const { path } = parseUrl(url, top?.path)
  if (!(await environment.load(path))) throw new Error(`page "${path}" is not found`)
}
