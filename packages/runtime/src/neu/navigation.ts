import type { Transition } from '../page/motion.ts'
import { parseUrl } from '../stack/address.ts'
import { currentApp } from '../stack/app.ts'
import type { EventChannel } from '../stack/eventChannel.ts'
import type { OpenOptions, PageStack } from '../stack/stack.ts'

const stack = (): Promise<PageStack> => currentApp().navigation()

/** Opens a page over the one that is there. `url` is relative to that page, or begins with a slash. Never a tab. */
export async function navigateTo(options: OpenOptions): Promise<{ eventChannel: EventChannel }> {
  return (await stack()).navigateTo(options)
}

/** Opens a page in place of the one that is there, which goes when the new one is drawn. Never a tab. */
export async function redirectTo(options: { url: string }): Promise<void> {
  await (await stack()).redirectTo(options)
}

/** Opens a page in place of all others, also of the tabs that are kept. */
export async function reLaunch(options: { url: string }): Promise<void> {
  await (await stack()).reLaunch(options)
}

/** Shows a tab, and closes every page that is none. */
export async function switchTab(options: { url: string }): Promise<void> {
  await (await stack()).switchTab(options)
}

/** Goes back by `delta` pages, at most to the first one; fails on that. */
export async function navigateBack(options: { delta?: number } & Transition = {}): Promise<void> {
  await (await stack()).navigateBack(options, 'navigateBack')
}

/** Loads what a page needs, so that it opens at once. */
export async function preloadPage({ url }: { url: string }): Promise<void> {
  const { environment, top } = currentApp()
  const { path } = parseUrl(url, top?.path)
  if (!(await environment.load(path))) throw new Error(`page "${path}" is not found`)
}
