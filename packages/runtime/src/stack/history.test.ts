import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type BrowserHistory, browserHistory } from './history.ts'
import { type BrowserWindow, restoredUrls, writeEntry } from './historyState.ts'

/**
 * A browser history as specified: `go` is asynchronous and fires popstate; editing the address adds an entry without
 * state.
 */
class TestBrowser implements BrowserWindow {
  entries: { url: string; state: unknown }[]
  at = 0
  listener: (event: { state: unknown }) => void = () => {}

  constructor(url: string, state: unknown = null) {
    this.entries = [{ url, state }]
  }

  get history() {
    const browser = this
    return {
      get state() {
        return browser.entries[browser.at]!.state
      },
      go(delta: number) {
        setTimeout(() => {
          if (!browser.entries[browser.at + delta]) return
          browser.at += delta
          browser.listener({ state: browser.entries[browser.at]!.state })
        })
      },
      pushState(state: unknown, _: string, url: string) {
        browser.entries.length = browser.at + 1
        browser.entries.push({ url, state: structuredClone(state) })
        browser.at++
      },
      replaceState(state: unknown, _: string, url: string) {
        browser.entries[browser.at] = { url, state: structuredClone(state) }
      },
    }
  }

  readonly location = Object.defineProperties(
    {},
    Object.fromEntries(
      (['hash', 'pathname', 'search'] as const).map((part) => [
        part,
        { get: () => new URL(this.entries[this.at]!.url, 'https://app.example')[part] },
      ]),
    ),
  ) as BrowserWindow['location']

  addEventListener(_: 'popstate', listener: (event: { state: unknown }) => void) {
    this.listener = listener
  }

  edit(hash: string) {
    this.history.pushState(null, '', `${this.location.pathname}${this.location.search}${hash}`)
    this.listener({ state: null })
  }

  get urls() {
    return this.entries.map(({ url }) => url)
  }
}

let browser: TestBrowser
let followed: string[][]
let history: BrowserHistory

const open = (url = '/mini/', state: unknown = null) => {
  browser = new TestBrowser(url, state)
  followed = []
}
/** Starts like the app does. */
const begin = async (...urls: string[]) => {
  writeEntry('replaceState', urls, 'home', browser)
  history = browserHistory((urls) => followed.push(urls), urls, 'home', browser)
  await sync(...urls)
}
const sync = async (...urls: string[]) => {
  const done = history.sync(urls)
  await vi.runAllTimersAsync()
  await done
}

beforeEach(() => {
  vi.useFakeTimers()
  open()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the history of the browser', () => {
  it('has an entry for every page', async () => {
    open('/mini/?code=1')
    await begin('/a')
    await sync('/a', '/b?x=1')
    await sync('/a', '/b?x=1', '/c')
    expect(browser.urls).toEqual(['/mini/?code=1#/a', '/mini/?code=1#/b?x=1', '/mini/?code=1#/c'])
    expect(browser.at).toBe(2)
  })

  it('shows the launch page without its path, and keeps a link with its path as it was written', async () => {
    await begin('/home')
    await sync('/home', '/b')
    await sync('/home', '/b', '/home?x=1')
    expect(browser.urls).toEqual(['/mini/#/', '/mini/#/b', '/mini/#/?x=1'])
    expect(restoredUrls('home', browser)).toEqual(['/home', '/b', '/home?x=1'])

    open('/mini/#/home?code=1')
    await begin('/home?code=1')
    expect(browser.urls).toEqual(['/mini/#/home?code=1'])
    browser.edit('#/?y=2')
    await sync('/home?y=2')
    expect(followed).toEqual([['/home?code=1', '/?y=2']])
    expect(browser.urls[0]).toBe('/mini/#/?y=2')
  })

  it('goes back with the stack, and overwrites the entry of a replaced page', async () => {
    await begin('/a')
    await sync('/a', '/b')
    await sync('/a', '/b', '/c')
    await sync('/a')
    expect([browser.at, browser.urls[0]]).toEqual([0, '/mini/#/a'])
    await sync('/d')
    expect(browser.urls[0]).toBe('/mini/#/d')
    await sync('/d', '/e')
    expect(browser.urls).toEqual(['/mini/#/d', '/mini/#/e'])
    expect(followed).toEqual([])
  })

  it('applies the last of several simultaneous changes', async () => {
    await begin('/a')
    await sync('/a', '/b', '/c')
    history.sync(['/a', '/b'])
    history.sync(['/a'])
    await sync('/a', '/d')
    expect([browser.at, browser.urls.slice(0, 2)]).toEqual([1, ['/mini/#/a', '/mini/#/d']])
    expect(followed).toEqual([])
  })

  it("reports the user's navigation, but not its own", async () => {
    await begin('/a')
    await sync('/a', '/b')
    browser.history.go(-1)
    await vi.runAllTimersAsync()
    expect(followed).toEqual([['/a']])
    await sync('/a')
    browser.history.go(1)
    await vi.runAllTimersAsync()
    expect(followed).toEqual([['/a'], ['/a', '/b']])
    await sync('/a', '/b')
    expect(browser.urls).toEqual(['/mini/#/a', '/mini/#/b'])
  })

  it('goes forward again if the page stayed', async () => {
    await begin('/a')
    await sync('/a', '/b')
    browser.history.go(-1)
    await vi.runAllTimersAsync()
    await sync('/a', '/b')
    expect([browser.at, browser.entries.length]).toEqual([1, 2])
  })

  it('reports an edited address as a page on top, and follows if the stack opens another one', async () => {
    await begin('/a')
    await sync('/a', '/b')
    browser.edit('#/c?x=1')
    expect(followed).toEqual([['/a', '/b', '/c?x=1']])
    await sync('/tab')
    expect([browser.at, browser.urls[0]]).toEqual([0, '/mini/#/tab'])
  })

  it('restores the address if it opens no page or is not a route', async () => {
    await begin('/a')
    browser.edit('#/x')
    expect(followed).toEqual([['/a', '/x']])
    await sync('/a')
    expect(browser.at).toBe(0)
    browser.edit('#heading')
    await vi.runAllTimersAsync()
    expect(browser.at).toBe(0)
    expect(followed).toHaveLength(1)
  })

  it('restores the pages below after a reload, unless the address was edited', async () => {
    open('/mini/#/b', { souk: ['/a', '/b'] })
    expect(restoredUrls('home', browser)).toEqual(['/a', '/b'])
    open('/mini/#/c', { souk: ['/a', '/b'] })
    expect(restoredUrls('home', browser)).toBe(undefined)
    open('/mini/#/c', { other: 1 })
    expect(restoredUrls('home', browser)).toBe(undefined)
  })

  it('continues after a reload', async () => {
    await begin('/a')
    await sync('/a', '/b')
    const { entries } = browser
    open('/mini/#/b', { souk: ['/a', '/b'] })
    browser.entries = entries
    browser.at = 1
    await begin('/a', '/b')
    await sync('/a')
    expect([browser.at, browser.urls[0]]).toEqual([0, '/mini/#/a'])
  })

  it('overwrites the current entry if the browser cannot go back far enough', async () => {
    open('/mini/#/b', { souk: ['/a', '/b'] })
    await begin('/a', '/b')
    await sync('/a')
    expect(browser.urls).toEqual(['/mini/#/a'])
    await sync('/a', '/c')
    expect(browser.urls).toEqual(['/mini/#/a', '/mini/#/c'])
  })

  it('reports an address that was edited before the module was loaded', async () => {
    writeEntry('replaceState', ['/a'], 'home', browser)
    browser.edit('#/b')
    history = browserHistory((urls) => followed.push(urls), ['/a'], 'home', browser)
    expect(followed).toEqual([['/a', '/b']])
    await sync('/a', '/b')
    expect([browser.at, browser.urls]).toEqual([1, ['/mini/#/a', '/mini/#/b']])
  })

  it('restores the state of an entry that lost it', async () => {
    writeEntry('replaceState', ['/a'], 'home', browser)
    browser.history.replaceState(null, '', '/mini/#/a')
    history = browserHistory((urls) => followed.push(urls), ['/a'], 'home', browser)
    expect(followed).toEqual([])
    await sync('/a')
    expect([browser.at, browser.urls]).toEqual([0, ['/mini/#/a']])
    expect(restoredUrls('home', browser)).toEqual(['/a'])
  })

  /** Calls of the browser that throw: as in Safari after 100 entries, or because the document is no longer active. */
  const calls = [0, 1, 2, 3, 4, 5, 6].flatMap((failed) => [1, 2, 20].map((count) => ({ failed, count })))
  it.each(calls)('continues after $count calls from number $failed have thrown', async ({ failed, count }) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    await begin('/a')
    const { history: working } = browser
    let call = 0
    const throwing =
      <A extends unknown[]>(run: (...args: A) => void) =>
      (...args: A) => {
        const at = call++
        if (at >= failed && at < failed + count) throw new DOMException('Too many calls', 'SecurityError')
        run(...args)
      }
    Object.defineProperty(browser, 'history', {
      configurable: true,
      value: Object.defineProperties(
        {
          go: throwing(working.go),
          pushState: throwing(working.pushState),
          replaceState: throwing(working.replaceState),
        },
        { state: { get: () => browser.entries[browser.at]!.state } },
      ),
    })
    for (const urls of [['/a', '/b'], ['/a', '/b', '/c'], ['/a'], ['/a', '/d', '/e'], ['/a', '/d']]) await sync(...urls)
    call = Number.POSITIVE_INFINITY
    await sync('/a', '/f')
    await sync('/a', '/f', '/g')
    expect(restoredUrls('home', browser)).toEqual(['/a', '/f', '/g'])
    const before = browser.at
    working.go(-1)
    await vi.runAllTimersAsync()
    expect([browser.at, followed.at(-1)]).toEqual([before - 1, ['/a', '/f']])
    warn.mockRestore()
  })
})
