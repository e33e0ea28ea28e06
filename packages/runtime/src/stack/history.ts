import { type Browser, urlsOf, writeEntry } from './historyState.ts'

/**
 * Keeps the browser's history like the stack of pages: entry by entry, with hash routes. Each entry holds the addresses of all pages up to its own, so that
 * a reload knows what lies below. The stack is what counts; where the user goes elsewhere, the stack is told and says in the end what shall be.
 */
export interface BrowserHistory {
  /** Takes the browser to where the stack is. */
  settle(urls: string[]): Promise<void>
}

/** How long the browser may take to go somewhere, ms. It says nothing where there is nowhere to go: Chromium drops entries beyond fifty. */
const patience = 1000

/**
 * `follow` is given the addresses, lowest first, of where the user went: as far as they are known, the last one always. `started` are those that the app began
 * with, which stand in the entry that there was.
 */
export function browserHistory(
  follow: (urls: string[]) => void,
  started: string[],
  browser: Browser = window,
): BrowserHistory {
  const { location } = browser
  const url = () => location.hash.slice(1)
  const stateNow = () => urlsOf(browser.history.state)
  let wanted = started
  /** What is known of the browser's entries, by index. */
  const entries = [...wanted]
  /** Index of the entry where the browser is. */
  let at = entries.length - 1
  let isSettling = false
  let arrived: (() => void) | undefined

  browser.addEventListener('popstate', ({ state }) => moved(state))
  // Somebody was faster than all this could be loaded. An entry that has only lost its state is the one that it was.
  if (!stateNow() && url() !== wanted.at(-1)) moved(null)

  function moved(state: unknown): void {
    let urls = urlsOf(state)
    if (urls) at = urls.length - 1
    else {
      // The address was edited, or a link followed: the browser has made a new entry after the one where it was.
      urls = [...wanted.slice(0, ++at), url()]
      entries.length = at
    }
    entries[at] = urls[at]!
    if (arrived) arrived()
    // What is no route is not for the stack, and is not to stay in the address.
    else if (url().startsWith('/')) follow(urls)
    else void settle(wanted)
  }

  async function settle(urls: string[]): Promise<void> {
    if (urls.length === 0) return
    wanted = urls
    if (isSettling) return
    isSettling = true
    let reached: string[]
    do reached = wanted
    while (!(await reach(reached)) || reached !== wanted)
    isSettling = false
  }

  /** False where the user has gone elsewhere meanwhile. */
  async function reach(urls: string[]): Promise<boolean> {
    const index = urls.length - 1
    if (at > index || (at < index && entries[index] === urls[index])) {
      const start = at
      await go(index - at)
      // It could not go: what follows is written where it is.
      if (at === start) at = index
      if (at !== index) return false
    }
    while (at < index) write('pushState', urls.slice(0, ++at + 1))
    if (url() !== urls[index] || `${stateNow()}` !== `${urls}`) write('replaceState', urls)
    return true
  }

  function write(how: 'pushState' | 'replaceState', urls: string[]): void {
    if (how === 'pushState') entries.length = at
    entries[at] = urls[at]!
    writeEntry(how, urls, browser)
  }

  function go(delta: number): Promise<void> {
    return new Promise((resolve) => {
      arrived = () => {
        clearTimeout(clock)
        arrived = undefined
        resolve()
      }
      const clock = setTimeout(arrived, patience)
      browser.history.go(delta)
    })
  }

  return { settle }
}
