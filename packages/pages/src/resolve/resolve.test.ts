import { describe, expect, it } from 'vitest'
import { readPages } from '../config.ts'
import { type Platform, platforms } from '../diagnostic.ts'
import { type Explanation, explain } from '../explain.ts'
import type { Files } from '../files.ts'
import { type ResolveOptions, resolve } from './resolve.ts'
import { titleFollowers } from './written.ts'

const file = (globalStyle: object, style?: object, rest: object = {}) =>
  readPages(JSON.stringify({ globalStyle, pages: [{ path: 'pages/a/a', ...(style && { style }) }], ...rest }))
const pageOf = (globalStyle: object, style: object | undefined, options: ResolveOptions) =>
  resolve(file(globalStyle, style), options).pages[0]!
const on = (platform: Platform): ResolveOptions => ({ platform })
const from = (page: ReturnType<typeof pageOf>, key: string) => page.provenance[key]?.from

describe('resolve', () => {
  it('prefers the page over globalStyle over the default of the page-style table', () => {
    const page = pageOf(
      { navigationBarTitleText: 'G', navigationBarTextStyle: 'black' },
      { navigationBarTitleText: 'P' },
      on('H5'),
    )
    expect(page.style).toMatchObject({
      navigationBarTitleText: 'P',
      navigationBarTextStyle: 'black',
      navigationBarBackgroundColor: '#000000',
    })
    expect(
      ['navigationBarTitleText', 'navigationBarTextStyle', 'navigationBarBackgroundColor'].map((key) =>
        from(page, key),
      ),
    ).toEqual(['page', 'globalStyle', 'default'])
    expect(resolve(file({}), on('H5')).globalStyle.navigationBarBackgroundColor).toBe('#F7F7F7')
  })

  it('returns the position of each value', () => {
    const config = readPages(
      '{\n  "globalStyle": { "backgroundColor": "#111111" },\n  "pages": [{ "path": "pages/a/a",\n    "style": { "onReachBottomDistance": 9 } }]\n}',
    )
    const { provenance } = resolve(config, on('App')).pages[0]!
    expect(provenance.onReachBottomDistance).toMatchObject({
      from: 'page',
      line: 4,
      column: 41,
      key: 'onReachBottomDistance',
      section: '2.4',
    })
    expect(provenance.backgroundColor).toMatchObject({ from: 'globalStyle', line: 2, column: 39 })
    expect(provenance.navigationStyle).toEqual({ from: 'default', section: '2.4' })
  })

  it('has no background on H5 beside a manifest.json of uni-app, and explain says why', () => {
    const config = file({ backgroundColor: '#111111' })
    const files = (...paths: string[]): Files => ({ exists: (each) => paths.includes(each) })
    const colorOn = (platform: Platform, each: Files) =>
      resolve(config, { platform, files: each }).pages[0]!.style.backgroundColor
    expect(colorOn('H5', files('manifest.json'))).toBe(undefined)
    expect(colorOn('H5', files())).toBe('#111111')
    expect(colorOn('App', files('manifest.json'))).toBe('#111111')
    const options = { platform: 'H5', files: files('manifest.json') } as const
    expect(explain(config, 'pages/a/a', 'backgroundColor', options)).toMatchObject({
      value: undefined,
      reason: expect.stringContaining('manifest.json'),
    })
  })

  it('contains exactly the attributes that work on the platform', () => {
    const only = (platform: Platform) => Object.keys(pageOf({}, {}, on(platform)).style)
    expect(only('H5')).toEqual(expect.arrayContaining(['titlePenetrate', 'leftWindow', 'rpxCalcBaseDeviceWidth']))
    expect(only('App')).not.toEqual(expect.arrayContaining(['titlePenetrate']))
    expect(only('Mini App')).toEqual(
      expect.arrayContaining(['pageOrientation', 'animationType', 'disableSwipeBack', 'app-plus']),
    )
    expect(only('H5')).not.toContain('app-plus')
    expect(only('App')).not.toContain('pageOrientation')
  })

  it('uses titleImage of globalStyle everywhere, and of a page on H5 only', () => {
    const style = (global: object, own: object, platform: Platform) =>
      pageOf(global, own, on(platform)).style.titleImage
    expect(style({ titleImage: '/a.png' }, {}, 'App')).toBe('/a.png')
    expect(style({ titleImage: '/a.png' }, { titleImage: '/b.png' }, 'App')).toBe('/a.png')
    expect(style({ titleImage: '/a.png' }, { titleImage: '/b.png' }, 'H5')).toBe('/b.png')
  })

  it('inherits transparentTitle whether or not the page has a style', () => {
    expect(pageOf({ transparentTitle: 'always' }, undefined, on('H5')).style.transparentTitle).toBe('always')
    expect(pageOf({ transparentTitle: 'always' }, {}, on('H5')).style.transparentTitle).toBe('always')
  })

  it('lets h5 override app-plus key by key, deeply, and falls back to app-plus', () => {
    const appPlus = { titleNView: { titleText: 'App', buttons: [{ text: 'x' }], splitLine: { color: '#000000' } } }
    const both = pageOf({}, { 'app-plus': appPlus, h5: { titleNView: { titleText: 'Web' } } }, on('H5'))
    expect(both.style.h5).toMatchObject({
      titleNView: {
        titleText: 'Web',
        buttons: [{ text: 'x', float: 'right' }],
        splitLine: { color: '#000000', height: '1px' },
        backgroundColor: '#F7F7F7',
      },
    })
    expect(both.provenance['h5.titleNView.buttons']).toMatchObject({ from: 'page', key: 'app-plus.titleNView.buttons' })
    expect(pageOf({}, { 'app-plus': appPlus }, on('H5')).style.h5).toMatchObject({ titleNView: { titleText: 'App' } })
    expect(pageOf({}, { 'app-plus': appPlus, h5: { titleNView: false } }, on('H5')).style.h5).toEqual({
      titleNView: false,
    })
    expect(
      pageOf({}, { 'app-plus': { titleNView: false }, h5: { titleNView: { titleText: 'Web' } } }, on('H5')).style.h5,
    ).toMatchObject({ titleNView: { titleText: 'Web' } })
    expect(
      pageOf({}, { 'app-plus': appPlus, h5: { titleNView: { titleText: 'Web' } } }, on('App')).style['app-plus'],
    ).toMatchObject({ titleNView: { titleText: 'App' } })
  })

  it('prefers h5 and app-plus of the page over those of globalStyle', () => {
    const page = pageOf(
      { h5: { titleNView: { titleText: 'G' } } },
      { 'app-plus': { titleNView: { titleText: 'P' } } },
      on('H5'),
    )
    expect(page.style.h5).toMatchObject({ titleNView: { titleText: 'P' } })
  })

  it('merges app-plus and usingComponents of page and globalStyle, but not lists', () => {
    const page = pageOf(
      {
        usingComponents: { a: '1', b: '1' },
        'app-plus': { background: '#111111', titleNView: { type: 'float', buttons: [{ text: 'g' }] } },
      },
      { usingComponents: { b: '2' }, 'app-plus': { titleNView: { buttons: [{ text: 'p' }] } } },
      on('App'),
    )
    expect(page.style.usingComponents).toEqual({ a: '1', b: '2' })
    expect(page.style['app-plus']).toMatchObject({
      background: '#111111',
      titleNView: { type: 'float', buttons: [{ text: 'p' }] },
    })
    expect((page.style['app-plus'] as { titleNView: { buttons: unknown[] } }).titleNView.buttons).toHaveLength(1)
  })

  it('adds the defaults of app-plus even if it is not set, as a copy for each page', () => {
    const config = readPages('{"pages": [{"path": "pages/a/a"}, {"path": "pages/b/b"}]}')
    const [a, b] = resolve(config, on('App')).pages
    expect(a!.style['app-plus']).toEqual({
      background: '#FFFFFF',
      softinputMode: 'adjustPan',
      animationType: 'pop-in',
      animationDuration: 300,
    })
    expect(a!.style['app-plus']).not.toBe(b!.style['app-plus'])
  })

  it('computes defaults that depend on other values', () => {
    const style = {
      'app-plus': {
        titleNView: { titleColor: '#102030', subtitleText: 's', backButton: {}, buttons: [{}] },
        pullToRefresh: {},
      },
    }
    expect(pageOf({}, style, { platform: 'App', os: 'iOS' }).style['app-plus']).toMatchObject({
      titleNView: {
        subtitleColor: '#102030',
        backButton: { color: '#102030', colorPressed: 'rgba(16,32,48,0.3)', fontSize: '27px' },
        buttons: [{ color: '#102030' }],
      },
      pullToRefresh: { style: 'default' },
    })
    expect(pageOf({}, style, on('App')).style['app-plus']).toMatchObject({ pullToRefresh: { style: 'circle' } })
    expect(pageOf({}, style, on('H5')).style.h5).toMatchObject({ titleNView: { buttons: [{ color: '#102030' }] } })
  })

  it.each([
    [true, false],
    [false, true],
  ])('lets pullToRefresh.support %s override enablePullDownRefresh %s', (support, enabled) => {
    for (const platform of ['H5', 'App', 'Mini App'] as const) {
      const page = pageOf(
        {},
        { enablePullDownRefresh: enabled, 'app-plus': { pullToRefresh: { support } } },
        on(platform),
      )
      expect(page.style.enablePullDownRefresh).toBe(support)
      expect(page.provenance.enablePullDownRefresh).toMatchObject({ key: 'app-plus.pullToRefresh.support' })
    }
  })

  it('does not change enablePullDownRefresh if support is not set', () => {
    expect(
      pageOf({}, { enablePullDownRefresh: true, 'app-plus': { pullToRefresh: { style: 'circle' } } }, on('App')).style
        .enablePullDownRefresh,
    ).toBe(true)
  })

  it('shows side windows from their minimum width unless a page or globalStyle hides them', () => {
    const config = file(
      { leftWindow: false },
      { topWindow: false },
      { leftWindow: { path: 'w/l' }, topWindow: { path: 'w/t', matchMedia: { minWidth: 0 } } },
    )
    const resolved = resolve(config, on('H5'))
    expect(resolved.pages[0]!.style).toMatchObject({ leftWindow: false, topWindow: false, rightWindow: true })
    expect(resolved.windows).toEqual({
      leftWindow: { path: 'w/l', style: {}, matchMedia: { minWidth: 768 } },
      topWindow: { path: 'w/t', style: {}, matchMedia: { minWidth: 0 } },
    })
    expect(resolve(config, on('App')).windows).toEqual({})
  })

  it('ignores values of a wrong type and attributes newer than the version', () => {
    expect(
      pageOf({ onReachBottomDistance: 9 }, { onReachBottomDistance: '50' }, on('H5')).style.onReachBottomDistance,
    ).toBe(9)
    const style = { 'app-plus': { titleNView: { titleAlign: 'left', titleText: 'x' } } }
    expect(pageOf({}, style, { platform: 'App', version: '2.6.2' }).style['app-plus']).not.toHaveProperty(
      'titleNView.titleAlign',
    )
    expect(pageOf({}, style, { platform: 'App', version: '2.6.3' }).style['app-plus']).toHaveProperty(
      'titleNView.titleAlign',
      'left',
    )
  })

  it('flattens subpackages in file order and keeps the first of two pages with the same path', () => {
    const config = file({}, {}, { subPackages: [{ root: '/pages/', pages: [{ path: 'a/a' }, { path: 'b/b' }] }] })
    expect(resolve(config, on('H5')).pages.map(({ path, root }) => [path, root])).toEqual([
      ['pages/a/a', undefined],
      ['pages/b/b', '/pages/'],
    ])
  })

  it('resolves tabs with defaults, and removes the middle button if their number is odd', () => {
    const tabBar = (count: number) => ({
      color: '#000000',
      list: Array.from({ length: count }, () => ({ pagePath: 'pages/a/a' })),
      midButton: {},
    })
    const even = resolve(file({}, {}, { tabBar: tabBar(2) }), on('H5'))
    expect(even.tabBar).toMatchObject({
      borderStyle: 'black',
      height: '50px',
      midButton: { width: '80px' },
      list: [{ visible: true }, {}],
    })
    expect(even.pages[0]!.isTab).toBe(true)
    expect(resolve(file({}, {}, { tabBar: tabBar(3) }), on('H5')).tabBar).not.toHaveProperty('midButton')
    expect(resolve(file({}, {}, { tabBar: tabBar(2) }), on('Mini App')).tabBar).not.toHaveProperty('height')
    expect(resolve(file({}), on('H5')).tabBar).toBe(null)
  })

  it('names the page of a tab as `pages` lists it, by the last of two equal keys', () => {
    const text = `{
      "pages": [{ "path": "pages/a/a" }, { "path": "pages/b/b" }, { "path": "pages/c/c" }],
      "tabBar": { "list": [{ "pagePath": "./pages/a/a" }, { "pagePath": "pages/c/c", "pagePath": "/pages/b/b/" }] }
    }`
    const { pages, tabBar } = resolve(readPages(text), on('H5'))
    expect(tabBar!.list).toMatchObject([{ pagePath: 'pages/a/a' }, { pagePath: 'pages/b/b' }])
    expect(pages.map(({ isTab }) => isTab)).toEqual([true, true, false])
  })

  it('accepts easycom rules under custom and directly under easycom, with autoscan by default', () => {
    expect(
      resolve(file({}, {}, { easycom: { '^a-(.*)': 'a.vue', custom: { '^b': 'b.vue' } } }), on('H5')).easycom,
    ).toEqual({ autoscan: true, custom: { '^a-(.*)': 'a.vue', '^b': 'b.vue' } })
    expect(resolve(file({}), on('H5')).easycom).toEqual({ autoscan: true, custom: {} })
  })

  it('keeps only the app-plus attributes that nvue pages support', () => {
    const config = file({}, { 'app-plus': { bounce: 'none', scrollIndicator: 'none' } })
    const files = { exists: (path: string) => path === 'pages/a/a.nvue' }
    const page = resolve(config, { platform: 'App', files }).pages[0]!
    expect(page.style['app-plus']).toEqual({ scrollIndicator: 'none' })
    expect(page.provenance).not.toHaveProperty(['app-plus.bounce'])
  })

  /** Returns the values of the bar, which the plain keys and titleNView both describe. */
  const barOf = (globalStyle: object, style: object, platform: Platform = 'App') => {
    const page = pageOf(globalStyle, style, on(platform))
    const node = page.style[platform === 'H5' ? 'h5' : 'app-plus'] as { titleNView: Record<string, unknown> }
    const { navigationBarTitleText, navigationBarBackgroundColor, navigationBarTextStyle } = page.style
    expect(node.titleNView).toMatchObject({
      ...(navigationBarTitleText !== undefined && { titleText: navigationBarTitleText }),
      backgroundColor: navigationBarBackgroundColor,
    })
    return [node.titleNView.titleColor, navigationBarBackgroundColor, navigationBarTextStyle]
  }

  it('gives titleNView and navigationBar… keys the same values', () => {
    const style = {
      navigationBarTitleText: 'T',
      navigationBarBackgroundColor: '#123456',
      'app-plus': { titleNView: { titleColor: '#abcdef', subtitleText: 'S', buttons: [{}], backButton: {} } },
    }
    const page = pageOf({}, style, on('App'))
    expect(page.style['app-plus']).toMatchObject({
      titleNView: {
        titleText: 'T',
        backgroundColor: '#123456',
        titleColor: '#abcdef',
        subtitleColor: '#abcdef',
        buttons: [{ color: '#abcdef' }],
        backButton: { color: '#abcdef' },
      },
    })
    expect(page.provenance['app-plus.titleNView.backgroundColor']).toMatchObject({
      from: 'page',
      key: 'navigationBarBackgroundColor',
    })
    const own = pageOf({ navigationBarTitleText: 'G' }, { h5: { titleNView: { titleText: 'N' } } }, on('H5'))
    expect(own.style.navigationBarTitleText).toBe('N')
    expect(own.provenance.navigationBarTitleText).toMatchObject({ from: 'page', key: 'h5.titleNView.titleText' })
  })

  it('lets what is written beat the default colors of titleNView, which beat those of the page', () => {
    const global = { navigationBarBackgroundColor: '#4B2E1E', navigationBarTextStyle: 'white' }
    const brand = ['#FFFFFF', '#4B2E1E', 'white']
    for (const titleNView of [{ titleText: 'N' }, { buttons: [{}] }, { searchInput: {} }]) {
      const own = { 'app-plus': { titleNView } }
      for (const platform of platforms) {
        expect(barOf(global, own, platform)).toEqual(brand)
        expect(barOf({ ...global, ...own }, {}, platform)).toEqual(brand)
        expect(barOf(global, { ...own, navigationBarTitleText: 'T' }, platform)).toEqual(brand)
        expect(barOf({}, own, platform)).toEqual(['#000000', '#F7F7F7', 'black'])
        expect(barOf(own, {}, platform)).toEqual(['#000000', '#F7F7F7', 'black'])
      }
    }
    expect(barOf(global, { 'app-plus': {}, h5: { titleNView: { searchInput: {} } } }, 'H5')).toEqual(brand)
    const titleNView = { titleText: 'N' }
    const black = barOf({ 'app-plus': { titleNView } }, { navigationBarTextStyle: 'black' })
    expect(black).toEqual(['#000000', '#F7F7F7', 'black'])
    const page = pageOf({ 'app-plus': { titleNView } }, { navigationBarTitleText: 'P' }, on('App'))
    expect(page.style).toMatchObject({ navigationBarTitleText: 'P', 'app-plus': { titleNView: { titleText: 'P' } } })
    const light = { titleNView: { titleText: 'Left', backgroundColor: '#ffffff' } }
    expect(barOf({}, { 'app-plus': light })).toEqual(['#000000', '#ffffff', 'black'])
    const colors = { titleColor: '#ffffff', backgroundColor: '#000000' }
    expect(barOf({}, { 'app-plus': { titleNView: colors } })).toEqual(['#ffffff', '#000000', 'white'])
  })

  it('tints a bar that blurs the page, unless its own color hides the blur', () => {
    const float = { type: 'float', blurEffect: 'light' }
    expect(barOf({}, { 'app-plus': { titleNView: float } }, 'H5')[1]).toBe('rgba(255,255,255,0.5)')
    expect(barOf({}, { 'app-plus': { titleNView: { ...float, backgroundColor: '#ffffff' } } })[1]).toBe('#ffffff')
    expect(barOf({}, { 'app-plus': { titleNView: { blurEffect: 'light' } } })[1]).toBe('#F7F7F7')
  })

  it('gives app-plus the background and the animation of the page, and the page the animation of app-plus', () => {
    const style = { backgroundColor: '#112233', animationType: 'fade-in', 'app-plus': { animationDuration: 9 } }
    expect(pageOf({}, style, on('Mini App')).style).toMatchObject({
      animationType: 'fade-in',
      animationDuration: 9,
      'app-plus': { background: '#112233', animationType: 'fade-in', animationDuration: 9 },
    })
    const written = { ...style, 'app-plus': { background: '#FFFFFF', animationType: 'pop-in' } }
    const page = pageOf({}, written, on('Mini App'))
    expect(page.style).toMatchObject({ animationType: 'pop-in', 'app-plus': { background: '#FFFFFF' } })
    expect(page.provenance.animationType).toMatchObject({ key: 'app-plus.animationType' })
  })

  it('gives what is behind the page the background of the page, and the other way round', () => {
    const backgrounds = (style: object, platform: Platform = 'App') => {
      const { backgroundColor, 'app-plus': plus } = pageOf({}, style, on(platform)).style
      return [backgroundColor, (plus as { background?: string } | undefined)?.background]
    }
    expect(backgrounds({})).toEqual(['#FFFFFF', '#FFFFFF'])
    expect(backgrounds({ backgroundColor: '#112233' })).toEqual(['#112233', '#112233'])
    expect(backgrounds({ 'app-plus': { background: '#445566' } })).toEqual(['#445566', '#445566'])
    expect(backgrounds({ backgroundColor: '#112233', 'app-plus': { background: '#445566' } })).toEqual([
      '#112233',
      '#445566',
    ])
    expect(backgrounds({}, 'H5')).toEqual(['#FFFFFF', undefined])
    const page = pageOf({}, { 'app-plus': { background: '#445566' } }, on('App'))
    expect(page.provenance.backgroundColor).toMatchObject({ from: 'page', key: 'app-plus.background' })
    expect(pageOf({}, {}, on('H5')).provenance.backgroundColor).toEqual({ from: 'default', section: '2.5' })
  })

  it('has the defaults on H5 of what only app-plus sets there, because they are drawn', () => {
    const style = { h5: { titleNView: { titleText: 'T', buttons: [{}] }, pullToRefresh: {} } }
    const page = pageOf({}, style, on('H5'))
    expect(page.style.h5).toMatchObject({
      titleNView: {
        coverage: '132px',
        autoBackButton: true,
        homeButton: false,
        titleOverflow: 'ellipsis',
        titleAlign: 'auto',
        blurEffect: 'none',
        splitLine: false,
        subtitleColor: '#000000',
      },
    })
    expect(from(page, 'h5.titleNView.coverage')).toBe('default')
    const written = pageOf({}, { ...style, 'app-plus': { titleNView: { coverage: '9px' } } }, on('H5'))
    expect(written.style.h5).toMatchObject({ titleNView: { coverage: '9px' } })
    expect(explain(file({}, style), 'pages/a/a', 'titleNView.coverage', on('H5'))).toMatchObject({ value: '132px' })
  })

  it.each([{}, { background: 'none' }])('gives a back button %j the translucent gray that is drawn', (backButton) => {
    const titleNView = { type: 'transparent', backButton, buttons: [{}] }
    const gray = { background: 'rgba(128,128,128,0.5)' }
    for (const platform of ['H5', 'App'] as const) {
      const { style } = pageOf({}, { 'app-plus': { titleNView } }, on(platform))
      expect(style[platform === 'H5' ? 'h5' : 'app-plus']).toMatchObject({
        titleNView: { backButton: gray, buttons: [gray] },
      })
    }
  })

  it.each([
    [true, undefined, true],
    [undefined, undefined, false],
    [true, false, false],
  ])('enablePullDownRefresh %s and support %s both resolve to %s', (enablePullDownRefresh, support, refreshes) => {
    const style = JSON.parse(JSON.stringify({ enablePullDownRefresh, 'app-plus': { pullToRefresh: { support } } }))
    for (const [platform, node] of [
      ['H5', 'h5'],
      ['App', 'app-plus'],
    ] as const) {
      expect(pageOf({}, style, on(platform)).style).toMatchObject({
        enablePullDownRefresh: refreshes,
        [node]: { pullToRefresh: { support: refreshes } },
      })
    }
  })

  it('explains the same values of nvue pages as it resolves', () => {
    const config = file(
      {},
      {
        backgroundColor: '#112233',
        animationType: 'fade-in',
        'app-plus': { background: '#445566', animationType: 'none' },
      },
    )
    const options: ResolveOptions = {
      platform: 'Mini App',
      files: { exists: (path) => path === 'pages/a/a.nvue' },
    }
    const page = resolve(config, options).pages[0]!
    expect(page.style).toMatchObject({ backgroundColor: '#112233', animationType: 'fade-in', 'app-plus': {} })
    for (const attribute of ['backgroundColor', 'animationType']) {
      const { value, provenance } = explain(config, 'pages/a/a', attribute, options) as Explanation
      expect([value, provenance]).toEqual([page.style[attribute], page.provenance[attribute]])
    }
    expect(explain(config, 'pages/a/a', 'app-plus.background', options)).toMatchObject({ value: undefined })
  })

  it('names the colors that follow the title', () => {
    const followers = (titleNView: object, style: object = {}, platform: Platform = 'App') =>
      titleFollowers(pageOf({}, { ...style, 'app-plus': { titleNView } }, on(platform)))
    const back = ['backButton.color', 'backButton.colorPressed']
    expect(followers({})).toEqual(['subtitleColor', ...back])
    expect(followers({ titleColor: '#FFFFFF' }, { navigationBarTextStyle: 'black' }, 'H5')).toEqual([
      'subtitleColor',
      ...back,
    ])
    const buttons = [{}, { color: '#FFFFFF' }, { colorPressed: '#FFFFFF' }]
    expect(followers({ buttons, subtitleColor: '#000000', backButton: { color: '#000000' } })).toEqual([
      'buttons[0].color',
      'buttons[0].colorPressed',
      'buttons[2].color',
    ])
    expect(followers({ buttons }, {}, 'H5')).toEqual(['subtitleColor', 'buttons[0].color', 'buttons[2].color', ...back])
    expect(titleFollowers(pageOf({}, {}, on('App')))).toEqual([])
  })
})
