import { second } from '@souk/contract/time'
import { type BrowserWindow, isShown, urlsFromState, writeEntry } from './historyState.ts'

/**
 * Keeps the browser's history in step with the page stack, one entry per page, with hash routes. The state of each
 * entry holds the addresses of all pages up to its own, so that a reload can restore them. The stack decides: when
 * the user navigates in the browser, the stack is notified, and its result is written back.
 */
export interface BrowserHistory {
  /** Brings the browser's history in line with the stack. */
  sync(urls: string[]): Promise<void>
}

/**
 * Time for the browser to navigate, in ms. No event fires if the entry does not exist: Chromium drops entries beyond
 * fifty.
 */
const goTimeout = second

/**
 * Creates the history. `follow` is called with the addresses, lowest first, that the user navigated to; the last one
 * is always present. `started` are the addresses that the app started with, which the current entry holds, and
 * `launch` is the path of its launch page.
 */
export function browserHistory(
  follow: (urls: string[]) => void,
  started: string[],
  launch: string,
  browser: BrowserWindow = window,
): BrowserHistory {
  const { location } = browser
  const url = () => location.hash.slice(1)
  const currentUrls = () => urlsFromState(browser.history.state)
  let target = started
  /** Known entries of the browser, by index. */
  const entries = [...target]
  /** Index of the browser's current entry. */
  let current = entries.length - 1
  let isSyncing = false
  let endGo: (() => void) | undefined

  browser.addEventListener('popstate', ({ state }) => onPopstate(state))
  // The user may have navigated before this module was loaded. An entry that only lost its state is unchanged.
  if (!currentUrls() && !isShown(target.at(-1)!, launch, browser)) onPopstate(null)

  function onPopstate(state: unknown): void {
    let urls = urlsFromState(state)
    if (urls) current = urls.length - 1
    else {
      // The address was edited or a link followed: the browser added an entry after the previous one.
      urls = [...target.slice(0, ++current), url()]
      entries.length = current
    }
    entries[current] = urls[current]!
    if (endGo) endGo()
    // Not a route: restore the address.
    else if (url().startsWith('/')) follow(urls)
    else void sync(target)
  }

  async function sync(urls: string[]): Promise<void> {
    if (urls.length === 0) return
    target = urls
    if (isSyncing) return
    isSyncing = true
    try {
      let reached: string[]
      do reached = target
      while (!(await reach(reached)) || reached !== target)
    } catch (error) {
      // Safari allows 100 entries in 30 s. The next navigation adds those that are missing.
      console.warn('Souk: the history of the browser could not be changed.', error)
    } finally {
      isSyncing = false
    }
  }

  /** Returns false if the user has navigated elsewhere. */
  async function reach(urls: string[]): Promise<boolean> {
    const index = urls.length - 1
    if (current > index || (current < index && entries[index] === urls[index])) {
      const start = current
      await go(index - current)
      // Going back failed: write to the current entry.
      if (current === start) current = index
      if (current !== index) return false
    }
    while (current < index) write('pushState', urls.slice(0, current + 2))
    if (!isShown(urls[index]!, launch, browser) || `${currentUrls()}` !== `${urls}`) write('replaceState', urls)
    return true
  }

  /** Changes nothing if the browser refuses the entry. */
  function write(method: 'pushState' | 'replaceState', urls: string[]): void {
    writeEntry(method, urls, launch, browser)
    current = urls.length - 1
    entries.length = method === 'pushState' ? current : entries.length
    entries[current] = urls[current]!
  }

  function go(delta: number): Promise<void> {
    return new Promise((resolve) => {
      endGo = () => {
        clearTimeout(timer)
        endGo = undefined
        resolve()
      }
      const timer = setTimeout(endGo, goTimeout)
      try {
        browser.history.go(delta)
      } catch (error) {
        endGo()
        throw error
      }
    })
  }

  return { sync }
}
