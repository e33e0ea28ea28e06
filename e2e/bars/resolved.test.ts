import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Json,
  type JsonObject,
  type PageStyle,
  readPages,
  resolve,
  type TabBar,
  withoutBarDefaults,
} from '../../packages/pages/src/index.ts'
import { navigationBarModel, tabBarModel } from '../../packages/runtime/src/shell/bars.ts'
import { baseUrl, closeScreens, openScreen, type TestScreen } from './fixture.ts'

/** Compares what `resolve` says about random valid files with the computed styles of the bars that are drawn. */
let screen: TestScreen
beforeAll(async () => {
  screen = await openScreen()
})
afterAll(closeScreens)

/** A part of a bar, one of its computed styles, and the value that `resolve` says. */
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

const titleNView = (isH5: boolean) =>
  object({
    type: isH5 ? fc.constantFrom('default', 'transparent') : fc.constantFrom('default', 'transparent', 'float'),
    backgroundColor: isH5 ? hex : color,
    titleColor: color,
    titleText: word,
    titleSize: px(8, 30),
    buttons: fc.array(
      object({
        text: fc.constantFrom('Go', 'Do'),
        color,
        background: hex,
        float: fc.constantFrom('left', 'right'),
        fontWeight: weight,
        fontSize: px(9, 20),
      }),
      { maxLength: 2 },
    ),
    searchInput: object({ backgroundColor: color, borderRadius: px(0, 15), placeholder: word, placeholderColor: hex }),
    ...(!isH5 && {
      titleOverflow: fc.constantFrom('clip', 'ellipsis'),
      subtitleText: word,
      subtitleColor: color,
      subtitleSize: px(8, 14),
      blurEffect: fc.constantFrom('none', 'dark', 'light', 'extralight'),
      autoBackButton: fc.boolean(),
      backButton: object({ color, background: hex, fontSize: px(12, 30), fontWeight: weight }),
      splitLine: fc.oneof(fc.boolean(), object({ color, height: px(1, 5) })),
    }),
  })

const style = object({
  navigationBarBackgroundColor: hex,
  navigationBarTextStyle: fc.constantFrom('black', 'white'),
  navigationBarTitleText: word,
  navigationStyle: fc.constantFrom('default', 'default', 'default', 'custom'),
  transparentTitle: fc.constantFrom('none', 'always', 'auto'),
  'app-plus': object({ titleNView: fc.oneof({ weight: 9, arbitrary: titleNView(false) }, fc.constant(false)) }),
  h5: object({ titleNView: titleNView(true) }),
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
    midButton: object({ width: px(40, 100), height: px(30, 90), text: word }),
    list: fc
      .array(fc.record({ visible: fc.boolean() }), { minLength: 2, maxLength: 5 })
      .map((all) =>
        all.map((tab, index) => ({ ...tab, text: 'T', iconPath: 'red.svg', pagePath: `pages/p/p${index}` })),
      )
      // Without a visible tab nothing is selected; without a second one, everything is.
      .filter((all) => all.filter(isVisible).length > 1),
  },
  { requiredKeys: ['color', 'selectedColor', 'backgroundColor', 'list'] },
)
const platform = fc.constantFrom('H5' as const, 'App' as const, 'Mini App' as const)

/** Draws bars and returns the differences between their computed styles and `expected`. */
async function differences(models: Parameters<TestScreen['draw']>[0], expected: Expected[]): Promise<object[]> {
  const texts = expected.map(([selector, property, value]) => [selector, property, String(value)] as const)
  return screen.page.evaluate(
    async ([models, expected]) => {
      const frame = () => new Promise(requestAnimationFrame)
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
        const of = (target: Element) => getComputedStyle(target).getPropertyValue(property)
        probe.style.setProperty(property, value)
        const isLiteral = property === 'text' || property === 'count'
        const resolved = isLiteral ? value : of(probe)
        probe.style.removeProperty(property)
        const [first] = elements
        const one = first && (property === 'text' ? first.textContent.trim() : of(first))
        const drawn = property === 'count' ? String(elements.length) : (one ?? 'nothing')
        return drawn === resolved ? [] : [{ part: `${selector} ${property}`, drawn, resolved }]
      })
      probe.remove()
      return found
    },
    [models, texts] as const,
  )
}

/** Lists what a resolved style says about the bar. */
function expectedBar(page: JsonObject): Expected[] {
  const bar = inside(page.h5 ?? page['app-plus'], 'titleNView')
  const isShown = page.navigationStyle !== 'custom' && bar !== false
  const shown: Expected = ['.neu-navbar', 'count', isShown ? 1 : 0]
  if (!isShown) return [shown]
  const type = inside(bar, 'type') ?? 'default'
  const titleColor = inside(bar, 'titleColor') ?? (page.navigationBarTextStyle === 'black' ? '#000000' : '#FFFFFF')
  const isClear = type === 'default' ? (page.transparentTitle ?? 'none') !== 'none' : type === 'transparent'
  const search = inside(bar, 'searchInput')
  const back = inside(bar, 'autoBackButton') === false ? null : (inside(bar, 'backButton') ?? { color: titleColor })
  return [
    shown,
    ['.neu-navbar', 'color', titleColor],
    [background, 'background-color', page.navigationBarBackgroundColor],
    ...written([[background, 'background-color', inside(bar, 'backgroundColor')]]),
    [background, 'opacity', isClear ? 0 : 1],
    ...(search === undefined ? titles(page, bar, isClear) : searchBox(search, isClear)),
    ['.neu-navbar-back', 'count', back === null ? 0 : 1],
    ...(back === null ? [] : button('.neu-navbar-back', back, type)),
    ...buttons(inside(bar, 'buttons'), type),
    ...line(inside(bar, 'splitLine')),
  ]
}

function titles(page: JsonObject, bar: Json | undefined, isClear: boolean): Expected[] {
  const [title, subtitle] = ['.neu-navbar-title:first-child', '.neu-navbar-title:nth-child(2)']
  const hasSubtitle = inside(bar, 'subtitleText') !== undefined
  const size = inside(bar, 'subtitleSize')
  return written([
    [title, 'text', page.navigationBarTitleText ?? ''],
    [title, 'text', inside(bar, 'titleText')],
    [title, 'font-size', inside(bar, 'titleSize')],
    [title, 'text-overflow', inside(bar, 'titleOverflow')],
    ['.neu-navbar-middle', 'opacity', isClear ? 0 : 1],
    [subtitle, 'count', hasSubtitle ? 1 : 0],
    [subtitle, 'color', hasSubtitle ? inside(bar, 'subtitleColor') : undefined],
    [subtitle, 'font-size', hasSubtitle && size !== 'auto' ? size : undefined],
  ])
}

function searchBox(search: Json, isClear: boolean): Expected[] {
  return written([
    ['.neu-search', 'background-color', inside(search, 'backgroundColor')],
    ['.neu-search', 'border-radius', inside(search, 'borderRadius')],
    ['.neu-search-hint', 'color', inside(search, 'placeholderColor')],
    ['.neu-search', 'opacity', isClear ? 0 : 1],
  ])
}

function buttons(all: Json | undefined, type: Json): Expected[] {
  const list = Array.isArray(all) ? all : []
  return ['left', 'right'].flatMap((side) => {
    const place = side === 'left' ? '.neu-navbar-side:not(.neu-navbar-end)' : '.neu-navbar-end'
    const here = list.filter((each) => inside(each, 'float') === side)
    const selector = `${place} > .neu-navbar-button:not(.neu-navbar-back)`
    // The back button comes first on its side.
    const parts = here.flatMap((each, index) =>
      button(`${selector}:nth-last-child(${here.length - index})`, each, type),
    )
    return [[selector, 'count', here.length] satisfies Expected, ...parts]
  })
}

function button(selector: string, own: Json, type: Json): Expected[] {
  const isDisc = type === 'transparent'
  return written([
    [selector, 'color', inside(own, 'color')],
    [selector, 'font-size', inside(own, 'fontSize')],
    [selector, 'font-weight', inside(own, 'fontWeight')],
    [`${selector} .neu-navbar-face`, 'background-color', isDisc ? disc(inside(own, 'background')) : 'transparent'],
  ])
}

/** The back button's default is called `none`, which is a translucent grey (pages-json §2.6.2). */
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

/** Lists what a resolved tab bar says, whose first tab is selected. */
function expectedTabs(bar: JsonObject): Expected[] {
  const tabs = Array.isArray(bar.list) ? bar.list : []
  const visible = tabs.filter((tab) => inside(tab, 'visible') !== false)
  const item = '.neu-tabbar-item'
  return written([
    [item, 'count', visible.length],
    [`${item}[aria-current]`, 'color', bar.selectedColor],
    [`${item}:not([aria-current])`, 'color', bar.color],
    ['.neu-tabbar', 'background-color', bar.backgroundColor],
    ['.neu-tabbar', 'font-size', bar.fontSize],
    ['.neu-tabbar', 'height', bar.height],
    [`${item}[aria-current]`, 'row-gap', bar.spacing],
    ['.neu-tabbar-mid', 'count', bar.midButton === undefined ? 0 : 1],
    ['.neu-tabbar-mid', 'width', inside(bar.midButton, 'width')],
    ['.neu-tabbar-mid', 'height', inside(bar.midButton, 'height')],
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
    fc.asyncProperty(style, style, platform, async (globalStyle, own, target) => {
      const file = { globalStyle, pages: [{ path: 'pages/a/a', style: own }] }
      const { page, model } = barOf(file, target)
      expect(await differences({ navigationBar: model }, expectedBar(page)), JSON.stringify(file)).toEqual([])
    }),
    { numRuns: 100 },
  )
})

function barOf(file: object, platform: 'H5' | 'App' | 'Mini App') {
  const page = resolve(readPages(JSON.stringify(file)), { platform }).pages[0]!
  const more = { platform, os: 'Android', base: baseUrl, canGoBack: true } as const
  return { page: page.style, model: navigationBarModel(withoutBarDefaults(page) as PageStyle, more) }
}

test('draws the tab bar of random valid files as resolve says', async () => {
  await fc.assert(
    fc.asyncProperty(tabBar, platform, async (own, target) => {
      const pages = own.list.map(({ pagePath }) => ({ path: pagePath }))
      const config = readPages(JSON.stringify({ pages, tabBar: own }))
      const { tabBar: resolved } = resolve(config, { platform: target })
      const path = own.list.find(isVisible)?.pagePath
      const model = tabBarModel(resolved as unknown as TabBar, { platform: target, os: 'Android', base: baseUrl, path })
      const models = { navigationBar: null, tabBar: model }
      expect(await differences(models, expectedTabs(resolved!)), JSON.stringify(own)).toEqual([])
    }),
    { numRuns: 40 },
  )
})
