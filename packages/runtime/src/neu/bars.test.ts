import { afterEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'
import { memoryApp } from '../../test/memoryApp.ts'
import { updateConfig } from '../stack/updateConfig.ts'
import { neu } from './index.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const pages = { 'tabs/one/one': {}, 'tabs/two/two': {}, 'pages/a/a': { style: { navigationBarTitleText: 'A' } } }
const tabs = ['tabs/one/one', 'tabs/two/two']

describe('the navigation bar', () => {
  it("shows the page on top with the app's changes to it", async () => {
    const { bars } = await memoryApp(pages, { tabs })
    expect(bars().navigationBar).toMatchObject({ title: 'App', backButton: null })
    await neu.setNavigationBarTitle({ title: 'One' })
    await neu.navigateTo({ url: '/pages/a/a' })
    expect(bars().navigationBar).toMatchObject({ title: 'A', backButton: {} })
    expect(bars().tabBar).toBe(null)
    await neu.navigateBack()
    expect(bars().navigationBar.title).toBe('One')
    expect(bars().tabBar?.selected).toBe(0)
  })

  it('can be set in onLoad', async () => {
    const { bars } = await memoryApp({
      ...pages,
      'pages/a/a': {
        component: { render: () => null, onLoad: () => neu.setNavigationBarTitle({ title: 'Loaded' }) } as object,
      },
    })
    await neu.navigateTo({ url: '/pages/a/a' })
    expect(bars().navigationBar.title).toBe('Loaded')
  })

  it('accepts colors with an animation, and only black or white as front color', async () => {
    const { bars } = await memoryApp(pages)
    await neu.setNavigationBarColor({
      frontColor: '#ffffff',
      backgroundColor: '#ff0000',
      animation: { duration: 400, timingFunc: 'easeInOut' },
    })
    await nextTick()
    expect(bars().navigationBar).toMatchObject({
      titleColor: '#ffffff',
      backgroundColor: '#ff0000',
      colorTransition: '400ms ease-in-out',
      textStyle: 'white',
    })
    await expect(neu.setNavigationBarColor({ frontColor: '#123456' as never })).rejects.toMatchObject({
      errMsg: 'setNavigationBarColor:fail invalid frontColor "#123456": must be #ffffff or #000000',
    })
  })

  it('shows a loading indicator and hides its home button', async () => {
    const { bars } = await memoryApp({
      'pages/a/a': { style: { 'app-plus': { titleNView: { homeButton: true } } } },
    })
    expect(bars().navigationBar).toMatchObject({ isLoading: false, homeButton: true })
    await neu.showNavigationBarLoading()
    await neu.hideHomeButton()
    await nextTick()
    expect(bars().navigationBar).toMatchObject({ isLoading: true, homeButton: false })
    await neu.hideNavigationBarLoading()
    await nextTick()
    expect(bars().navigationBar.isLoading).toBe(false)
  })

  it('notifies the page of its events', async () => {
    const events: unknown[] = []
    const note = (name: string) => (event?: object) => events.push(event ? [name, event] : name)
    const { carrier, bars, idle } = await memoryApp({
      'pages/a/a': {
        style: { 'app-plus': { titleNView: { buttons: [{ text: 'x' }, { text: 'y' }], searchInput: {} } } },
        component: {
          render: () => null,
          onNavigationBarButtonTap: note('button'),
          onNavigationBarSearchInputClicked: note('clicked'),
          onNavigationBarSearchInputChanged: note('changed'),
          onNavigationBarSearchInputConfirmed: note('confirmed'),
        } as object,
      },
    })
    carrier.onBarEvent({ type: 'button', index: 1 })
    carrier.onBarEvent({ type: 'searchClicked' })
    carrier.onBarEvent({ type: 'searchChanged', text: 's' })
    carrier.onBarEvent({ type: 'searchConfirmed', text: 'so' })
    await idle()
    expect(events).toEqual([
      ['button', { text: 'y', index: 1 }],
      'clicked',
      ['changed', { text: 's' }],
      ['confirmed', { text: 'so' }],
    ])
    await nextTick()
    expect(bars().navigationBar.searchInput?.text).toBe('s')
  })

  it('opens the launch page with its home button', async () => {
    const { app, carrier, paths, idle } = await memoryApp(pages, { tabs, isStarted: false })
    await app.start(['/pages/a/a'])
    carrier.onBarEvent({ type: 'home' })
    await idle()
    expect(paths()).toEqual(['tabs/one/one'])
  })
})

describe('the tab bar', () => {
  it('switches tabs and notifies the page shown', async () => {
    const events: unknown[] = []
    const onTabItemTap = (name: string) => ({
      component: { render: () => null, onTabItemTap: (tab: object) => events.push([name, tab]) } as object,
    })
    const { carrier, paths, idle } = await memoryApp(
      { 'tabs/one/one': onTabItemTap('one'), 'tabs/two/two': onTabItemTap('two') },
      { tabs },
    )
    carrier.onBarEvent({ type: 'tab', index: 1 })
    await idle()
    carrier.onBarEvent({ type: 'tab', index: 1 })
    await idle()
    await nextTick()
    expect(paths()).toEqual(['tabs/two/two'])
    const tab = { index: 1, text: 'two', pagePath: 'tabs/two/two' }
    expect(events).toEqual([
      ['two', tab],
      ['two', tab],
    ])
  })

  it('can be changed by the setTabBar functions', async () => {
    const { bars } = await memoryApp(pages, { tabs })
    await neu.setTabBarItem({ index: 0, text: 'First', visible: false, iconPath: 'static/a.png' })
    await neu.setTabBarStyle({ color: '#333333', borderStyle: 'white' })
    await neu.setTabBarBadge({ index: 1, text: '12345' })
    await nextTick()
    expect(bars().tabBar).toMatchObject({
      color: '#333333',
      selectedColor: '#222222',
      tabs: [
        { text: 'First', isVisible: false, icon: 'https://app.example/mini/static/a.png' },
        { text: 'two', badge: '...', redDot: false },
      ],
    })
    await neu.showTabBarRedDot({ index: 1 })
    await nextTick()
    expect(bars().tabBar!.tabs[1]).toMatchObject({ badge: '', redDot: true })
    await neu.hideTabBarRedDot({ index: 1 })
    await neu.setTabBarBadge({ index: 0, text: '1' })
    await neu.removeTabBarBadge({ index: 0 })
    await nextTick()
    expect(bars().tabBar!.tabs.map(({ badge, redDot }) => [badge, redDot])).toEqual([
      ['', false],
      ['', false],
    ])
  })

  it('hides and shows, animated on request', async () => {
    const { bars } = await memoryApp(pages, { tabs })
    await neu.hideTabBar({ animation: true })
    await nextTick()
    expect([bars().tabBar, bars().isTabBarAnimated]).toEqual([null, true])
    await neu.showTabBar()
    await nextTick()
    expect([bars().tabBar?.selected, bars().isTabBarAnimated]).toEqual([0, false])
    await neu.hideTabBar({ animation: true })
    await neu.showTabBar({ animation: true })
    await neu.navigateTo({ url: '/pages/a/a' })
    await neu.navigateBack()
    expect([bars().tabBar?.selected, bars().isTabBarAnimated]).toEqual([0, false])
  })

  it('opens the changed page of an item', async () => {
    const { paths } = await memoryApp({ ...pages, 'pages/b/b': {} }, { tabs })
    await neu.setTabBarItem({ index: 1, pagePath: '/pages/b/b' })
    await neu.switchTab({ url: '/pages/b/b' })
    expect(paths()).toEqual(['pages/b/b'])
    await expect(neu.switchTab({ url: '/tabs/two/two' })).rejects.toMatchObject({
      errMsg: 'switchTab:fail can not switch to no-tabBar page',
    })
  })

  it('notifies listeners of the middle button', async () => {
    const { carrier, idle } = await memoryApp(pages, { tabs })
    const tapped = vi.fn()
    neu.onTabBarMidButtonTap(tapped)
    carrier.onBarEvent({ type: 'midButton' })
    await idle()
    neu.offTabBarMidButtonTap(tapped)
    carrier.onBarEvent({ type: 'midButton' })
    await idle()
    expect(tapped).toHaveBeenCalledOnce()
  })

  it.each([
    ['setTabBarBadge', { index: 9, text: '1' }, tabs, 'setTabBarBadge:fail tabbar item not found'],
    ['hideTabBar', {}, [], 'hideTabBar:fail the app has no tab bar'],
    [
      'setTabBarItem',
      { text: 'x' },
      tabs,
      'setTabBarItem:fail parameter error: parameter.index should be Number instead of Undefined',
    ],
  ] as const)('%s %o fails', async (name, options, tabs, errMsg) => {
    await memoryApp(pages, { tabs: [...tabs] })
    await expect((neu[name] as (options: object) => Promise<unknown>)(options)).rejects.toMatchObject({ errMsg })
  })
})

describe('updateConfig', () => {
  it('updates open pages, their bars and tabs', async () => {
    const { app, bars } = await memoryApp(pages, { tabs })
    await neu.navigateTo({ url: '/pages/a/a' })
    updateConfig(
      {
        ...app.config,
        style: { ...app.config.style, navigationBarTitleText: 'New', navigationBarBackgroundColor: '#abcdef' },
      },
      { path: 'pages/a/a', style: { navigationBarTitleText: 'New A' } },
    )
    await nextTick()
    expect(bars().navigationBar).toMatchObject({ title: 'New A', backgroundColor: '#abcdef' })
    await neu.navigateBack()
    expect(bars().navigationBar).toMatchObject({ title: 'New', backgroundColor: '#abcdef' })
    const { tabBar } = app.config
    updateConfig({
      ...app.config,
      tabBar: { ...tabBar!, list: [{ ...tabBar!.list[0]!, text: '1' }, tabBar!.list[1]!] },
    })
    await nextTick()
    expect(bars().tabBar!.tabs[0]!.text).toBe('1')
  })
})
