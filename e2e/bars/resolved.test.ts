import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import {
  type Json,
  type JsonObject,
  type PageStyle,
  readPages,
  resolve,
  type TabBar,
} from '../../packages/pages/src/index.ts'
import { navigationBarModel, tabBarModel } from '../../packages/shell/src/bars.ts'
import { labelsFor } from '../../packages/shell/src/labels.ts'
import { baseUrl, openScreen, type TestScreen } from './fixture.ts'

/** Compares what `resolve` says about random valid files with the computed styles of the bars that are drawn. */
let screen: TestScreen
beforeAll(async () => {
  screen = await openScreen()
})

/**
 * A part of a bar, one of its computed styles, and the value that `resolve` says. `text`, `count` and `@name`, an
 * attribute, are compared literally, colors in custom properties as colors.
 */
type Expected = [selector: string, property: string, value: Json | undefined]

const object = <T extends Record<string, fc.Arbitrary<unknown>>>(keys: T) => fc.record(keys, { requiredKeys: [] })
const channel = fc.integer({ min: 0, max: 255 })
const hex = fc
  .tuple(channel, channel, channel)
  .map((all) => `#${all.map((one) => one.toString(16).padStart(2, '0')).join('')}`)
const color = fc.oneof(
  hex,
  fc.tuple(channel, channel, channel).map((all) => `rgba(${all.join(',')},0.5)`),
)
const px = (min: number, max: number) => fc.integer({ min, max }).map((size) => `${size}px`)
const weight = fc.constantFrom('normal', 'bold')
const word = fc.constantFrom('Tea', 'Coffee', 'A long name of a page that does not fit')
const picture = fc.constantFrom('red.svg', '/lime.svg')
const gradient = fc
  .tuple(fc.constantFrom('to right', 'to left', 'to bottom', 'to bottom right', 'to top left'), hex, hex)
  .map((parts) => `linear-gradient(${parts.join(', ')})`)
const badgeText = fc.constantFrom('', '7', '999', '1000')
const blurEffect = fc.constantFrom('none', 'dark', 'light', 'extralight')

const titleNView = (isH5: boolean) =>
  object({
    type: isH5 ? fc.constantFrom('default', 'transparent') : fc.constantFrom('default', 'transparent', 'float'),
    backgroundColor: isH5 ? hex : color,
    titleColor: color,
    titleText: word,
    titleSize: px(8, 30),
    buttons: fc.array(
      object({
        type: fc.constantFrom('none', 'none', 'forward', 'back', 'share', 'favorite', 'home', 'menu', 'close'),
        text: fc.constantFrom('Go', 'Do'),
        color,
        colorPressed: color,
        background: hex,
        float: fc.constantFrom('left', 'right'),
        fontWeight: weight,
        fontSize: px(9, 20),
        select: fc.constantFrom(true, false, 'true', 'false'),
        width: fc.oneof(px(30, 60), fc.constant('auto')),
        ...(isH5 && { badgeText }),
      }),
      { maxLength: 2 },
    ),
    searchInput: object({
      autoFocus: fc.boolean(),
      align: fc.constantFrom('left', 'right', 'center'),
      backgroundColor: color,
      borderRadius: px(0, 15),
      placeholder: word,
      placeholderColor: hex,
      disabled: fc.boolean(),
    }),
    ...(!isH5 && {
      homeButton: fc.boolean(),
      backgroundImage: fc.oneof(picture, gradient),
      backgroundRepeat: fc.constantFrom('repeat', 'repeat-x', 'repeat-y', 'no-repeat'),
      titleAlign: fc.constantFrom('auto', 'left', 'center'),
      coverage: fc.oneof(
        px(1, 200),
        fc.integer({ min: 1, max: 40 }).map((size) => `${size}%`),
      ),
      titleIcon: picture,
      titleIconRadius: px(0, 17),
      titleOverflow: fc.constantFrom('clip', 'ellipsis'),
      subtitleText: word,
      subtitleColor: color,
      subtitleSize: px(8, 14),
      subtitleOverflow: fc.constantFrom('clip', 'ellipsis'),
      blurEffect,
      autoBackButton: fc.boolean(),
      backButton: object({
        color,
        colorPressed: color,
        background: hex,
        badgeText,
        redDot: fc.boolean(),
        title: fc.constantFrom('Menu', ''),
        titleWeight: weight,
        fontSize: px(12, 30),
        fontWeight: weight,
      }),
      splitLine: fc.oneof(fc.boolean(), object({ color, height: px(1, 5) })),
    }),
  })

const style = object({
  navigationBarBackgroundColor: hex,
  navigationBarTextStyle: fc.constantFrom('black', 'white'),
  navigationBarTitleText: word,
  navigationStyle: fc.constantFrom('default', 'default', 'default', 'custom'),
  transparentTitle: fc.constantFrom('none', 'always', 'auto'),
  titleImage: fc.oneof({ weight: 1, arbitrary: picture }, { weight: 4, arbitrary: fc.constant(undefined) }),
  titlePenetrate: fc.constantFrom('YES', 'NO'),
  'app-plus': object({ titleNView: fc.oneof({ weight: 9, arbitrary: titleNView(false) }, fc.constant(false)) }),
  h5: object({ titleNView: titleNView(true) }),
})
const pageStyle = fc
  .tuple(style, object({ colorType: fc.constantFrom('grey', 'blue', 'green', 'orange', 'red', 'yellow') }))
  .map(([own, navigationBarShadow]) => ({ ...own, navigationBarShadow }))
const iconfont = object({
  text: fc.constantFrom('A', 'B'),
  selectedText: fc.constantFrom('C', 'D'),
  fontSize: px(10, 30),
  color,
  selectedColor: color,
})
const isVisible = ({ visible }: { visible: boolean }) => visible !== false
const tabBar = fc.record(
  {
    color: hex,
    selectedColor: hex,
    backgroundColor: hex,
    fontSize: px(8, 20),
    height: px(40, 80),
    spacing: px(0, 9),
    iconWidth: px(10, 40),
    borderStyle: fc.oneof(fc.constantFrom('black', 'white'), hex),
    blurEffect,
    midButton: object({
      width: px(40, 100),
      height: px(30, 90),
      text: word,
      iconPath: picture,
      iconWidth: px(10, 40),
      backgroundImage: picture,
      iconfont,
    }),
    list: fc
      .array(
        fc.record(
          {
            visible: fc.boolean(),
            text: fc.constantFrom('T', 'Tea'),
            iconPath: picture,
            selectedIconPath: picture,
            iconfont,
          },
          { requiredKeys: ['visible', 'text'] },
        ),
        { minLength: 2, maxLength: 5 },
      )
      .map((all) => all.map((tab, index) => ({ ...tab, pagePath: `pages/p/p${index}` })))
      // Without a visible tab nothing is selected; without a second one, everything is.
      .filter((all) => all.filter(isVisible).length > 1),
  },
  { requiredKeys: ['color', 'selectedColor', 'backgroundColor', 'list'] },
)
/** In px. Percentages of `coverage` refer to the visible height, which is 600 px. */
const scrollTop = fc.constantFrom(0, 50)
const targets = [
  { platform: 'H5', os: 'Android' },
  { platform: 'App', os: 'Android' },
  { platform: 'App', os: 'iOS' },
  { platform: 'Mini App', os: 'Android' },
  { platform: 'Mini App', os: 'iOS' },
] as const
type Target = (typeof targets)[number]
const target = fc.constantFrom<Target>(...targets)

/** Draws bars and returns the differences between their computed styles and `expected`. */
async function differences(
  models: Parameters<TestScreen['draw']>[0],
  expected: Expected[],
  scrollTop = 0,
): Promise<object[]> {
  const texts = expected.map(([selector, property, value]) => [selector, property, String(value)] as const)
  return screen.page.evaluate(
    async ([models, expected, scrollTop]) => {
      const frame = () => new Promise(requestAnimationFrame)
      window.bars.set({ scrollTop })
      window.bars.draw({ navigationBar: null, tabBar: null })
      await frame()
      window.bars.draw(models)
      await frame()
      // The search box is loaded when it is needed.
      while (
        models.navigationBar?.isShown &&
        models.navigationBar.searchInput &&
        !document.querySelector('.neu-search')
      ) {
        await frame()
      }
      const probe = document.body.appendChild(document.createElement('div'))
      const found = expected.flatMap(([selector, property, value]) => {
        const elements = document.querySelectorAll(selector)
        const isColor = property.startsWith('--')
        const probed = (value: string) => {
          probe.style.setProperty(isColor ? 'color' : property, value)
          const computed = getComputedStyle(probe).getPropertyValue(isColor ? 'color' : property)
          probe.removeAttribute('style')
          return computed
        }
        const of = (target: Element) => {
          const computed = getComputedStyle(target).getPropertyValue(property)
          return isColor ? probed(computed) : computed
        }
        const isLiteral = property === 'text' || property === 'count' || property.startsWith('@')
        const resolved = isLiteral ? value : probed(value)
        const [first] = elements
        const literal = property === 'text' ? first?.textContent.trim() : first?.getAttribute(property.slice(1))
        const one = first && (isLiteral ? literal : of(first))
        const drawn = property === 'count' ? String(elements.length) : (one ?? 'nothing')
        return drawn === resolved ? [] : [{ part: `${selector} ${property}`, drawn, resolved }]
      })
      probe.remove()
      return found
    },
    [models, texts, scrollTop] as const,
  )
}

/** Lists what a resolved style says about the bar of a page that is scrolled by `scrollTop` px. */
function expectedBar(page: JsonObject, target: Target, scrollTop: number): Expected[] {
  const bar = inside(page.h5 ?? page['app-plus'], 'titleNView')
  const isShown = page.navigationStyle !== 'custom' && bar !== false
  const shown: Expected = ['.neu-navbar', 'count', isShown ? 1 : 0]
  if (!isShown) return [shown]
  const type = inside(bar, 'type') ?? 'default'
  const titleColor = inside(bar, 'titleColor') ?? (page.navigationBarTextStyle === 'black' ? '#000000' : '#FFFFFF')
  const opacity = opacityOf(page, bar, scrollTop)
  const search = inside(bar, 'searchInput')
  const back = inside(bar, 'autoBackButton') === false ? null : (inside(bar, 'backButton') ?? { color: titleColor })
  const isBlurred = type !== 'default' && (inside(bar, 'blurEffect') ?? 'none') !== 'none'
  const image = inside(bar, 'backgroundImage')
  const isFile = image !== undefined && !String(image).startsWith('linear-gradient')
  return [
    shown,
    ['.neu-navbar', 'color', titleColor],
    ['.neu-navbar', 'pointer-events', target.platform === 'H5' && page.titlePenetrate === 'YES' ? 'none' : 'auto'],
    [background, 'background-color', page.navigationBarBackgroundColor],
    ...written([[background, 'background-color', inside(bar, 'backgroundColor')]]),
    [background, 'background-image', image === undefined ? 'none' : isFile ? `url("${addressOf(image)}")` : image],
    ...written([[background, 'background-repeat', isFile ? inside(bar, 'backgroundRepeat') : undefined]]),
    [background, 'backdrop-filter', isBlurred ? blur : 'none'],
    [background, 'box-shadow', shadowOf(page)],
    [background, 'opacity', opacity],
    ...(search === undefined ? titles(page, bar, target, opacity) : searchBox(search, opacity)),
    ['.neu-navbar-home', 'count', inside(bar, 'homeButton') === true ? 1 : 0],
    ['.neu-navbar-back', 'count', back === null ? 0 : 1],
    ...(back === null ? [] : backButton(back, type)),
    ...buttons(inside(bar, 'buttons'), type),
    ...line(inside(bar, 'splitLine')),
  ]
}

const blur = 'blur(20px) saturate(1.8)'
const addressOf = (path: Json) => baseUrl + String(path).replace(/^\//, '')

/** Six colors are named, but not defined (pages-json §2.12). */
const shadows: Record<string, string> = {
  grey: 'rgba(96,96,96,0.5)',
  blue: 'rgba(24,104,219,0.5)',
  green: 'rgba(26,140,70,0.5)',
  orange: 'rgba(230,120,0,0.5)',
  red: 'rgba(214,40,40,0.5)',
  yellow: 'rgba(230,190,0,0.5)',
}

function shadowOf(page: JsonObject): string {
  const colorType = inside(page.navigationBarShadow, 'colorType')
  return colorType === undefined ? 'none' : `0 2px 6px ${shadows[String(colorType)]}`
}

function opacityOf(page: JsonObject, bar: Json | undefined, scrollTop: number): number {
  const type = inside(bar, 'type') ?? 'default'
  const transparency = type === 'default' ? (page.transparentTitle ?? 'none') : type
  if (transparency === 'always') return 0
  if (transparency !== 'transparent' && transparency !== 'auto') return 1
  const coverage = String(inside(bar, 'coverage') ?? '132px')
  return Math.min(1, scrollTop / (Number.parseFloat(coverage) * (coverage.endsWith('%') ? 6 : 1)))
}

function titles(page: JsonObject, bar: Json | undefined, { platform, os }: Target, opacity: number): Expected[] {
  const [title, subtitle] = ['.neu-navbar-title:first-child', '.neu-navbar-title:nth-child(2)']
  const image = page.titleImage
  const icon = inside(bar, 'titleIcon')
  const hasSubtitle = inside(bar, 'subtitleText') !== undefined
  const align = inside(bar, 'titleAlign') ?? 'auto'
  // H5 centers the title on every system.
  const isLeftByDefault = os === 'Android' && platform !== 'H5'
  const isLeft = hasSubtitle || icon !== undefined || align === 'left' || (align === 'auto' && isLeftByDefault)
  const around: Expected[] = [
    ['.neu-navbar-middle', 'opacity', opacity],
    ['.neu-navbar-middle', 'justify-content', isLeft ? 'start' : 'center'],
    ['.neu-navbar-icon', 'count', icon === undefined ? 0 : 1],
    ...(icon === undefined
      ? []
      : written([
          ['.neu-navbar-icon', '@src', addressOf(icon)],
          ['.neu-navbar-icon', 'border-top-left-radius', inside(bar, 'titleIconRadius')],
        ])),
    ['.neu-navbar-image', 'count', image === undefined ? 0 : 1],
  ]
  if (image !== undefined) return [...around, ['.neu-navbar-image', '@src', addressOf(image)]]
  const size = inside(bar, 'subtitleSize')
  return written([
    ...around,
    [title, 'text', page.navigationBarTitleText ?? ''],
    [title, 'text', inside(bar, 'titleText')],
    [title, 'font-size', inside(bar, 'titleSize')],
    [title, 'text-overflow', inside(bar, 'titleOverflow')],
    [subtitle, 'count', hasSubtitle ? 1 : 0],
    ...(hasSubtitle
      ? written([
          [subtitle, 'text', inside(bar, 'subtitleText')],
          [subtitle, 'color', inside(bar, 'subtitleColor')],
          [subtitle, 'font-size', size === 'auto' ? '12px' : size],
          [subtitle, 'text-overflow', inside(bar, 'subtitleOverflow')],
        ])
      : []),
  ])
}

function searchBox(search: Json, opacity: number): Expected[] {
  const isDisabled = inside(search, 'disabled') === true
  // An invisible box takes no focus.
  const isFocused = inside(search, 'autoFocus') === true && !isDisabled && opacity > 0
  return written([
    ['.neu-search', 'background-color', inside(search, 'backgroundColor')],
    ['.neu-search', 'border-top-left-radius', inside(search, 'borderRadius')],
    ['.neu-search', 'justify-content', isFocused ? 'start' : inside(search, 'align')],
    ['.neu-search-hint', 'text', inside(search, 'placeholder') ?? ''],
    ['.neu-search-hint', 'color', inside(search, 'placeholderColor')],
    ['.neu-search-input:focus', 'count', isFocused ? 1 : 0],
    ['.neu-search-input[readonly]', 'count', isDisabled ? 1 : 0],
    ['.neu-search', 'opacity', opacity],
  ])
}

function buttons(all: Json | undefined, type: Json): Expected[] {
  const list = Array.isArray(all) ? all : []
  return ['left', 'right'].flatMap((side) => {
    const place = side === 'left' ? '.neu-navbar-side:not(.neu-navbar-end)' : '.neu-navbar-end'
    const here = list.filter((each) => inside(each, 'float') === side)
    const selector = `${place} > .neu-navbar-button:not(.neu-navbar-back, .neu-navbar-home)`
    // The back button and the home button come first on their side.
    const parts = here.flatMap((each, index) => {
      const own = `${selector}:nth-last-child(${here.length - index})`
      return [...button(own, each, type), ...pageButton(own, each)]
    })
    return [[selector, 'count', here.length] satisfies Expected, ...parts]
  })
}

/** Returns the expected attributes that only the buttons of a page have. */
function pageButton(selector: string, own: Json): Expected[] {
  const type = inside(own, 'type') as 'none' | 'share'
  const label = type === 'none' ? undefined : labelsFor('en')[type]
  const badge = inside(own, 'badgeText')
  const text = type === 'none' ? inside(own, 'text') : undefined
  const width = inside(own, 'width')
  return [
    ...badges(selector, badge),
    ...written([
      [selector, '@aria-label', label === undefined || !badge ? label : `${label}, ${shortened(badge)}`],
      [selector, 'width', width === 'auto' ? undefined : width],
      [`${selector} .neu-navbar-text`, 'count', text === undefined ? 0 : 1],
      [`${selector} .neu-navbar-text`, 'text', text],
      [`${selector} .neu-navbar-select`, 'count', String(inside(own, 'select')) === 'true' ? 1 : 0],
    ]),
  ]
}

function backButton(own: Json, type: Json): Expected[] {
  const [selector, title] = ['.neu-navbar-back', inside(own, 'title') || undefined]
  return [
    ...button(selector, own, type),
    ...badges(selector, inside(own, 'badgeText'), inside(own, 'redDot') === true),
    ...written([
      [`${selector} .neu-navbar-text`, 'count', title === undefined ? 0 : 1],
      [`${selector} .neu-navbar-text`, 'text', title],
      [`${selector} .neu-navbar-text`, 'font-weight', title && inside(own, 'titleWeight')],
    ]),
  ]
}

/** Shortens a badge to the three characters that are shown (pages-json §2.6.2). */
const shortened = (badge: Json) => (String(badge).length > 3 ? '...' : badge)

function badges(selector: string, text: Json | undefined, hasDot = false): Expected[] {
  return written([
    [`${selector} .neu-badge`, 'count', text || hasDot ? 1 : 0],
    [`${selector} .neu-badge-dot`, 'count', hasDot && !text ? 1 : 0],
    [`${selector} .neu-badge`, 'text', text ? shortened(text) : undefined],
  ])
}

function button(selector: string, own: Json, type: Json): Expected[] {
  const isDisc = type === 'transparent'
  return written([
    [selector, 'color', inside(own, 'color')],
    [selector, '--neu-pressed', inside(own, 'colorPressed')],
    [selector, 'font-size', inside(own, 'fontSize')],
    [selector, 'font-weight', inside(own, 'fontWeight')],
    [`${selector} .neu-navbar-face`, 'background-color', isDisc ? disc(inside(own, 'background')) : 'transparent'],
  ])
}

/** The back button's default is called `none`, which is a translucent gray (pages-json §2.6.2). */
const disc = (color: Json | undefined) => (color === 'none' ? 'rgba(128,128,128,0.5)' : color)

function line(own: Json | undefined): Expected[] {
  const isShown = own !== undefined && own !== null && own !== false
  return [
    ['.neu-navbar-line', 'count', isShown ? 1 : 0],
    ...written([
      ['.neu-navbar-line', 'background-color', inside(own, 'color')],
      ['.neu-navbar-line', 'height', inside(own, 'height')],
    ]),
  ]
}

/** Lists what a resolved tab bar says, whose first visible tab is selected. */
function expectedTabs(bar: JsonObject, { platform, os }: Target): Expected[] {
  const tabs = Array.isArray(bar.list) ? bar.list : []
  const visible = tabs.filter((tab) => inside(tab, 'visible') !== false)
  const item = '.neu-tabbar-item'
  const isBlurred = (bar.blurEffect ?? 'none') !== 'none' && (platform === 'H5' || os === 'iOS')
  const mid = bar.midButton
  const midImage = inside(mid, 'backgroundImage')
  return written([
    [item, 'count', visible.length],
    [`${item}[aria-current]`, 'color', bar.selectedColor],
    [`${item}:not([aria-current])`, 'color', bar.color],
    [
      '.neu-tabbar',
      'background-color',
      isBlurred ? withOpacity(String(bar.backgroundColor), 0.7) : bar.backgroundColor,
    ],
    ['.neu-tabbar', 'backdrop-filter', isBlurred ? blur : 'none'],
    ['.neu-tabbar-border', 'background-color', borders[String(bar.borderStyle)] ?? bar.borderStyle],
    ['.neu-tabbar', 'font-size', bar.fontSize],
    ['.neu-tabbar', 'height', bar.height],
    [`${item}[aria-current] .neu-tabbar-body`, 'row-gap', bar.spacing],
    ...visible.flatMap((tab, index) => [
      [`:nth-child(${index + 1} of ${item}) .neu-tabbar-text`, 'text', inside(tab, 'text')] satisfies Expected,
      ...iconOf(`:nth-child(${index + 1} of ${item})`, tab, bar, index === 0),
    ]),
    ['.neu-tabbar-mid', 'count', mid === undefined ? 0 : 1],
    ['.neu-tabbar-mid', 'width', inside(mid, 'width')],
    ['.neu-tabbar-mid', 'height', inside(mid, 'height')],
    ['.neu-tabbar-mid .neu-tabbar-text', 'text', inside(mid, 'text')],
    ['.neu-tabbar-mid', 'background-image', midImage === undefined ? undefined : `url("${addressOf(midImage)}")`],
    ...(mid === undefined ? [] : iconOf('.neu-tabbar-mid', mid, { ...bar, iconWidth: inside(mid, 'iconWidth')! })),
  ])
}

/** The colors of `borderStyle` `black` and `white`. */
const borders: Record<string, string> = { black: 'rgba(0,0,0,0.33)', white: 'rgba(255,255,255,0.33)' }

const withOpacity = (color: string, opacity: number) =>
  `rgba(${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))},${opacity})`

/** Returns the icon of a tab or of the middle button: a character of a font, else an image. */
function iconOf(selector: string, own: Json, bar: JsonObject, isSelected = false): Expected[] {
  const font = inside(own, 'iconfont')
  const text = inside(font, 'text')
  const [glyph, image] = [`${selector} .neu-tabbar-glyph`, `${selector} .neu-tabbar-icon`]
  const path = (isSelected && inside(own, 'selectedIconPath')) || inside(own, 'iconPath')
  const hasImage = text === undefined && path !== undefined
  const color = isSelected ? (inside(font, 'selectedColor') ?? bar.selectedColor) : (inside(font, 'color') ?? bar.color)
  return written([
    [glyph, 'count', text === undefined ? 0 : 1],
    [image, 'count', hasImage ? 1 : 0],
    ...(text === undefined
      ? []
      : written([
          [glyph, 'text', (isSelected && inside(font, 'selectedText')) || text],
          [glyph, 'color', color],
          [glyph, 'font-size', inside(font, 'fontSize')],
        ])),
    [image, '@src', hasImage ? addressOf(path) : undefined],
    [image, 'width', hasImage ? bar.iconWidth : undefined],
  ])
}

const background = '.neu-navbar-background'
const written = (all: Expected[]) => all.filter(([, , value]) => value !== undefined)

/** Returns the value of a key; undefined if `value` is not an object. */
function inside(value: Json | undefined, key: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[key] : undefined
}

test('draws the navigation bar of random valid styles as resolve says', async () => {
  await fc.assert(
    fc.asyncProperty(style, pageStyle, target, scrollTop, async (globalStyle, own, target, scrollTop) => {
      const file = { globalStyle, pages: [{ path: 'pages/a/a', style: own }] }
      const { page, model } = barOf(file, target)
      const expected = expectedBar(page, target, scrollTop)
      const about = JSON.stringify({ ...target, scrollTop, ...file })
      expect(await differences({ navigationBar: model }, expected, scrollTop), about).toEqual([])
    }),
    { numRuns: 120 },
  )
})

function barOf(file: object, target: Target) {
  const page = resolve(readPages(JSON.stringify(file)), target).pages[0]!
  const model = navigationBarModel(page.style as PageStyle, { ...target, base: baseUrl, canGoBack: true })
  return { page: page.style, model }
}

test('draws the tab bar of random valid files as resolve says', async () => {
  await fc.assert(
    fc.asyncProperty(tabBar, target, async (own, target) => {
      const pages = own.list.map(({ pagePath }) => ({ path: pagePath }))
      const { tabBar: resolved } = resolve(readPages(JSON.stringify({ pages, tabBar: own })), target)
      const tabs = resolved as unknown as TabBar
      // `visible` does not work on every platform.
      const path = tabs.list.find(({ visible }) => visible !== false)?.pagePath
      const model = tabBarModel(tabs, { ...target, base: baseUrl, path })
      const models = { navigationBar: null, tabBar: model }
      const about = JSON.stringify({ ...target, ...own })
      expect(await differences(models, expectedTabs(resolved!, target)), about).toEqual([])
    }),
    { numRuns: 60 },
  )
})
