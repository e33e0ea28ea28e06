import { check, readPages, resolve } from '@souk/pages'
import { barsCheck } from '@souk/shell/bars'
import type { AppManifest } from '@souk/shell/config'
import { expect, test } from 'vitest'
import { corpora } from '../../pages/test/corpus.ts'
import { initialScreen } from './initialScreen.ts'

const base = 'https://apps.example/shop/'

/** Returns the manifest that a build makes from a pages.json. */
function manifestOf(text: string, platform: 'App' | 'Mini App' = 'Mini App'): AppManifest {
  const { pages, tabBar } = resolve(readPages(text), { platform })
  // A tab bar without a list is an error that fails a build.
  const hasTabs = Array.isArray(tabBar?.list)
  const app = {
    platform,
    os: 'Android',
    launch: pages[0]?.path ?? '',
    tabBar: hasTabs ? tabBar : null,
    windows: {},
    style: {},
  }
  return {
    version: 1,
    app: app as unknown as AppManifest['app'],
    pages: pages.map((page) => ({ path: page.path, style: page.style })),
  }
}

const shop = {
  pages: [
    { path: 'pages/home/home', style: { navigationBarTitleText: 'Shop', navigationBarBackgroundColor: '#123456' } },
    { path: 'pages/cart/cart', style: { navigationBarTitleText: 'Cart', pageOrientation: 'landscape' } },
    { path: 'pages/item/item', style: { navigationStyle: 'custom', backgroundColor: '#abcdef' } },
  ],
  tabBar: {
    color: '#000000',
    selectedColor: '#FF0000',
    backgroundColor: '#FFFFFF',
    list: [
      { pagePath: 'pages/home/home', text: 'Home', iconPath: 'static/home.png' },
      { pagePath: 'pages/cart/cart', text: 'Cart' },
    ],
  },
}

test('draws the launch page from the manifest alone, with tabs and image addresses', () => {
  const { bars } = initialScreen(manifestOf(JSON.stringify(shop)), undefined, base)
  expect(bars.navigationBar).toMatchObject({
    title: 'Shop',
    backgroundColor: '#123456',
    isShown: true,
    backButton: null,
  })
  expect(bars.tabBar).toMatchObject({ selected: 0, tabs: [{ text: 'Home', icon: `${base}static/home.png` }, {}] })
  expect(bars.orientation).toBe('portrait')
})

test('draws tabs whose font names its icons', () => {
  const { list, ...colors } = shop.tabBar
  const named = { text: 'notifications_none', selectedText: 'notifications_active' }
  const pages = { ...shop, tabBar: { ...colors, list: list.map((tab) => ({ ...tab, iconfont: named })) } }
  const { bars } = initialScreen(manifestOf(JSON.stringify(pages), 'App'), undefined, base)
  expect(bars.tabBar!.tabs[0]!.iconfont).toMatchObject(named)
})

test('draws another first page with its own style, and the tab bar only if it is a tab', () => {
  const manifest = manifestOf(JSON.stringify(shop))
  expect(initialScreen(manifest, 'pages/cart/cart', base).bars).toMatchObject({
    tabBar: { selected: 1 },
    orientation: 'landscape',
  })
  const item = initialScreen(manifest, 'pages/item/item', base)
  expect(item.bars).toMatchObject({ tabBar: null, navigationBar: { isShown: false } })
  expect(item.background).toBe('#abcdef')
})

test('draws the launch page for an unknown path, which the mini app handles', () => {
  const { bars } = initialScreen(manifestOf(JSON.stringify(shop)), 'pages/none/none', base)
  expect(bars.navigationBar.title).toBe('Shop')
})

test('draws bars of older releases, whose manifests have only what was written', () => {
  const written = {
    type: 'transparent',
    subtitleText: 's',
    buttons: [{ text: 'a' }, { color: '#123456' }],
    searchInput: {},
  }
  const text = (titleNView: object) =>
    JSON.stringify({ pages: [{ path: 'pages/a/a', style: { 'app-plus': { titleNView } } }] })
  for (const titleNView of [
    {},
    written,
    { ...written, backButton: { title: 'Back' } },
    { splitLine: true },
    { splitLine: { height: '3px' } },
  ]) {
    const manifest = manifestOf(text(titleNView), 'App')
    const [page] = manifest.pages
    const older = { ...manifest, pages: [{ ...page!, style: { ...page!.style, 'app-plus': { titleNView } } }] }
    expect(initialScreen(older as unknown as AppManifest, undefined, base, true)).toEqual(
      initialScreen(manifest, undefined, base, true),
    )
  }
})

test('rejects an invalid manifest', () => {
  for (const broken of [null, {}, { version: 1, app: {}, pages: {} }, { version: 1, pages: [] }]) {
    expect(() => initialScreen(broken as unknown as AppManifest, undefined, base)).toThrow()
  }
})

test('cuts texts and buttons that are too many to draw, since pages.json allows any number', () => {
  const buttons = Array.from({ length: 30 }, () => ({ text: 'b'.repeat(2000) }))
  const style = { navigationBarTitleText: 'a'.repeat(2000), 'app-plus': { titleNView: { buttons } } }
  const text = JSON.stringify({ pages: [{ path: 'pages/home/home', style }] })
  expect(check(readPages(text))).toEqual([])
  const { navigationBar } = initialScreen(manifestOf(text, 'App'), undefined, base).bars
  expect(navigationBar.title).toHaveLength(1000)
  expect(navigationBar.buttons).toHaveLength(20)
  expect(navigationBar.buttons[0]!.text).toHaveLength(1000)
})

test('drops colors, lengths and images that contain anything else', () => {
  const { bars } = initialScreen(manifestOf(JSON.stringify(shop)), undefined, base)
  const { navigationBar, tabBar } = bars
  const findings = barsCheck(
    {
      navigationBar: {
        ...navigationBar,
        titleColor: 'red; position: fixed',
        backgroundColor: 'url(https://evil.example/)',
        backgroundImage: 'url("javascript:alert(1)")',
        titleImage: 'file:///etc/passwd',
        titleSize: '9999px',
      },
      tabBar: { ...tabBar, height: '100vh' },
    },
    'bars',
  )
  expect(findings.navigationBar).toMatchObject({
    titleColor: '',
    backgroundColor: '',
    backgroundImage: '',
    titleImage: '',
    titleSize: '',
    title: 'Shop',
  })
  expect(findings.tabBar?.height).toBe('')
  expect(() => barsCheck({ navigationBar: { ...navigationBar, buttons: 'a' } }, 'bars')).toThrow()
  expect(() => barsCheck({ scrollTop: Number.NaN }, 'bars')).toThrow('bars.scrollTop must be a number')
})

for (const { name, files } of corpora) {
  test(`every page of the ${name} can be drawn before the mini app runs`, () => {
    let pages = 0
    const rejected = new Set<unknown>()
    for (const { text } of files) {
      for (const platform of ['App', 'Mini App'] as const) {
        const manifest = manifestOf(text, platform)
        for (const { path, style } of manifest.pages) {
          pages++
          const { backgroundColor } = initialScreen(manifest, path, base).bars.navigationBar
          if (backgroundColor === '') rejected.add(style.navigationBarBackgroundColor)
        }
      }
    }
    expect(pages).toBeGreaterThan(4 * files.length)
    // Only values that are not colors are dropped.
    expect([...rejected].filter((value) => /^(#|rgb|[a-z]+$)/.test(String(value)))).toEqual([])
  })
}
