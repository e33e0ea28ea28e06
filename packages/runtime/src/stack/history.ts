import { type BrowserWindow, urlsFromState, writeEntry } from './historyState.ts'

/**
 * Keeps the browser's history like the stack of pages: entry by entry, with hash routes. Each entry holds the addresses of all pages up to its own, so that
 * a reload knows what lies below. The stack is what counts; where the user goes elsewhere, the stack is told and says in the end what shall be.
 */
export interface BrowserHistory {
  /** Takes the browser to where the stack is. */
  sync(urls: string[]): Promise<void>
}

/** How long the browser may take to go somewhere, ms. It says nothing where there is nowhere to go: Chromium drops entries beyond fifty. */
const goTimeout = 1000

/**
 * `follow` is given the addresses, lowest first, of where the user went: as far as they are known, the last one always. `started` are those that the app began
 * with, which stand in the entry that there was.
 */
export function browserHistory(
  follow: (urls: string[]) => void,
  started: string[],
  browser: BrowserWindow = window,
): BrowserHistory {
  const { location } = browser
  const url = () => location.hash.slice(1)
  const currentUrls = () => urlsFromState(browser.history.state)
  let target = started
  /** What is known of the browser's entries, by index. */
  const entries = [...target]
  /** Index of the entry where the browser is. */
  let current = entries.length - 1
  let isSyncing = false
  let endGo: (() => void) | undefined

  browser.addEventListener('popstate', ({ state }) => onPopstate(state))
  // Somebody was faster than all this could be loaded. An entry that has only lost its state is the one that it was.
  if (!currentUrls() && url() !== target.at(-1)) onPopstate(null)

  function onPopstate(state: unknown): void {
    let urls = urlsFromState(state)
    if (urls) current = urls.length - 1
    else {
      // The address was edited, or a link followed: the browser has made a new entry after the one where it was.
      urls = [...target.slice(0, ++current), url()]
      entries.length = current
    }
    entries[current] = urls[current]!
    if (endGo) endGo()
    // What is no route is not for the stack, and is not to stay in the address.
    else if (url().startsWith('/')) follow(urls)
    else void sync(target)
  }

  async function sync(urls: string[]): Promise<void> {
    if (urls.length === 0) return
    target = urls
    if (isSyncing) return
    isSyncing = true
    let reached: string[]
    do reached = target
    while (!(await reach(reached)) || reached !== target)
    isSyncing = false
  }

  /** False where the user has gone elsewhere meanwhile. */
  async function reach(urls: string[]): Promise<boolean> {
    const index = urls.length - 1
    if (current > index || (current < index && entries[index] === urls[index])) {
      const start = current
      await go(index - current)
      // It could not go: what follows is written where it is.
      if (current === start) current = index
      if (current !== index) return false
    }
    while (current < index) write('pushState', urls.slice(0, ++current + 1))
    if (url() !== urls[index] || `${currentUrls()}` !== `${urls}`) write('replaceState', urls)
    return true
  }

  function write(method: 'pushState' | 'replaceState', urls: string[]): void {
    if (method === 'pushState') entries.length = current
    entries[current] = urls[current]!
    writeEntry(method, urls, browser)
  }

  function go(delta: number): Promise<void> {
    return new Promise((resolve) => {
      endGo = () => {
        clearTimeout(timer)
        endGo = undefined
        resolve()
      }
      const timer = setTimeout(endGo, goTimeout)
      browser.history.go(delta)
    })
  }

  return { sync }
}
