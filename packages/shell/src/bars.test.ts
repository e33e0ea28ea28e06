import {
  asObject,
  type JsonObject,
  type PageStyle,
  type Platform,
  platforms,
  readPages,
  resolve,
  type TabBar,
  titleFollowers,
} from '@souk/pages'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  barOpacity,
  dependsOnScroll,
  type NavigationBarOverrides,
  navigationBarModel,
  overlaysPage,
  type TabBarOverrides,
  tabBarModel,
} from './bars.ts'

const base = 'https://app.test/shop/'

/** Returns the bar of a page from the text of pages.json, as build and runtime do. */
function barOf(
  style: object,
  {
    platform = 'App',
    os = 'Android',
    canGoBack = true,
    overrides = {},
    globalStyle = {},
  }: {
    platform?: Platform
    os?: 'Android' | 'iOS'
    canGoBack?: boolean
    overrides?: NavigationBarOverrides
    globalStyle?: object
  } = {},
) {
  const file = readPages(JSON.stringify({ globalStyle, pages: [{ path: 'pages/a/a', style }] }))
  const page = resolve(file, { platform, os }).pages[0]!
  return navigationBarModel(page.style as PageStyle, {
    platform,
    os,
    base,
    canGoBack,
    overrides,
    followsTitle: titleFollowers(page),
  })
}
const withBar = (titleNView: object, options: Parameters<typeof barOf>[1] = {}) =>
  barOf({ 'app-plus': { titleNView } }, options)
const onH5 = (titleNView: object, options: Parameters<typeof barOf>[1] = {}) =>
  barOf({ h5: { titleNView } }, { ...options, platform: 'H5' })

function tabsOf(
  tabBar: object,
  {
    platform = 'App',
    os = 'Android',
    path = 'pages/a/a',
    overrides = {},
  }: { platform?: Platform; os?: 'Android' | 'iOS'; path?: string; overrides?: TabBarOverrides } = {},
) {
  const pages = ['a', 'b', 'c', 'd'].map((name) => ({ path: `pages/${name}/${name}` }))
  const file = readPages(
    JSON.stringify({
      pages,
      tabBar: {
        color: '#111111',
        selectedColor: '#222222',
        backgroundColor: '#333333',
        list: pages.slice(0, 2).map(({ path }) => ({ pagePath: path, text: path.slice(6, 7) })),
        ...tabBar,
      },
    }),
  )
  const resolved = resolve(file, { platform, os }).tabBar as TabBar
  return tabBarModel(resolved, { platform, os, base, path, overrides })
}

describe('navigation bar, keys of the page style (pages-json §2.3, pages-json §2.4, pages-json §2.12)', () => {
  it('has the defaults of pages-json', () => {
    expect(barOf({})).toMatchObject({
      isShown: true,
      type: 'default',
      title: '',
      titleImage: '',
      backgroundColor: '#000000',
      titleColor: '#FFFFFF',
      textStyle: 'white',
      titleOverflow: 'ellipsis',
      subtitle: null,
      splitLine: null,
      blurEffect: 'none',
      coverage: '132px',
      shadowColor: '',
      isPenetrated: false,
      transparentTitle: 'none',
      homeButton: false,
      buttons: [],
      searchInput: null,
      isLoading: false,
    })
  })

  it('navigationBarBackgroundColor, navigationBarTextStyle, navigationBarTitleText', () => {
    expect(
      barOf({
        navigationBarBackgroundColor: '#123456',
        navigationBarTextStyle: 'black',
        navigationBarTitleText: 'Shop',
      }),
    ).toMatchObject({ backgroundColor: '#123456', titleColor: '#000000', textStyle: 'black', title: 'Shop' })
  })

  it('navigationStyle custom and titleNView false remove the bar', () => {
    expect(barOf({ navigationStyle: 'custom' }).isShown).toBe(false)
    expect(barOf({ 'app-plus': { titleNView: false } }).isShown).toBe(false)
    expect(barOf({ 'app-plus': { titleNView: false } }, { platform: 'H5' }).isShown).toBe(false)
    expect(onH5({ titleText: 'x' }).isShown).toBe(true)
  })

  it('titleImage: a file of the project or an address', () => {
    const image = (titleImage: string) => barOf({ titleImage }, { platform: 'H5' }).titleImage
    for (const path of ['static/a b.png', '/static/a b.png', './static/a b.png', '@/static/a b.png'])
      expect(image(path)).toBe(`${base}static/a%20b.png`)
    expect(image('https://cdn.test/a.png')).toBe('https://cdn.test/a.png')
    expect(image('//cdn.test/a.png')).toBe('https://cdn.test/a.png')
    expect(image('https://[')).toBe('')
    expect(barOf({ titleImage: 'a.png' }).titleImage).toBe('')
    expect(barOf({}, { globalStyle: { titleImage: 'a.png' } }).titleImage).toBe(`${base}a.png`)
  })

  it('transparentTitle applies to bars of type default', () => {
    const bar = (transparentTitle: string, type = 'default') =>
      barOf({ transparentTitle, 'app-plus': { titleNView: { type } } }, { platform: 'Mini App' })
    expect(bar('always')).toMatchObject({ transparentTitle: 'always' })
    expect([bar('always'), bar('auto'), bar('none')].map(overlaysPage)).toEqual([true, true, false])
    expect([bar('always'), bar('auto'), bar('none')].map(dependsOnScroll)).toEqual([false, true, false])
    expect([bar('always'), bar('auto'), bar('none')].map((model) => barOpacity(model, 66, 600))).toEqual([0, 0.5, 1])
    expect(bar('always', 'float').transparentTitle).toBe('none')
    expect(barOf({ transparentTitle: 'always' }, { platform: 'App' }).transparentTitle).toBe('none')
  })

  it('titlePenetrate works on H5', () => {
    expect(barOf({ titlePenetrate: 'YES' }, { platform: 'H5' }).isPenetrated).toBe(true)
    expect(barOf({ titlePenetrate: 'NO' }, { platform: 'H5' }).isPenetrated).toBe(false)
    expect(barOf({ titlePenetrate: 'YES' }, { platform: 'App' }).isPenetrated).toBe(false)
  })

  it('navigationBarShadow has six colors', () => {
    const colors = ['grey', 'blue', 'green', 'orange', 'red', 'yellow'].map(
      (colorType) => barOf({ navigationBarShadow: { colorType } }).shadowColor,
    )
    expect(new Set(colors).size).toBe(6)
    for (const color of colors) expect(color).toMatch(/^rgba\(/)
    expect(barOf({ navigationBarShadow: { colorType: 'pink' } }).shadowColor).toBe('')
  })

  it("includes the app's changes", () => {
    const style = {
      navigationBarTitleText: 'Old',
      navigationBarTextStyle: 'white',
      'app-plus': {
        titleNView: {
          titleColor: '#FF0000',
          homeButton: true,
          buttons: [{ text: 'a' }, { text: 'b', color: '#00FF00' }],
        },
      },
    }
    const overrides: NavigationBarOverrides = {
      title: 'New',
      frontColor: '#000000',
      backgroundColor: '#ABCDEF',
      colorTransition: '300ms ease-in',
      isLoading: true,
      homeButton: false,
    }
    expect(barOf(style, { overrides })).toMatchObject({
      title: 'New',
      titleColor: '#000000',
      textStyle: 'black',
      backgroundColor: '#ABCDEF',
      colorTransition: '300ms ease-in',
      isLoading: true,
      homeButton: false,
      backButton: { color: '#000000' },
      buttons: [{ color: '#000000' }, { color: '#00FF00' }],
    })
    expect(barOf(style, { overrides: { frontColor: '#ffffff' } }).textStyle).toBe('white')
    expect(barOf(style, { overrides: { title: '' } }).title).toBe('')
  })

  it('gives the color of setNavigationBarColor to what follows the title, and not to what is written', () => {
    const written = { color: '#FFFFFF', colorPressed: '#FFFFFF' }
    const titleNView = {
      titleColor: '#FFFFFF',
      subtitleText: 's',
      buttons: [{}, written, { colorPressed: '#FFFFFF' }],
      backButton: { colorPressed: '#FFFFFF' },
    }
    const followed = { color: '#000000', colorPressed: 'rgba(0,0,0,0.3)' }
    expect(withBar(titleNView, { overrides: { frontColor: '#000000' } })).toMatchObject({
      subtitle: { color: '#000000' },
      buttons: [followed, written, { ...followed, colorPressed: '#FFFFFF' }],
      backButton: { ...followed, colorPressed: '#FFFFFF' },
    })
    const own = { titleColor: '#FFFFFF', subtitleText: 's', subtitleColor: '#FFFFFF', backButton: written }
    expect(withBar(own, { overrides: { frontColor: '#000000' } })).toMatchObject({
      titleColor: '#000000',
      subtitle: { color: '#FFFFFF' },
      backButton: written,
    })
    expect(onH5({ buttons: [{}] }, { overrides: { frontColor: '#ffffff' } }).buttons).toMatchObject([
      { color: '#ffffff', colorPressed: 'rgba(255,255,255,0.3)' },
    ])
  })
})

describe('a bar is drawn as it is resolved', () => {
  const color = fc.constantFrom('#4B2E1E', '#FFFFFF', '#000000', '#112233', 'rgba(1,2,3,0.5)')
  const size = fc.constantFrom('9px', '18px')
  const weight = fc.constantFrom('normal', 'bold')
  const record = <T extends Record<string, fc.Arbitrary<unknown>>>(keys: T) => fc.record(keys, { requiredKeys: [] })
  const titleNView = record({
    type: fc.constantFrom('default', 'transparent', 'float'),
    titleText: fc.constantFrom('A', ''),
    titleColor: color,
    backgroundColor: color,
    titleOverflow: fc.constantFrom('clip', 'ellipsis'),
    blurEffect: fc.constantFrom('dark', 'none'),
    backgroundRepeat: fc.constantFrom('repeat', 'no-repeat'),
    coverage: size,
    titleIconRadius: size,
    homeButton: fc.boolean(),
    autoBackButton: fc.boolean(),
    splitLine: fc.oneof(fc.boolean(), record({ color, height: size })),
    subtitleText: fc.constant('s'),
    subtitleColor: color,
    subtitleSize: fc.constantFrom('auto', '14px'),
    subtitleOverflow: fc.constantFrom('clip', 'ellipsis'),
    backButton: record({ color, colorPressed: color, background: color, fontSize: size, fontWeight: weight }),
    buttons: fc.array(record({ color, colorPressed: color, background: color, width: size, fontWeight: weight })),
    searchInput: record({ align: fc.constantFrom('left', 'center'), backgroundColor: color, borderRadius: size }),
  })
  const style = record({
    navigationBarBackgroundColor: color,
    navigationBarTextStyle: fc.constantFrom('black', 'white'),
    navigationBarTitleText: fc.constantFrom('B', ''),
    'app-plus': fc.record({ titleNView }),
    h5: record({ titleNView }),
  })

  it('in every value of titleNView, on every platform', () => {
    fc.assert(
      fc.property(style, style, fc.constantFrom(...platforms), (own, globalStyle, platform) => {
        const file = readPages(JSON.stringify({ globalStyle, pages: [{ path: 'pages/a/a', style: own }] }))
        const page = resolve(file, { platform }).pages[0]!
        const environment = { platform, os: 'Android', base, canGoBack: true } as const
        const model = navigationBarModel(page.style as PageStyle, environment)
        expect(model).toMatchObject({
          title: page.style.navigationBarTitleText ?? '',
          backgroundColor: page.style.navigationBarBackgroundColor,
          textStyle: page.style.navigationBarTextStyle,
        })
        const bar = asObject(asObject(page.style[platform === 'H5' ? 'h5' : 'app-plus'])?.titleNView)
        if (bar === undefined) return
        const isTransparent = bar.type === 'transparent'
        const drawn = (each: JsonObject, keys: string[]) => ({
          ...Object.fromEntries(keys.flatMap((key) => (each[key] === undefined ? [] : [[key, each[key]]]))),
          background: isTransparent ? each.background : '',
        })
        const back = asObject(bar.backButton)!
        const line = asObject(bar.splitLine)
        const search = asObject(bar.searchInput)
        expect(model).toMatchObject({
          type: bar.type,
          titleColor: bar.titleColor,
          backgroundColor: bar.backgroundColor,
          titleOverflow: bar.titleOverflow,
          titleIconRadius: bar.titleIconRadius,
          backgroundRepeat: bar.backgroundRepeat,
          coverage: bar.coverage,
          homeButton: bar.homeButton,
          blurEffect: bar.type === 'default' ? 'none' : bar.blurEffect,
          splitLine: line ?? (bar.splitLine ? {} : null),
          subtitle: bar.subtitleText
            ? { color: bar.subtitleColor, size: bar.subtitleSize, overflow: bar.subtitleOverflow }
            : null,
          backButton: bar.autoBackButton
            ? drawn(back, ['color', 'colorPressed', 'fontSize', 'fontWeight', 'titleWeight', 'title', 'redDot'])
            : null,
          buttons: ((bar.buttons ?? []) as JsonObject[]).map((each) =>
            drawn(each, ['type', 'color', 'colorPressed', 'float', 'fontWeight', 'width']),
          ),
          searchInput: search ?? null,
        })
      }),
      { numRuns: 500 },
    )
  })
})

describe('titleNView (pages-json §2.6)', () => {
  it('overrides the navigationBar… keys, which override its defaults (ADR 104)', () => {
    const flat = {
      navigationBarTitleText: 'flat',
      navigationBarBackgroundColor: '#123456',
      navigationBarTextStyle: 'white',
    }
    for (const platform of ['App', 'Mini App', 'H5'] as const) {
      expect(
        barOf({ ...flat, 'app-plus': { titleNView: { titleSize: '20px', buttons: [{}] } } }, { platform }),
      ).toMatchObject({
        title: 'flat',
        backgroundColor: '#123456',
        titleColor: '#FFFFFF',
        buttons: [{ color: '#FFFFFF' }],
        backButton: { color: '#FFFFFF' },
      })
      const own = { titleText: 'own', backgroundColor: '#654321', titleColor: '#0000FF' }
      expect(barOf({ ...flat, 'app-plus': { titleNView: { ...own, buttons: [{}] } } }, { platform })).toMatchObject({
        title: 'own',
        backgroundColor: '#654321',
        titleColor: '#0000FF',
        buttons: [{ color: '#0000FF' }],
      })
    }
  })

  it('falls back to app-plus on H5 (pages-json §2.10)', () => {
    const style = {
      'app-plus': { titleNView: { titleText: 'app', splitLine: true, buttons: [{ type: 'home' }] } },
      h5: { titleNView: { titleText: 'web' } },
    }
    const bar = barOf(style, { platform: 'H5' })
    expect(bar).toMatchObject({ title: 'web', splitLine: { color: '#CCCCCC' }, buttons: [{ type: 'home' }] })
    expect(barOf(style).title).toBe('app')
  })

  it('type', () => {
    expect(withBar({ type: 'transparent' })).toMatchObject({ type: 'transparent' })
    expect(['default', 'transparent', 'float'].map((type) => overlaysPage(withBar({ type })))).toEqual([
      false,
      true,
      true,
    ])
    expect(['default', 'transparent', 'float'].map((type) => dependsOnScroll(withBar({ type })))).toEqual([
      false,
      true,
      false,
    ])
    expect(onH5({ type: 'transparent' }).type).toBe('transparent')
  })

  it('coverage: offset at which a transparent bar is opaque, in px or percent of the visible height', () => {
    const at = (coverage: string | undefined, scrollTop: number) =>
      barOpacity(withBar({ type: 'transparent', coverage }), scrollTop, 600)
    expect([0, 66, 132, 999].map((top) => at(undefined, top))).toEqual([0, 0.5, 1, 1])
    expect([0, 50, 200].map((top) => at('200px', top))).toEqual([0, 0.25, 1])
    expect([0, 150, 300].map((top) => at('50%', top))).toEqual([0, 0.5, 1])
    expect(at('100px', -40)).toBe(0)
    expect(at('0px', 0)).toBe(1)
    expect(barOpacity(withBar({ type: 'float' }), 0, 600)).toBe(1)
  })

  it('titleSize in px, rpx, and as a bare number as in real files', () => {
    expect(withBar({ titleSize: '20px' }).titleSize).toBe('20px')
    expect(withBar({ titleSize: '36rpx' }).titleSize).toBe('calc(36 * var(--rpx))')
    expect(withBar({ titleSize: '18' }).titleSize).toBe('18px')
    expect(withBar({ titleSize: 'url(x)' }).titleSize).toBe('16px')
    expect(onH5({ titleSize: '20px' }).titleSize).toBe('20px')
  })

  it('titleOverflow, titleAlign', () => {
    expect(withBar({ titleOverflow: 'clip' }).titleOverflow).toBe('clip')
    expect(withBar({}, { os: 'Android' }).titleAlign).toBe('left')
    expect(withBar({}, { os: 'iOS' }).titleAlign).toBe('center')
    expect(barOf({}, { os: 'Android' }).titleAlign).toBe('left')
    expect(barOf({}, { os: 'Android', platform: 'H5' }).titleAlign).toBe('center')
    expect(onH5({ titleSize: '20px' }).titleAlign).toBe('center')
    expect(withBar({ titleAlign: 'center' }, { os: 'Android' }).titleAlign).toBe('center')
    expect(withBar({ titleAlign: 'left' }, { os: 'iOS' }).titleAlign).toBe('left')
  })

  it('subtitleText, subtitleColor, subtitleSize, subtitleOverflow; left-aligns the titles', () => {
    expect(withBar({ subtitleText: 'sub', titleColor: '#112233', titleAlign: 'center' }, { os: 'iOS' })).toMatchObject({
      titleAlign: 'left',
      subtitle: { text: 'sub', color: '#112233', size: '12px', overflow: 'ellipsis' },
    })
    expect(
      withBar({ subtitleText: 's', subtitleColor: '#445566', subtitleSize: '14px', subtitleOverflow: 'clip' }).subtitle,
    ).toEqual({ text: 's', color: '#445566', size: '14px', overflow: 'clip' })
    expect(withBar({ subtitleText: 's', subtitleSize: 'auto' }).subtitle?.size).toBe('12px')
  })

  it('titleIcon, titleIconRadius; left-aligns the title', () => {
    expect(withBar({ titleIcon: 'static/i.png', titleAlign: 'center' }, { os: 'iOS' })).toMatchObject({
      titleIcon: `${base}static/i.png`,
      titleIconRadius: '0px',
      titleAlign: 'left',
    })
    expect(withBar({ titleIcon: 'i.png', titleIconRadius: '17px' }).titleIconRadius).toBe('17px')
  })

  it('homeButton, autoBackButton', () => {
    expect(withBar({ homeButton: true }).homeButton).toBe(true)
    expect(withBar({}).backButton).not.toBeNull()
    expect(withBar({ autoBackButton: false, backButton: { title: 'x' } }).backButton).toBeNull()
    expect(withBar({ autoBackButton: true }, { canGoBack: false }).backButton).toBeNull()
  })

  it('backgroundImage, backgroundRepeat', () => {
    const gradient = 'linear-gradient(to right, #ff0000, rgba(0,0,255,0.5))'
    expect(withBar({ backgroundImage: gradient })).toMatchObject({
      backgroundImage: gradient,
      backgroundRepeat: 'no-repeat',
    })
    expect(withBar({ backgroundImage: '/static/b.png', backgroundRepeat: 'repeat-x' })).toMatchObject({
      backgroundImage: `url("${base}static/b.png")`,
      backgroundRepeat: 'repeat-x',
    })
    expect(withBar({ backgroundImage: 'a".png), url(//evil' }).backgroundImage).not.toMatch(/"\.png/)
  })

  it("blurEffect, on transparent and float bars; the bar's own color covers it", () => {
    expect(withBar({ type: 'float', blurEffect: 'dark' }).blurEffect).toBe('dark')
    expect(withBar({ type: 'transparent', blurEffect: 'light' }).blurEffect).toBe('light')
    expect(withBar({ blurEffect: 'dark' })).toMatchObject({ blurEffect: 'none', backgroundColor: '#F7F7F7' })
    const tints = ['dark', 'light', 'extralight'].map(
      (blurEffect) => withBar({ type: 'float', blurEffect }).backgroundColor,
    )
    expect(new Set(tints).size).toBe(3)
    for (const tint of tints) expect(tint).toMatch(/^rgba/)
    expect(withBar({ type: 'float', blurEffect: 'dark', backgroundColor: 'rgba(1,2,3,0.4)' }).backgroundColor).toBe(
      'rgba(1,2,3,0.4)',
    )
  })

  it('splitLine: true, an object, null (pages-json §2.6.4)', () => {
    expect(withBar({ splitLine: true }).splitLine).toEqual({ color: '#CCCCCC', height: '1px' })
    expect(withBar({ splitLine: {} }).splitLine).toEqual({ color: '#CCCCCC', height: '1px' })
    expect(withBar({ splitLine: { color: 'rgba(1,2,3,0.5)', height: '0.5px' } }).splitLine).toEqual({
      color: 'rgba(1,2,3,0.5)',
      height: '0.5px',
    })
    expect(withBar({ splitLine: { height: '25%' } }).splitLine?.height).toBe('11px')
    for (const splitLine of [false, null]) expect(withBar({ splitLine }).splitLine).toBeNull()
  })
})

describe('buttons (pages-json §2.6.1, pages-json §2.11)', () => {
  const button = (own: object, bar: object = {}) => withBar({ ...bar, buttons: [own] }).buttons[0]!

  it('have defaults', () => {
    expect(button({ text: 'OK' }, { titleColor: '#FF0000' })).toEqual({
      type: 'none',
      text: 'OK',
      fontSrc: '',
      color: '#FF0000',
      colorPressed: 'rgba(255,0,0,0.3)',
      background: '',
      float: 'right',
      fontSize: '16px',
      fontWeight: 'normal',
      select: false,
      width: '44px',
      badgeText: '',
    })
  })

  it('type: any other than none ignores text and fontSrc', () => {
    for (const type of ['forward', 'back', 'share', 'favorite', 'home', 'menu', 'close'])
      expect(button({ type, text: 'x', fontSrc: '/f.ttf' })).toMatchObject({
        type,
        text: '',
        fontSrc: '',
      })
    expect(button({ type: 'none', text: 'x' }).text).toBe('x')
  })

  it('color; colorPressed defaults to 0.3 of its opacity', () => {
    expect(button({ color: '#336699' })).toMatchObject({ color: '#336699', colorPressed: 'rgba(51,102,153,0.3)' })
    expect(button({ color: 'rgba(1,2,3,0.5)' }).colorPressed).toBe('rgba(1,2,3,0.15)')
    expect(button({ colorPressed: '#ABCDEF' }).colorPressed).toBe('#ABCDEF')
    expect(onH5({ titleColor: '#000000', buttons: [{ colorPressed: '#ABCDEF' }] }).buttons[0]?.colorPressed).toBe(
      'rgba(0,0,0,0.3)',
    )
  })

  it('background: on transparent bars only, by default translucent gray', () => {
    expect(button({ background: '#111111' }).background).toBe('')
    expect(button({}, { type: 'transparent' }).background).toBe('rgba(128,128,128,0.5)')
    expect(button({ background: '#111111' }, { type: 'transparent' }).background).toBe('#111111')
  })

  it('float, fontWeight, fontSize, select, width', () => {
    expect(
      button({ float: 'left', fontWeight: 'bold', fontSize: '27px', select: 'true', width: '80px' }),
    ).toMatchObject({ float: 'left', fontWeight: 'bold', fontSize: '27px', select: true, width: '80px' })
    expect(button({ select: true }).select).toBe(true)
    expect(button({ select: 'false' }).select).toBe(false)
    expect(button({ width: 'auto' }).width).toBe('auto')
    expect(button({ width: '100rpx' }).width).toBe('calc(100 * var(--rpx))')
    expect(button({ type: 'home' }).fontSize).toBe('22px')
  })

  it('fontSrc, with the icon in text escaped once or twice', () => {
    const icon = button({ text: '\ue60d', fontSrc: '/static/icon font.ttf' })
    expect(icon).toMatchObject({ text: '\ue60d', fontSrc: `${base}static/icon%20font.ttf` })
    expect(button({ text: '\\ue60d', fontSrc: '/a.ttf' }).text).toBe('\ue60d')
  })

  it('badgeText on H5, at most three characters', () => {
    const badge = (badgeText: string) => onH5({ buttons: [{ badgeText }] }).buttons[0]!.badgeText
    expect(['', '9', '999', '1000', '四个汉字', '👍👍👍'].map(badge)).toEqual(['', '9', '999', '...', '...', '👍👍👍'])
    expect(button({ badgeText: '9' }).badgeText).toBe('')
  })
})

describe('backButton (pages-json §2.6.2)', () => {
  const back = (backButton: object, bar: object = {}) => withBar({ ...bar, backButton }).backButton!

  it('has defaults, even if not in pages.json', () => {
    const defaults = {
      color: '#00FF00',
      colorPressed: 'rgba(0,255,0,0.3)',
      background: '',
      badgeText: '',
      redDot: false,
      fontSize: '27px',
      fontWeight: 'normal',
      title: '',
      titleWeight: 'normal',
    }
    expect(back({}, { titleColor: '#00FF00' })).toEqual(defaults)
    expect(withBar({ titleColor: '#00FF00' }).backButton).toEqual(defaults)
    expect(barOf({}, { platform: 'H5' }).backButton).toMatchObject({ color: '#FFFFFF', fontSize: '27px' })
  })

  it('background: on transparent bars only', () => {
    expect(back({ background: '#112233' }).background).toBe('')
    expect(back({ background: '#112233' }, { type: 'transparent' }).background).toBe('#112233')
    expect(back({}, { type: 'transparent' }).background).toBe('rgba(128,128,128,0.5)')
    expect(back({ background: 'none' }, { type: 'transparent' }).background).toBe('rgba(128,128,128,0.5)')
  })

  it('badgeText; redDot only without it', () => {
    expect(back({ badgeText: '12' }).badgeText).toBe('12')
    expect(back({ badgeText: '1234' }).badgeText).toBe('...')
    expect(back({ redDot: true }).redDot).toBe(true)
    expect(back({ redDot: true, badgeText: '1' }).redDot).toBe(false)
  })

  it('color, colorPressed, fontWeight, fontSize, title, titleWeight', () => {
    expect(
      back({
        color: '#111111',
        colorPressed: '#222222',
        fontWeight: 'bold',
        fontSize: '30px',
        title: 'Back',
        titleWeight: 'bold',
      }),
    ).toMatchObject({
      color: '#111111',
      colorPressed: '#222222',
      fontWeight: 'bold',
      fontSize: '30px',
      title: 'Back',
      titleWeight: 'bold',
    })
    expect(back({}, { type: 'transparent' }).fontSize).toBe('22px')
  })
})

describe('searchInput (pages-json §2.6.3)', () => {
  it('has defaults', () => {
    expect(withBar({ searchInput: {} }).searchInput).toEqual({
      autoFocus: false,
      align: 'center',
      backgroundColor: 'rgba(255,255,255,0.5)',
      borderRadius: '0px',
      placeholder: '',
      placeholderColor: '#CCCCCC',
      disabled: false,
      color: '#000000',
      text: '',
    })
  })

  it('has every attribute, even on H5, and the typed text', () => {
    const searchInput = {
      autoFocus: true,
      align: 'left',
      backgroundColor: '#FFFFFF',
      borderRadius: '15px',
      placeholder: 'Find',
      placeholderColor: '#777777',
      disabled: true,
    }
    expect(withBar({ searchInput }).searchInput).toMatchObject(searchInput)
    expect(onH5({ searchInput }).searchInput).toMatchObject(searchInput)
    expect(withBar({ searchInput }, { overrides: { searchText: 'tea' } }).searchInput?.text).toBe('tea')
  })
})

describe('tab bar (pages-json §2.7)', () => {
  it('has defaults', () => {
    expect(tabsOf({})).toEqual({
      color: '#111111',
      selectedColor: '#222222',
      backgroundColor: '#333333',
      borderColor: 'rgba(0,0,0,0.33)',
      blurEffect: 'none',
      fontSize: '10px',
      iconWidth: '24px',
      spacing: '3px',
      height: '50px',
      selected: 0,
      tabs: ['a', 'b'].map((name) => ({
        pagePath: `pages/${name}/${name}`,
        text: name,
        icon: '',
        selectedIcon: '',
        iconfont: null,
        isVisible: true,
        badge: '',
        redDot: false,
      })),
      midButton: null,
    })
  })

  it('has the colors of the ecosystem if required ones are missing', () => {
    const missing = { color: undefined, selectedColor: undefined, backgroundColor: undefined }
    const colors = { color: '#999999', selectedColor: '#007AFF', backgroundColor: '#F7F7FA' }
    expect(tabsOf(missing)).toMatchObject(colors)
    expect(tabsOf({ ...missing, color: '#444444' }).color).toBe('#444444')
  })

  it('selected is the tab of the page on top', () => {
    expect(tabsOf({}, { path: 'pages/b/b' }).selected).toBe(1)
    expect(tabsOf({}, { path: '/pages/b/b' }).selected).toBe(1)
    expect(tabsOf({}, { path: 'pages/c/c' }).selected).toBe(-1)
  })

  it('borderStyle: black, white, and other colors on App and H5', () => {
    const border = (borderStyle: string, platform: Platform) => tabsOf({ borderStyle }, { platform }).borderColor
    for (const platform of ['App', 'H5', 'Mini App'] as const) {
      expect(border('black', platform)).toBe('rgba(0,0,0,0.33)')
      expect(border('white', platform)).toBe('rgba(255,255,255,0.33)')
      expect(border('#FF0000', platform)).toBe(platform === 'Mini App' ? 'rgba(0,0,0,0.33)' : '#FF0000')
    }
  })

  it("blurEffect, on iOS and in browsers, makes the bar's color translucent", () => {
    expect(tabsOf({ blurEffect: 'dark' }, { os: 'iOS' })).toMatchObject({
      blurEffect: 'dark',
      backgroundColor: 'rgba(51,51,51,0.7)',
    })
    expect(tabsOf({ blurEffect: 'light' }, { platform: 'H5' }).blurEffect).toBe('light')
    expect(tabsOf({ blurEffect: 'dark' }, { os: 'Android' })).toMatchObject({
      blurEffect: 'none',
      backgroundColor: '#333333',
    })
  })

  it('fontSize, iconWidth, spacing, height, on App and H5', () => {
    const sizes = { fontSize: '14px', iconWidth: '30px', spacing: '6px', height: '56px' }
    expect(tabsOf(sizes)).toMatchObject(sizes)
    expect(tabsOf(sizes, { platform: 'H5' })).toMatchObject(sizes)
    expect(tabsOf(sizes, { platform: 'Mini App' })).toMatchObject({ fontSize: '10px', height: '50px' })
    expect(tabsOf({ spacing: '-1px', height: '-1px' })).toMatchObject({ spacing: '-1px', height: '50px' })
    expect(tabsOf({ height: '100rpx' }).height).toBe('calc(100 * var(--rpx))')
  })

  const tab = (own: object, platform: Platform = 'App', overrides?: TabBarOverrides) =>
    tabsOf(
      { list: [{ pagePath: 'pages/a/a', ...own }, { pagePath: 'pages/b/b' }] },
      { platform, ...(overrides && { overrides }) },
    ).tabs[0]!

  it('pagePath, text, iconPath, selectedIconPath, visible', () => {
    expect(
      tab({ text: 'A', iconPath: 'static/a.png', selectedIconPath: '/static/b.png', visible: false }),
    ).toMatchObject({
      pagePath: 'pages/a/a',
      text: 'A',
      icon: `${base}static/a.png`,
      selectedIcon: `${base}static/b.png`,
      isVisible: false,
    })
    expect(tab({ iconPath: 'a.png' })).toMatchObject({ text: '', selectedIcon: `${base}a.png` })
    expect(tab({ visible: false }, 'Mini App').isVisible).toBe(true)
  })

  it('iconfont, on App', () => {
    const iconfont = {
      text: '\ue100',
      selectedText: '\ue101',
      fontSize: '26px',
      color: '#ABCDEF',
      selectedColor: '#FEDCBA',
    }
    expect(tab({ iconfont }).iconfont).toEqual({ ...iconfont, fontSrc: '' })
    expect(tab({ iconfont: { text: '\\ue100' } }).iconfont).toMatchObject({
      text: '\ue100',
      selectedText: '\ue100',
      fontSize: '24px',
      color: '#111111',
      selectedColor: '#222222',
    })
    expect(tab({ iconfont }, 'H5').iconfont).toBeNull()
    const bar = { color: '#111111', selectedColor: '#222222', backgroundColor: '#333333' }
    const model = tabBarModel(
      { ...bar, iconfontSrc: '/static/i.ttf', list: [{ pagePath: 'pages/a/a', iconfont }] },
      { platform: 'App', os: 'Android', base, path: undefined },
    )
    expect(model.tabs[0]?.iconfont?.fontSrc).toBe(`${base}static/i.ttf`)
    expect(model.selected).toBe(-1)
  })

  it('midButton', () => {
    expect(tabsOf({ midButton: {} }).midButton).toEqual({
      width: '80px',
      height: '50px',
      text: '',
      icon: '',
      iconWidth: '24px',
      backgroundImage: '',
      iconfont: null,
    })
    const midButton = {
      width: '60px',
      height: '70px',
      text: 'Sell',
      iconPath: 'static/m.png',
      iconWidth: '40px',
      backgroundImage: 'static/r.png',
      iconfont: { text: '\ue200', color: '#00FF00' },
    }
    expect(tabsOf({ midButton }).midButton).toMatchObject({
      width: '60px',
      height: '70px',
      text: 'Sell',
      icon: `${base}static/m.png`,
      iconWidth: '40px',
      backgroundImage: `url("${base}static/r.png")`,
      iconfont: { text: '\ue200', color: '#00FF00' },
    })
  })

  it.each([2, 3, 4, 5])('midButton with %i tabs: if their number in `list` is even, whatever is visible', (count) => {
    const hasButton = count % 2 === 0
    for (let mask = 0; mask < 2 ** count; mask += 1) {
      const isVisible = (index: number) => ((mask >> index) & 1) === 1
      const list = Array.from({ length: count }, (_, index) => ({ pagePath: 'pages/a/a', visible: isVisible(index) }))
      const items = Object.fromEntries(list.map(({ visible }, index) => [index, { visible }]))
      const allVisible = list.map(({ pagePath }) => ({ pagePath }))
      for (const model of [
        tabsOf({ midButton: {}, list }),
        tabsOf({ midButton: {}, list: allVisible }, { overrides: { items } }),
        tabsOf({ list }, { overrides: { style: { midButton: {} } } }),
      ])
        expect(model.midButton !== null).toBe(hasButton)
    }
  })

  it("includes the app's changes", () => {
    const overrides: TabBarOverrides = {
      style: { color: '#AAAAAA', selectedColor: '#BBBBBB', backgroundColor: '#CCCCCC', borderStyle: 'white' },
      items: {
        0: { text: 'New', iconPath: 'n.png', badge: '1000', visible: true },
        1: { redDot: true, visible: false, pagePath: 'pages/d/d' },
      },
    }
    expect(tabsOf({}, { overrides, path: 'pages/d/d' })).toMatchObject({
      color: '#AAAAAA',
      selectedColor: '#BBBBBB',
      backgroundColor: '#CCCCCC',
      borderColor: 'rgba(255,255,255,0.33)',
      selected: 1,
      tabs: [
        { text: 'New', icon: `${base}n.png`, badge: '...' },
        { text: 'b', redDot: true, isVisible: false, pagePath: 'pages/d/d' },
      ],
    })
    expect(tab({}, 'App', { items: { 0: { badge: '1', redDot: true } } })).toMatchObject({ badge: '1', redDot: false })
  })
})
