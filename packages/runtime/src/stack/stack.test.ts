import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineComponent, h, nextTick, ref } from 'vue'
import { memoryApp, pageOf } from '../../test/memoryApp.ts'
import { neu } from '../neu/index.ts'
import type { RunningApp } from './app.ts'
import { onHide, onLoad, onReady, onShow, onUnload } from './hooks.ts'
import { getCurrentPages } from './pages.ts'
import { pagesSeenBelow } from './stackState.ts'

const three = { 'pages/a/a': {}, 'pages/b/b': {}, 'pages/c/c': {} }
const tabbed = { 'tabs/one/one': {}, 'tabs/two/two': {}, ...three }
const tabs = ['tabs/one/one', 'tabs/two/two']

const errMsg = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    (error: { errMsg: string }) => error.errMsg,
  )

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('transparent pages show those below them, and the bars of the lowest of these', async () => {
  const seeThrough = { style: { 'app-plus': { background: 'transparent' } } }
  const { app, bars } = await memoryApp({ ...three, 'pages/b/b': seeThrough, 'pages/c/c': seeThrough })
  const seen = () => pagesSeenBelow(app.stackState).map(({ path }) => path)
  expect([seen(), bars().below]).toEqual([[], null])
  await neu.navigateTo({ url: '/pages/b/b' })
  await neu.navigateTo({ url: '/pages/c/c' })
  expect(seen()).toEqual(['pages/b/b', 'pages/a/a'])
  expect(bars().below).toMatchObject({ navigationBar: { title: 'App' }, tabBar: null, scrollTop: 0 })
  await neu.navigateTo({ url: '/pages/a/a' })
  expect([seen(), bars().below]).toEqual([[], null])
})

describe('the order of hooks', () => {
  it('for the first page is onLoad, onShow, onReady', async () => {
    expect((await memoryApp(three)).log).toEqual(['a.onLoad', 'a.onShow', 'a.onReady'])
  })

  it('for navigateTo is onHide of the old page, then onLoad, onShow, onReady of the new one', async () => {
    const { logged, paths } = await memoryApp(three)
    logged()
    await neu.navigateTo({ url: '/pages/b/b' })
    expect(logged()).toEqual(['a.onHide', 'b.onLoad', 'b.onShow', 'b.onReady'])
    expect(paths()).toEqual(['pages/a/a', 'pages/b/b'])
  })

  it('for navigateBack is onUnload of the closed pages from the top, then onShow of the one below', async () => {
    const { logged, paths, text } = await memoryApp(three)
    await neu.navigateTo({ url: '/pages/b/b' })
    await neu.navigateTo({ url: '/pages/c/c' })
    logged()
    await neu.navigateBack({ delta: 2 })
    expect(logged()).toEqual(['c.onUnload', 'b.onUnload', 'a.onShow'])
    expect(paths()).toEqual(['pages/a/a'])
    expect(text()).toBe('a')
  })

  it('for redirectTo is all hooks of the new page, then onUnload of the old one, which is rendered until then', async () => {
    const seen: string[] = []
    const { logged, paths, text } = await memoryApp({
      ...three,
      'pages/b/b': (log) => ({ component: pageOf(log, 'b', { mounted: () => seen.push(text()) }) }),
    })
    logged()
    await neu.redirectTo({ url: '/pages/b/b' })
    expect(logged()).toEqual(['b.onLoad', 'b.onShow', 'b.onReady', 'a.onUnload'])
    expect(seen).toEqual(['ab'])
    expect(paths()).toEqual(['pages/b/b'])
    await Promise.resolve()
    expect(text()).toBe('b')
  })

  it('for reLaunch is all hooks of the new page, then onUnload of all others, including kept tabs', async () => {
    const { logged, paths } = await memoryApp(tabbed, { tabs })
    await neu.switchTab({ url: '/tabs/two/two' })
    await neu.navigateTo({ url: '/pages/a/a' })
    logged()
    await neu.reLaunch({ url: '/pages/b/b?x=1' })
    expect(logged()).toEqual(['b.onLoad', 'b.onShow', 'b.onReady', 'a.onUnload', 'two.onUnload', 'one.onUnload'])
    expect(paths()).toEqual(['pages/b/b'])
  })

  it('for a tab that is shown again is onShow alone', async () => {
    const { logged } = await memoryApp(tabbed, { tabs })
    logged()
    await neu.switchTab({ url: '/tabs/two/two' })
    expect(logged()).toEqual(['one.onHide', 'two.onLoad', 'two.onShow', 'two.onReady'])
    await neu.switchTab({ url: '/tabs/one/one' })
    expect(logged()).toEqual(['two.onHide', 'one.onShow'])
  })

  it('for switchTab is onUnload of the other pages, then onShow of the kept tab', async () => {
    const { logged, paths } = await memoryApp(tabbed, { tabs })
    await neu.navigateTo({ url: '/pages/a/a' })
    await neu.navigateTo({ url: '/pages/b/b' })
    logged()
    await neu.switchTab({ url: '/tabs/one/one' })
    expect(logged()).toEqual(['b.onUnload', 'a.onUnload', 'one.onShow'])
    expect(paths()).toEqual(['tabs/one/one'])
  })

  it('for switchTab to a new tab closes the old page after the tab is ready', async () => {
    const { logged } = await memoryApp(tabbed, { tabs })
    await neu.navigateTo({ url: '/pages/a/a' })
    logged()
    await neu.switchTab({ url: '/tabs/two/two' })
    expect(logged()).toEqual(['two.onLoad', 'two.onShow', 'two.onReady', 'a.onUnload'])
    await neu.switchTab({ url: '/tabs/one/one' })
    expect(logged()).toEqual(['two.onHide', 'one.onShow'])
  })

  it('is empty for switchTab to the current tab', async () => {
    const { logged } = await memoryApp(tabbed, { tabs })
    logged()
    await neu.switchTab({ url: '/tabs/one/one' })
    expect(logged()).toEqual([])
  })

  it('is the same for composition functions, and for components of the page', async () => {
    const log: string[] = []
    const hooks = (name: string) => {
      onLoad(({ id }) => log.push(`${name}.onLoad ${id}`))
      onShow(() => log.push(`${name}.onShow`))
      onReady(() => log.push(`${name}.onReady`))
      onHide(() => log.push(`${name}.onHide`))
      onUnload(() => log.push(`${name}.onUnload`))
    }
    const part = defineComponent({
      setup() {
        hooks('part')
        return () => h('i')
      },
    })
    const component = defineComponent({
      data: () => ({ isThere: true }),
      setup() {
        hooks('b')
      },
      render() {
        return this.isThere ? h(part) : null
      },
    })
    const { app } = await memoryApp({ ...three, 'pages/b/b': { component } })
    await neu.navigateTo({ url: '/pages/b/b?id=7' })
    await neu.navigateTo({ url: '/pages/c/c' })
    await neu.navigateBack()
    expect(log.splice(0)).toEqual([
      'b.onLoad 7',
      'b.onShow',
      'part.onLoad 7',
      'part.onShow',
      'b.onReady',
      'part.onReady',
      'b.onHide',
      'part.onHide',
      'b.onShow',
      'part.onShow',
    ])
    Object.assign(app.top!.vm!, { isThere: false })
    await Promise.resolve()
    await neu.navigateBack()
    expect(log).toEqual(['b.onUnload'])
  })

  it('keeps a function registered by two components when one of them is unmounted', async () => {
    const shared = vi.fn()
    const part = () => {
      const setup = () => {
        onShow(shared)
        return () => null
      }
      return defineComponent({ setup })
    }
    const [first, second] = [part(), part()]
    const component = defineComponent({
      data: () => ({ isThere: true }),
      render() {
        return [h(first), this.isThere ? h(second) : null]
      },
    })
    const { app } = await memoryApp({ 'pages/a/a': { component }, 'pages/b/b': {} })
    Object.assign(app.top!.vm!, { isThere: false })
    shared.mockClear()
    await neu.navigateTo({ url: '/pages/b/b' })
    await neu.navigateBack()
    expect(shared).toHaveBeenCalledTimes(1)
  })

  it('calls hooks of mixins before those of the page', async () => {
    const { log } = await memoryApp({
      'pages/a/a': (log) => ({
        component: pageOf(log, 'a', { mixins: [{ onLoad: () => log.push('mixin.onLoad') }] }),
      }),
    })
    expect(log).toEqual(['mixin.onLoad', 'a.onLoad', 'a.onShow', 'a.onReady'])
  })

  it('is not changed by a hook that throws, which is reported', async () => {
    const { log, errors } = await memoryApp({
      'pages/a/a': (log) => ({
        component: pageOf(log, 'a', {
          onLoad() {
            throw new Error('in onLoad')
          },
        }),
      }),
    })
    expect(log).toEqual(['a.onShow', 'a.onReady'])
    expect(errors).toEqual([new Error('in onLoad')])
  })

  it('continues after a page that cannot be rendered', async () => {
    const { errors, logged } = await memoryApp({
      ...three,
      'pages/b/b': {
        component: {
          render() {
            throw new Error('in render')
          },
        },
      },
    })
    await neu.navigateTo({ url: '/pages/b/b' })
    logged()
    await neu.navigateBack()
    expect(logged()).toEqual(['a.onShow'])
    expect(errors).toEqual([new Error('in render')])
  })
})

describe('a page that cannot be loaded', () => {
  /** An app whose page b cannot be loaded until `isOnline` is true. */
  async function start(isStarted = true) {
    const memory = await memoryApp(three, { isStarted })
    const network = { isOnline: false }
    const { load } = memory.app.environment
    vi.spyOn(memory.app.environment, 'load').mockImplementation((path) =>
      network.isOnline || path !== 'pages/b/b' ? load(path) : Promise.reject(new Error('no network')),
    )
    return { ...memory, network }
  }
  const message = 'This page could not be loaded. Tap to try again.'
  const retry = async (app: RunningApp) => (await app.navigation()).reloadTop()

  it('is opened with a message in its place, which goes when it has been loaded', async () => {
    const { app, errors, logged, network, paths, text } = await start()
    logged()
    const { eventChannel } = await neu.navigateTo({ url: '/pages/b/b?id=1' })
    eventChannel.emit('given', 'kept')
    expect(paths()).toEqual(['pages/a/a', 'pages/b/b'])
    expect(text()).toContain(message)
    expect(errors).toEqual([new Error('no network')])
    expect(logged()).toEqual(['a.onHide'])
    await expect(retry(app)).rejects.toThrow('no network')
    expect(text()).toContain(message)
    network.isOnline = true
    await retry(app)
    expect(logged()).toEqual(['b.onLoad', 'b.onShow', 'b.onReady'])
    expect(text()).not.toContain(message)
    expect(app.top).toMatchObject({ path: 'pages/b/b', query: { id: '1' }, canGoBack: true })
    const given: unknown[] = []
    app.top!.opener.on('given', (value) => given.push(value))
    expect(given).toEqual(['kept'])
    await neu.navigateBack()
    expect(paths()).toEqual(['pages/a/a'])
  })

  it.each([[['/pages/b/b']], [['/pages/b/b', '/pages/c/c']]])('can be the first one: %o', async (urls) => {
    const { app, network, paths, text } = await start(false)
    expect(await app.start(urls)).toBe(true)
    if (urls.length > 1) await neu.navigateBack()
    expect(text()).toContain(message)
    network.isOnline = true
    await retry(app)
    expect([paths(), text()]).toEqual([['pages/b/b'], 'b'])
  })

  it('has its configuration from the table of all pages, and a message in the language of the app', async () => {
    const { app, bars, carrier, text } = await start()
    const style = { navigationBarTitleText: 'Page B' }
    app.build.pages = async () => [{ path: 'pages/b/b', style }]
    await neu.navigateTo({ url: '/pages/b/b' })
    expect(bars().navigationBar.title).toBe('Page B')
    for (const [language, start] of [
      ['zh-CN', '页面加载失败'],
      ['ar', 'تعذّر تحميل'],
      ['fr', 'This page'],
    ]) {
      carrier.device.language = language!
      await nextTick()
      expect(text()).toContain(start)
    }
  })
})

describe('failures', () => {
  it.each([
    ['navigateTo', { url: '/tabs/two/two' }, 'navigateTo:fail can not navigateTo a tabbar page'],
    ['redirectTo', { url: '/tabs/two/two' }, 'redirectTo:fail can not redirectTo a tabbar page'],
    ['switchTab', { url: '/pages/a/a' }, 'switchTab:fail can not switch to no-tabBar page'],
    ['navigateTo', { url: '/pages/x/x?a=1' }, 'navigateTo:fail page "pages/x/x" is not found'],
    ['redirectTo', { url: '/pages/x/x' }, 'redirectTo:fail page "pages/x/x" is not found'],
    ['reLaunch', { url: '/pages/x/x' }, 'reLaunch:fail page "pages/x/x" is not found'],
    ['preloadPage', { url: '/pages/x/x' }, 'preloadPage:fail page "pages/x/x" is not found'],
    ['navigateTo', { url: '/constructor' }, 'navigateTo:fail page "constructor" is not found'],
    ['navigateBack', {}, 'navigateBack:fail cannot navigate back at first page'],
    ['navigateTo', {}, 'navigateTo:fail parameter error: parameter.url should be String instead of Undefined'],
    [
      'navigateBack',
      { delta: '1' },
      'navigateBack:fail parameter error: parameter.delta should be Number instead of String',
    ],
  ] as const)('%s %o: %s, and change nothing', async (name, options, text) => {
    const { logged, paths } = await memoryApp(tabbed, { tabs })
    logged()
    expect(await errMsg((neu[name] as (options: object) => Promise<unknown>)(options))).toBe(text)
    expect(logged()).toEqual([])
    expect(paths()).toEqual(['tabs/one/one'])
  })

  it('occur if onBackPress, which knows the trigger, returns true', async () => {
    const from: string[] = []
    const { app, paths, idle } = await memoryApp({
      ...three,
      'pages/b/b': {
        component: {
          render: () => null,
          onBackPress(options: { from: string }) {
            from.push(options.from)
            return from.length < 3
          },
        } as object,
      },
    })
    await neu.navigateTo({ url: '/pages/b/b' })
    expect(await errMsg(neu.navigateBack())).toBe('navigateBack:fail onBackPress')
    app.back()
    await idle()
    expect(paths()).toHaveLength(2)
    app.back()
    await idle()
    expect(paths()).toHaveLength(1)
    expect(from).toEqual(['navigateBack', 'backbutton', 'backbutton'])
  })
})

describe('navigation', () => {
  it('resolves relative paths against the page on top', async () => {
    const { paths } = await memoryApp(three)
    await neu.navigateTo({ url: '../b/b' })
    await neu.navigateTo({ url: './../c/c?x=1' })
    expect(paths()).toEqual(['pages/a/a', 'pages/b/b', 'pages/c/c'])
  })

  it('passes the query to onLoad and to declared props', async () => {
    const received: unknown[] = []
    await memoryApp({
      ...three,
      'pages/b/b': {
        component: {
          props: { id: String },
          onLoad: (query: object) => received.push(query),
          render(this: { id: string }) {
            received.push(this.id)
            return null
          },
        } as object,
      },
    })
    await neu.navigateTo({ url: '/pages/b/b?id=%E4%BD%A0%26&name=x%20y' })
    expect(received).toEqual([{ id: '你&', name: 'x y' }, '你&'])
  })

  it('runs one call after the other, in order', async () => {
    const { logged, paths } = await memoryApp(three)
    logged()
    await Promise.all([
      neu.navigateTo({ url: '/pages/b/b' }),
      neu.redirectTo({ url: '/pages/c/c' }),
      neu.navigateTo({ url: '/pages/b/b' }),
    ])
    expect(paths()).toEqual(['pages/a/a', 'pages/c/c', 'pages/b/b'])
    expect(logged()).toEqual([
      ...['a.onHide', 'b.onLoad', 'b.onShow', 'b.onReady'],
      ...['c.onLoad', 'c.onShow', 'c.onReady', 'b.onUnload'],
      ...['c.onHide', 'b.onLoad', 'b.onShow', 'b.onReady'],
    ])
  })

  it('opens a page once if called again while it is being opened', async () => {
    const { paths } = await memoryApp(three)
    const first = neu.navigateTo({ url: '/pages/b/b?x=1' })
    const outcomes = await Promise.all(
      ['b?x=1', 'b?x=2', '/pages/c/c'].map((url) => errMsg(neu.navigateTo({ url: url.replace('b?', '../b/b?') }))),
    )
    await first
    expect(outcomes).toEqual(['navigateTo:fail "/pages/b/b?x=1" is already being opened', 'no failure', 'no failure'])
    expect(paths()).toEqual(['pages/a/a', 'pages/b/b', 'pages/b/b', 'pages/c/c'])
    expect(await errMsg(neu.navigateTo({ url: '/pages/c/c' }))).toBe('no failure')
  })

  it('can be called in onLoad', async () => {
    const { paths, idle } = await memoryApp({
      ...three,
      'pages/b/b': {
        component: { render: () => null, onLoad: () => neu.redirectTo({ url: '/pages/c/c' }) } as object,
      },
    })
    await neu.navigateTo({ url: '/pages/b/b' })
    await idle()
    expect(paths()).toEqual(['pages/a/a', 'pages/c/c'])
  })

  it('goes back to the first page if delta is too large', async () => {
    const { paths } = await memoryApp(three)
    await neu.navigateTo({ url: '/pages/b/b' })
    await neu.navigateTo({ url: '/pages/c/c' })
    await neu.navigateBack({ delta: 9 })
    expect(paths()).toEqual(['pages/a/a'])
  })

  it('connects a page and its opener by events in both directions, even before the page listens', async () => {
    const events: unknown[] = []
    await memoryApp({
      ...three,
      'pages/b/b': {
        component: {
          render: () => null,
          onReady() {
            const [, page] = getCurrentPages()
            page!.getOpenerEventChannel().on('toPage', (value: unknown) => events.push(['page', value]))
            page!.getOpenerEventChannel().emit('toOpener', 1)
          },
        } as object,
      },
    })
    const { eventChannel } = await neu.navigateTo({
      url: '/pages/b/b',
      events: { toOpener: (value: unknown) => events.push(['opener', value]) },
    })
    eventChannel.emit('toPage', 2)
    await neu.navigateBack()
    await new Promise<void>((resolve) => {
      neu.navigateTo({
        url: '/pages/b/b',
        success({ eventChannel }) {
          eventChannel.emit('toPage', 3)
          resolve()
        },
      })
    })
    expect(events).toEqual([
      ['opener', 1],
      ['page', 2],
      ['page', 3],
    ])
  })

  it('exposes the components of open pages', async () => {
    await memoryApp({
      ...three,
      'pages/a/a': { component: { data: () => ({ count: 1 }), render: () => null } },
    })
    await neu.navigateTo({ url: '/pages/b/b?x=1' })
    const [first, second] = getCurrentPages()
    first!.count++
    expect([first!.route, first!.count, first!.$vm!.$data]).toEqual(['pages/a/a', 2, { count: 2 }])
    expect([second!.options, second!.$page.fullPath]).toEqual([{ x: '1' }, '/pages/b/b?x=1'])
    expect(getCurrentPages()[0]).toBe(first)
  })

  it('tells listeners of the web view of uni-app when a page is hidden, shown and closed', async () => {
    const events: string[] = []
    await memoryApp(three)
    await neu.navigateTo({ url: '/pages/b/b' })
    const [, page] = getCurrentPages()
    const webview = page!.$getAppWebview!()
    const onHide = () => events.push('hide')
    webview.addEventListener('hide', onHide)
    webview.addEventListener('hide', onHide)
    for (const event of ['show', 'close', 'popGesture']) webview.addEventListener(event, () => events.push(event))
    expect(page!.$getAppWebview!()).toBe(webview)
    await neu.navigateTo({ url: '/pages/c/c' })
    await neu.navigateBack()
    webview.removeEventListener('hide', onHide)
    await neu.navigateTo({ url: '/pages/c/c' })
    await neu.navigateBack({ delta: 2 })
    expect(events).toEqual(['hide', 'show', 'close'])
  })

  it('leads to the launch page from a page without one below on H5 of uni-app, and only there', async () => {
    const { app } = await memoryApp(three, { isStarted: false })
    const hasButton = () => app.top!.navigationBar.backButton !== null
    await app.start(['/pages/b/b'])
    expect(hasButton()).toBe(false)
    vi.stubGlobal('__SOUK_UNI_APP__', true)
    await neu.reLaunch({ url: '/pages/c/c' })
    expect(hasButton()).toBe(true)
    app.back()
    await vi.waitFor(() => expect(app.top!.path).toBe('pages/a/a'))
    expect(hasButton()).toBe(false)
  })

  it('has no button that leads from a tab to the launch page', async () => {
    const { app } = await memoryApp(tabbed, { tabs, isStarted: false })
    vi.stubGlobal('__SOUK_UNI_APP__', true)
    await app.start(['/tabs/two/two'])
    expect(app.top!.navigationBar.backButton).toBe(null)
  })

  it('restores pages below after a reload when going back', async () => {
    const { app, logged, paths, text } = await memoryApp(three, { isStarted: false })
    await app.start(['/pages/a/a?x=1', '/pages/b/b', '/pages/c/c'])
    expect(logged()).toEqual(['c.onLoad', 'c.onShow', 'c.onReady'])
    expect(app.top!.navigationBar.backButton).not.toBe(null)
    await neu.navigateBack({ delta: 2 })
    expect(logged()).toEqual(['c.onUnload', 'a.onLoad', 'a.onShow', 'a.onReady'])
    expect(paths()).toEqual(['pages/a/a'])
    expect(app.top!.query).toEqual({ x: '1' })
    expect(text()).toBe('a')
  })

  it('calls onPageNotFound, which may open another page', async () => {
    const { app, paths, idle } = await memoryApp(three, { isStarted: false })
    app.hooks.set('onPageNotFound', [() => neu.redirectTo({ url: '/pages/c/c' })])
    expect(await app.start(['/pages/x/x'])).toBe(false)
    expect(await idle()).toBe(1)
    expect(paths()).toEqual(['pages/c/c'])
  })
})

describe('navigation in the browser', () => {
  it('goes back with onBackPress, and forward by opening the page again with those between', async () => {
    const { app, logged, paths } = await memoryApp(three)
    await neu.navigateTo({ url: '/pages/b/b' })
    await neu.navigateTo({ url: '/pages/c/c' })
    logged()
    await (await app.navigation()).follow(['/pages/a/a'])
    expect(logged()).toEqual(['c.onUnload', 'b.onUnload', 'a.onShow'])
    await (await app.navigation()).follow(['/pages/a/a', '/pages/b/b', '/pages/c/c'])
    expect(logged()).toEqual(['a.onHide', 'c.onLoad', 'c.onShow', 'c.onReady'])
    await (await app.navigation()).follow(['/pages/a/a', '/pages/b/b'])
    expect(logged()).toEqual(['c.onUnload', 'b.onLoad', 'b.onShow', 'b.onReady'])
    expect(paths()).toEqual(['pages/a/a', 'pages/b/b'])
  })

  it('switches to the address of a tab, opens other pages, and ignores unknown ones', async () => {
    const { app, logged, paths } = await memoryApp(tabbed, { tabs })
    logged()
    await (await app.navigation()).follow(['/tabs/one/one', '/pages/a/a?x=1'])
    expect(paths()).toEqual(['tabs/one/one', 'pages/a/a'])
    await (await app.navigation()).follow(['/tabs/one/one', '/pages/a/a?x=1', '/tabs/two/two'])
    expect(paths()).toEqual(['tabs/two/two'])
    await (await app.navigation()).follow(['/tabs/two/two', '/pages/x/x'])
    expect(paths()).toEqual(['tabs/two/two'])
  })
})

describe('animations', () => {
  it('play forward and in reverse, with the closed page rendered until the end', async () => {
    const { logged, text, bars, pages } = await memoryApp(three, { isAnimated: true })
    vi.useFakeTimers()
    logged()
    await neu.navigateTo({ url: '/pages/b/b', animationType: 'slide-in-bottom', animationDuration: 200 })
    const [a, b] = pages()
    expect([a!.motion, b!.motion]).toEqual([
      { name: 'slide-in-bottom', duration: 200, role: 'cover' },
      { name: 'slide-in-bottom', duration: 200, role: 'enter' },
    ])
    expect(bars().transition).toEqual({ name: 'slide-in-bottom', duration: 200, direction: 'forward' })
    await vi.advanceTimersByTimeAsync(200)
    expect([a!.motion, b!.motion]).toEqual([null, null])
    expect(bars().transition.direction).toBe('none')
    logged()
    await neu.navigateBack()
    expect(logged()).toEqual(['b.onUnload', 'a.onShow'])
    expect([a!.motion?.role, b!.motion?.role, b!.motion?.name]).toEqual(['uncover', 'leave', 'slide-in-bottom'])
    expect(text()).toBe('ab')
    await vi.advanceTimersByTimeAsync(200)
    expect(text()).toBe('a')
  })

  it('are ended by the next navigation', async () => {
    const { text, pages } = await memoryApp(three, { isAnimated: true })
    vi.useFakeTimers()
    await neu.navigateTo({ url: '/pages/b/b' })
    const [a, b] = pages()
    await neu.navigateBack()
    await neu.navigateTo({ url: '/pages/c/c' })
    expect(text()).toBe('ac')
    expect([a!.motion?.role, b!.motion]).toEqual(['cover', null])
  })

  it('are skipped for a page that was swiped away', async () => {
    const { app, text, idle } = await memoryApp(three, { isAnimated: true })
    await neu.navigateTo({ url: '/pages/b/b' })
    app.back(true)
    await idle()
    expect(text()).toBe('a')
    expect(app.top!.motion).toBe(null)
  })
})

it('closes the mini app when going back from the first page in a frame, unless onBackPress prevents it', async () => {
  let stops = true
  const { app, calls, idle } = await memoryApp({
    'pages/a/a': { component: { render: () => null, onBackPress: () => stops } as object },
  })
  app.back()
  await idle()
  expect(calls).toEqual([])
  stops = false
  app.back()
  await idle()
  expect(calls).toEqual([['exitMiniApp', {}]])
})

describe('a tab bar that a component of the project replaces', () => {
  interface TabBarVm {
    selected: number
    setData(data: object, done?: () => void): void
  }
  const withOptions = {
    data: () => ({ selected: 0 }),
    render(this: TabBarVm) {
      return h('view', `[bar ${this.selected}]`)
    },
  }
  const withSetup = defineComponent({
    setup(_, { expose }) {
      const selected = ref(0)
      expose({ selected })
      return () => h('view', `[bar ${selected.value}]`)
    },
  })
  const select = (index: number) => ({
    component: defineComponent({
      render: () => h('view', `page ${index}`),
      onShow() {
        const [page] = getCurrentPages().slice(-1)
        ;(page!.getTabBar!() as TabBarVm).setData({ selected: index })
      },
    }),
  })

  it.each([
    ['options', withOptions],
    ['setup', withSetup],
  ])('with %s is rendered by each tab, which finds its own instance in onShow', async (_, customTabBar) => {
    const pages = { 'tabs/one/one': select(0), 'tabs/two/two': select(1), 'pages/a/a': {} }
    const { bars, text, pages: open } = await memoryApp(pages, { tabs, customTabBar })
    expect([text(), bars().tabBar]).toEqual(['[bar 0]page 0', null])
    const first = getCurrentPages()[0]!.getTabBar!()
    expect(first === open()[0]!.tabBarVm).toBe(true)
    await neu.switchTab({ url: '/tabs/two/two' })
    await nextTick()
    expect([text(), bars().tabBar]).toEqual(['[bar 0]page 0[bar 1]page 1', null])
    expect(getCurrentPages()[0]!.getTabBar!() === first).toBe(false)
    const done = vi.fn()
    ;(first as TabBarVm).setData({ selected: 7 }, done)
    await nextTick()
    expect([text(), done.mock.calls.length]).toEqual(['[bar 7]page 0[bar 1]page 1', 1])
    // What shows and hides the drawn bar does not concern it.
    await neu.hideTabBar()
    await neu.navigateTo({ url: '/pages/a/a' })
    expect(getCurrentPages().map((page) => page.getTabBar!() === null)).toEqual([false, true])
    expect(text()).toContain('[bar 1]page 1a')
  })

  it('has no getTabBar in other apps', async () => {
    await memoryApp(tabbed, { tabs })
    expect(getCurrentPages()[0]!.getTabBar).toBeUndefined()
  })
})
