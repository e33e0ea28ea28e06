import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { check } from '../check/check.ts'
import { contrast, readColor } from '../colors.ts'
import { readPages, variantFor } from '../config.ts'
import { type Platform, platforms } from '../diagnostic.ts'
import { explain } from '../explain.ts'
import { asObject, type Json, type JsonObject } from '../parse/nodes.ts'
import { platformKeys } from '../rules/honored.ts'
import { hasTitleOnColor } from './navigationBar.ts'
import { createContext, layersOf, resolve, resolveStyle } from './resolve.ts'

/** Undefined stands for an absent key. Some values are invalid. */
const choices: Record<string, (Json | undefined)[]> = {
  navigationStyle: [undefined, 'default', 'custom', 'unknown'],
  transparentTitle: [undefined, 'none', 'auto', 3],
  titleImage: [undefined, '', 'a.png'],
  titleNView: [
    undefined,
    false,
    true,
    3,
    {},
    { type: 'transparent' },
    { type: 'unknown' },
    { backgroundImage: 'a.png' },
    { titleText: 'A' },
  ],
}

/** Returns an object for each combination of the values. */
function combine(keys: readonly string[]): Record<string, Json>[] {
  const [key, ...others] = keys
  if (key === undefined) return [{}]
  const rest = combine(others)
  return choices[key]!.flatMap((value) => rest.map((each) => (value === undefined ? each : { ...each, [key]: value })))
}

test('hasTitleOnColor says of every style what its resolved values say', () => {
  const styles = combine(Object.keys(choices)).flatMap(({ titleNView, ...style }) =>
    titleNView === undefined
      ? [style]
      : ['h5', 'app-plus', 'app'].map((key): Record<string, Json> => ({ ...style, [key]: { titleNView } })),
  )
  const pages = styles.map((style, index) => ({ path: `pages/${index}`, style }))
  const globalStyle = { 'app-plus': { titleNView: { type: 'transparent' } }, transparentTitle: 'always' }
  for (const config of [readPages(JSON.stringify({ pages })), readPages(JSON.stringify({ pages, globalStyle }))]) {
    for (const platform of platforms) {
      const target = createContext(config, { platform })
      for (const { style, path } of variantFor(config, platform).model.pages) {
        const values = resolveStyle(target, { style })
        const bar = asObject(values[platform === 'H5' ? 'h5' : 'app-plus'])?.titleNView
        const { type = 'default', backgroundImage } = asObject(bar) ?? {}
        const hasBar = values.navigationStyle !== 'custom' && bar !== false
        const isPlain = type === 'default' && backgroundImage === undefined
        const hasText = (values.transparentTitle ?? 'none') === 'none' && (values.titleImage ?? '') === ''
        const actual = hasTitleOnColor({ target, table: 'pageStyle', layers: layersOf(target, style) })
        expect([platform, styles[Number(path.slice(6))], actual]).toEqual([
          platform,
          styles[Number(path.slice(6))],
          hasBar && isPlain && hasText,
        ])
      }
    }
  }
})

// --- the rule of pages-json §3.3 -------------------------------------------------------------------------------------

const optional = { requiredKeys: [] }
const color = fc.constantFrom('#4B2E1E', '#FFFFFF', '#000000', '#F7F7F7', '#888888')
const word = fc.constantFrom('black', 'white')
const text = fc.constantFrom('A', 'B', '')
const plainKeys = {
  navigationBarBackgroundColor: color,
  navigationBarTextStyle: word,
  navigationBarTitleText: text,
  navigationBarShadow: fc.constant({ colorType: 'grey' }),
}
const titleNView = fc.oneof(
  { weight: 1, arbitrary: fc.constant(false) },
  {
    weight: 9,
    arbitrary: fc.record(
      {
        backgroundColor: color,
        titleColor: color,
        titleText: text,
        buttons: fc.constant([{ text: 'x' }, { text: 'y', color: '#123456' }]),
        searchInput: fc.constant({}),
        backButton: fc.constant({}),
        subtitleText: fc.constant('s'),
      },
      optional,
    ),
  },
)
const platformObject = fc.record({ ...plainKeys, titleNView }, optional)
const styleOf = fc.record(
  {
    ...plainKeys,
    titleNView,
    'app-plus': platformObject,
    app: platformObject,
    h5: platformObject,
    web: platformObject,
  },
  optional,
)
type Style = JsonObject

/** A value of the bar, with the key that sets it and the level that has the key; a default has neither. */
type Expected = { value: Json | undefined; key?: string; from?: 'page' | 'globalStyle' }

/** Reads the rule off the document: nearest level first; at one level `titleNView`, then the plain keys. */
function expectedBar(page: Style, globalStyle: Style, platform: Platform) {
  const levels = [
    { from: 'page' as const, style: page },
    { from: 'globalStyle' as const, style: globalStyle },
  ]
  const objectsOf = (style: Style) =>
    platformKeys[platform].flatMap((key) => {
      const object = asObject(style[key])
      return object ? [{ prefix: `${key}.`, object }] : []
    })
  const views: { from: 'page' | 'globalStyle'; prefix: string; view: Json }[] = levels.flatMap(({ from, style }) => [
    ...objectsOf(style).flatMap(({ prefix, object }) =>
      object.titleNView === undefined ? [] : [{ from, prefix: `${prefix}titleNView.`, view: object.titleNView }],
    ),
    ...(style.titleNView === undefined ? [] : [{ from, prefix: 'titleNView.', view: style.titleNView }]),
  ])
  // `false` removes the bar, with what is behind it.
  const end = views.findIndex(({ view }) => view === false)
  const shown = end < 0 ? views : views.slice(0, end)
  const first = (own: string | undefined, plain: string): Expected | undefined => {
    for (const { from, style } of levels) {
      for (const { prefix, view, from: level } of shown) {
        const value = own === undefined || level !== from ? undefined : asObject(view)?.[own]
        if (value !== undefined) return { value, key: `${prefix}${own}`, from }
      }
      for (const { prefix, object } of [...objectsOf(style), { prefix: '', object: style }]) {
        if (object[plain] !== undefined) return { value: object[plain], key: prefix + plain, from }
      }
    }
    return undefined
  }
  const hasView = shown.length > 0
  const title = first('titleText', 'navigationBarTitleText') ?? { value: undefined }
  const decided = first('titleColor', 'navigationBarTextStyle')
  const colors: Record<string, string> = { black: '#000000', white: '#FFFFFF' }
  const titleColor: Expected = decided
    ? { ...decided, value: colors[decided.value as string] ?? decided.value }
    : { value: hasView ? '#000000' : '#FFFFFF' }
  const backgroundColor = first('backgroundColor', 'navigationBarBackgroundColor') ?? {
    value: hasView ? '#F7F7F7' : '#000000',
  }
  const textStyle = first(undefined, 'navigationBarTextStyle')
  return { hasView, isHidden: views[0]?.view === false, title, titleColor, backgroundColor, textStyle }
}

const fileOf = (page: Style, globalStyle: Style) =>
  readPages(JSON.stringify({ globalStyle, pages: [{ path: 'pages/a/a', style: page }] }))

describe('what is written beats every default, the nearer level the farther one, and titleNView the plain keys', () => {
  const any = [styleOf, styleOf, fc.constantFrom(...platforms)] as const

  test('in the resolved style, in both spellings', () => {
    fc.assert(
      fc.property(...any, (page, globalStyle, platform) => {
        const expected = expectedBar(page as Style, globalStyle as Style, platform)
        const { style, provenance } = resolve(fileOf(page as Style, globalStyle as Style), { platform }).pages[0]!
        const node = platform === 'H5' ? 'h5' : 'app-plus'
        const origin = ({ key, from }: Expected) => (key === undefined ? { from: 'default' } : { key, from })
        expect(style.navigationBarTitleText).toEqual(expected.title.value)
        expect(style.navigationBarBackgroundColor).toEqual(expected.backgroundColor.value)
        expect(provenance.navigationBarBackgroundColor).toMatchObject(origin(expected.backgroundColor))
        if (expected.textStyle) expect(style.navigationBarTextStyle).toEqual(expected.textStyle.value)
        if (!expected.hasView) return
        const bar = asObject(asObject(style[node])!.titleNView)!
        expect(bar).toMatchObject({
          ...(expected.title.value !== undefined && { titleText: expected.title.value }),
          titleColor: expected.titleColor.value,
          backgroundColor: expected.backgroundColor.value,
        })
        expect(provenance[`${node}.titleNView.titleColor`]).toMatchObject(origin(expected.titleColor))
        expect(provenance[`${node}.titleNView.backgroundColor`]).toMatchObject(origin(expected.backgroundColor))
        // What follows the title has the color of the title that is drawn.
        const { value } = expected.titleColor
        expect(asObject(bar.backButton)!.color).toEqual(value)
        if (bar.buttons) expect(bar.buttons).toMatchObject([{ color: value }, { color: '#123456' }])
        expect(bar.subtitleColor).toEqual(value)
      }),
      { numRuns: 1000 },
    )
  })

  test('in what explain says, with the origin of the value', () => {
    fc.assert(
      fc.property(...any, (page, globalStyle, platform) => {
        const expected = expectedBar(page as Style, globalStyle as Style, platform)
        const config = fileOf(page as Style, globalStyle as Style)
        for (const [attribute, { value, key }] of [
          ['navigationBarTitleText', expected.title],
          ['navigationBarBackgroundColor', expected.backgroundColor],
          ...(expected.hasView
            ? ([
                ['titleNView.titleText', expected.title],
                ['titleNView.titleColor', expected.titleColor],
                ['titleNView.backgroundColor', expected.backgroundColor],
              ] as const)
            : []),
        ] as const) {
          const found = explain(config, 'pages/a/a', attribute, { platform })
          if ('error' in found) throw new Error(found.error)
          expect(found.value).toEqual(value)
          expect(found.provenance?.key).toEqual(key)
          const winners = found.candidates.filter(({ wins }) => wins)
          expect(winners.map((each) => each.key)).toEqual(value === undefined ? [] : [key])
        }
      }),
      { numRuns: 300 },
    )
  })

  test('in the warning about contrast', () => {
    fc.assert(
      fc.property(styleOf, styleOf, (page, globalStyle) => {
        const warned = check(fileOf(page as Style, globalStyle as Style)).filter(({ code }) => code === 'bar-contrast')
        for (const platform of platforms) {
          const pairs = warned.filter((each) => each.platforms.includes(platform)).map(({ message }) => pairIn(message))
          const ofPage = poorPair(page as Style, globalStyle as Style, platform)
          const poor = [ofPage, poorPair({}, globalStyle as Style, platform)]
          if (ofPage !== undefined) expect(pairs).toContain(ofPage)
          for (const pair of pairs) expect(poor).toContain(pair)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('and no key changes a value that it does not name', () => {
    const others = fc.constantFrom(
      { navigationBarShadow: { colorType: 'red' } },
      { 'app-plus': { titleNView: { titleSize: '20px' } } },
      { h5: { titleNView: { searchInput: {} } } },
      { navigationBarTitleText: 'Other' },
      { navigationBarTextStyle: 'black' },
    )
    const given = { navigationBarBackgroundColor: '#4B2E1E', navigationBarTextStyle: 'white' }
    fc.assert(
      fc.property(others, fc.boolean(), fc.constantFrom(...platforms), (key, isPage, platform) => {
        const page = resolve(fileOf(key as Style, isPage ? given : {}), { platform }).pages[0]!
        const both = resolve(fileOf(isPage ? { ...given, ...key } : (key as Style), given), { platform }).pages[0]!
        for (const { style } of isPage ? [page, both] : [both]) {
          expect(style.navigationBarBackgroundColor).toBe('#4B2E1E')
          if (!('navigationBarTextStyle' in key)) expect(style.navigationBarTextStyle).toBe('white')
        }
      }),
    )
  })
})

/** Returns the colors of title and bar if the title is hard to read and one of the colors is written. */
function poorPair(page: Style, globalStyle: Style, platform: Platform): string | undefined {
  const { titleColor, backgroundColor, isHidden } = expectedBar(page, globalStyle, platform)
  if (isHidden || (titleColor.key ?? backgroundColor.key) === undefined) return undefined
  const [title, bar] = [String(titleColor.value), String(backgroundColor.value)]
  return contrast(readColor(title)!, readColor(bar)!) < 3 ? `${title} ${bar}` : undefined
}

/** Returns the colors of title and bar that a warning names. */
function pairIn(message: string): string {
  const [, title, bar] = /: (\S+)(?: \(the default\))? on (\S+)/.exec(message)!
  return `${{ black: '#000000', white: '#FFFFFF' }[title!] ?? title} ${bar}`
}
