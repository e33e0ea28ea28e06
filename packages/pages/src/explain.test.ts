import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPages } from './config.ts'
import { platforms } from './diagnostic.ts'
import { explain } from './explain.ts'
import type { Json } from './parse/nodes.ts'
import { resolve } from './resolve/resolve.ts'
import { attributesOf } from './rules/attributes.ts'
import type { TableId } from './rules/rule.ts'
import { tables } from './rules/tables.ts'

/** The attributes whose default a page without one takes. */
const sources: Readonly<Record<string, string[]>> = {
  backgroundColor: ['background'],
  navigationBarBackgroundColor: ['backgroundColor'],
  navigationBarTextStyle: ['titleColor'],
  support: ['enablePullDownRefresh'],
}

/** Returns the paths of the values in an object that are not objects themselves. */
function leaves(value: Json, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path]
  if (Array.isArray(value)) return value.flatMap((item, index) => leaves(item, `${path}[${index}]`))
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path === '' ? key : `${path}.${key}`))
}

const config = readPages(`{
  "globalStyle": { "navigationBarTitleText": "Souk", "app-plus": { "titleNView": { "type": "float" } } },
  "pages": [
    { "path": "pages/a/a",
      "style": {
        "enablePullDownRefresh": false,
        "onReachBottomDistance": "9",
        "app-plus": { "pullToRefresh": { "support": true }, "titleNView": { "titleText": "App" } },
        "h5": { "titleNView": { "titleText": "Web" } }
      } }
  ]
}`)
const why = (attribute: string, platform: 'H5' | 'App' | 'Mini App' = 'App') =>
  explain(config, 'pages/a/a', attribute, { platform })

describe('explain', () => {
  it('returns the value, its line, and every place that could set it', () => {
    expect(why('app-plus.titleNView.type')).toMatchObject({
      value: 'float',
      provenance: { from: 'globalStyle', line: 2 },
      candidates: [
        { from: 'globalStyle', wins: true },
        { from: 'default', value: 'default', wins: false },
      ],
      reason: 'Not set on the page; inherited from globalStyle, line 2.',
    })
    expect(why('titleNView.titleText', 'H5')).toMatchObject({
      attribute: 'h5.titleNView.titleText',
      value: 'Web',
      candidates: [
        { key: 'h5.titleNView.titleText', line: 9, wins: true },
        { key: 'app-plus.titleNView.titleText', wins: false, why: 'h5 overrides app-plus (pages-json §2.10)' },
      ],
    })
  })

  it('names app-plus if h5 does not set the attribute', () => {
    expect(why('titleNView.type', 'H5')).toMatchObject({
      value: 'float',
      reason: expect.stringContaining('so app-plus applies (pages-json §2.10)'),
    })
  })

  it('names the attribute that decides where titleNView and a navigationBar… key describe the same', () => {
    expect(why('navigationBarTitleText')).toMatchObject({
      value: 'App',
      reason: expect.stringContaining('by "app-plus.titleNView.titleText", which decides "navigationBarTitleText"'),
      candidates: [
        { key: 'app-plus.titleNView.titleText', wins: true },
        { key: 'navigationBarTitleText', value: 'Souk', wins: false },
      ],
    })
    expect(why('titleNView.backgroundColor')).toMatchObject({ value: '#F7F7F7', provenance: { from: 'default' } })
    expect(why('navigationBarBackgroundColor')).toMatchObject({
      value: '#F7F7F7',
      candidates: [{ from: 'default', value: '#F7F7F7', wins: true }],
    })
  })

  it('has one winner where a key of the style or the same attribute of another object decides', () => {
    const others = readPages(`{
      "globalStyle": { "navigationBarTextStyle": "white", "animationType": "fade-in" },
      "pages": [
        { "path": "pages/a/a", "style": { "app-plus": { "titleNView": { "buttons": [] }, "animationType": "none" } } },
        { "path": "pages/b/b" }
      ]
    }`)
    const explained = (page: string, attribute: string) => explain(others, page, attribute, { platform: 'Mini App' })
    expect(explained('pages/a/a', 'navigationBarTextStyle')).toMatchObject({
      value: 'white',
      reason: 'Not set on the page; inherited from globalStyle, line 2.',
      candidates: [
        { from: 'globalStyle', value: 'white', wins: true },
        { from: 'default', wins: false },
      ],
    })
    expect(explained('pages/a/a', 'titleNView.titleColor')).toMatchObject({
      value: '#FFFFFF',
      reason: expect.stringContaining('by "navigationBarTextStyle", which decides "titleColor" (pages-json §3.3)'),
      candidates: [
        { from: 'globalStyle', value: '#FFFFFF', wins: true },
        { from: 'default', value: '#000000', wins: false },
      ],
    })
    expect(explained('pages/a/a', 'animationType')).toMatchObject({
      value: 'none',
      candidates: [
        { key: 'app-plus.animationType', value: 'none', wins: true },
        { from: 'globalStyle', value: 'fade-in', wins: false },
        { from: 'default', wins: false },
      ],
    })
    expect(explained('pages/b/b', 'app-plus.animationType')).toMatchObject({
      value: 'fade-in',
      reason: expect.stringContaining('by "animationType", which decides "app-plus.animationType" (pages-json §3.3)'),
      candidates: [
        { from: 'globalStyle', key: 'animationType', wins: true },
        { from: 'default', wins: false },
      ],
    })
  })

  it.each(platforms)('cites the section that has the default, for every attribute on %s', (platform) => {
    const everyObject = {
      titleNView: { buttons: [{}], searchInput: {}, splitLine: {} },
      pullToRefresh: {},
      subNVues: [{ id: 'w', path: 'w', style: {} }],
    }
    for (const objects of [{}, everyObject, { titleNView: { type: 'transparent', buttons: [{}] } }]) {
      const file = {
        pages: [{ path: 'pages/a/a', style: { 'app-plus': objects } }, { path: 'pages/b/b' }],
        tabBar: { list: [{ pagePath: 'pages/a/a', iconfont: {} }, { pagePath: 'pages/b/b' }], midButton: {} },
      }
      const config = readPages(JSON.stringify(file))
      const { pages, tabBar } = resolve(config, { platform })
      const paths = [...leaves(pages[0]!.style), ...leaves(tabBar!).map((path) => `tabBar.${path}`)]
      expect(paths.length).toBeGreaterThan(15)
      for (const path of paths) {
        const found = explain(config, 'pages/a/a', path, { platform })
        if ('error' in found) throw new Error(found.error)
        const { provenance, value, candidates, reason } = found
        if (provenance?.from !== 'default') continue
        const section = provenance.section
        expect([path, candidates.at(-1)]).toMatchObject([path, { section, value, wins: true }])
        expect(reason).toContain(`the default applies (pages-json §${section})`)
        // The table of the section has this default, under this name or that of the attribute it is taken from.
        const name = path.replace(/.*\./, '')
        const names = [name, ...(sources[name] ?? [])]
        const rows = (Object.keys(tables) as TableId[])
          .filter((table) => tables[table].section === section)
          .flatMap((table) => names.flatMap((each) => attributesOf(table).get(each) ?? []))
          .filter((attribute) => attribute.section === section)
        const isThere = rows.some(({ default: own, row }) => own === value || row.computed !== undefined)
        expect([path, section, isThere]).toEqual([path, section, true])
      }
    }
  })

  it('says which default overrides that of globalStyle, as the rules and the specification do', () => {
    const empty = readPages('{ "pages": [{ "path": "pages/a/a" }] }')
    const specification = readFileSync(join(import.meta.dirname, '../../../docs/spec/pages-json.md'), 'utf8')
    for (const platform of platforms) {
      expect(explain(empty, 'pages/a/a', 'navigationBarBackgroundColor', { platform })).toMatchObject({
        value: '#000000',
        reason: expect.stringContaining('It overrides that of globalStyle, "#F7F7F7" (pages-json §2.3).'),
      })
    }
    expect(attributesOf('globalStyle').get('navigationBarBackgroundColor')).toMatchObject({
      default: '#F7F7F7',
      row: { description: expect.stringContaining('Pages have another default, #000000, which overrides this one.') },
    })
    expect(specification).toContain('#000000 unless the page or `globalStyle` sets a color.')
  })

  it('explains the precedence of pullToRefresh.support', () => {
    expect(why('enablePullDownRefresh')).toMatchObject({
      value: true,
      reason: expect.stringContaining('overrides "enablePullDownRefresh" (pages-json §2.9)'),
      candidates: [
        { key: 'app-plus.pullToRefresh.support', wins: true },
        { value: false, wins: false },
        { from: 'default', wins: false },
      ],
    })
  })

  it('explains why a value of the file is ignored', () => {
    expect(why('onReachBottomDistance')).toMatchObject({
      value: 50,
      provenance: { from: 'default' },
      candidates: [
        { value: '9', wins: false, why: expect.stringContaining('wrong type') },
        { from: 'default', wins: true },
      ],
    })
  })

  it('names the version that an attribute or the object around it requires', () => {
    const reason = (attribute: string) => {
      const found = explain(config, 'pages/a/a', attribute, { platform: 'App', version: '2.0.0' })
      return 'reason' in found && found.reason
    }
    expect(reason('titleNView.titleIcon')).toBe(
      '"titleIcon" requires App 2.6.6: it has no effect in version 2.0.0 (pages-json §2.6).',
    )
    expect(reason('titleNView.backButton.color')).toContain('"backButton" requires App 2.6.3')
    expect(reason('titleNView.titleSize')).toContain('Nothing sets')
  })

  it('names the platforms of an attribute, and reports one that nothing sets', () => {
    expect(why('pageOrientation')).toMatchObject({
      value: undefined,
      reason: '"pageOrientation" does not work on App, only on Mini App (pages-json §2.3).',
    })
    expect(why('navigationBarShadow')).toMatchObject({
      value: undefined,
      reason: expect.stringContaining('has no default'),
    })
  })

  it('explains the tab bar', () => {
    const tabs = readPages(`{
  "pages": [{ "path": "pages/a/a" }, { "path": "pages/b/b" }],
  "tabBar": { "color": "#111111", "height": 60, "midButton": { "width": "90px" }, "list": [
    { "pagePath": "pages/a/a", "text": "A" },
    { "pagePath": "pages/b/b", "text": "B" }
  ] }
}`)
    const explainTab = (config: typeof tabs, attribute: string) =>
      explain(config, 'pages/a/a', attribute, { platform: 'App' })
    expect(explainTab(tabs, 'tabBar.list[1].text')).toMatchObject({
      value: 'B',
      provenance: { from: 'tabBar', line: 5, key: 'tabBar.list[1].text' },
      candidates: [{ line: 5, wins: true, why: 'the only place that can set it (pages-json §2.7)' }],
      reason: 'Set in tabBar, line 5.',
    })
    expect(explainTab(tabs, 'tabBar.height')).toMatchObject({
      value: '50px',
      candidates: [{ value: 60, wins: false, why: expect.stringContaining('wrong type') }, { from: 'default' }],
      reason: expect.stringContaining('Nothing sets "tabBar.height"'),
    })
    expect(explainTab(tabs, 'tabBar.midButton.width')).toMatchObject({ value: '90px' })
    const odd = readPages(tabs.text.replace(', "text": "B" }', ' }, {}'))
    expect(explainTab(odd, 'tabBar.midButton.width')).toMatchObject({
      value: undefined,
      reason: expect.stringContaining('an even number of tabs'),
    })
    expect(explainTab(tabs, 'tabBar.hight')).toEqual({ error: expect.stringContaining('did you mean "height"?') })
    expect(explainTab(config, 'tabBar.height')).toMatchObject({ value: undefined, provenance: undefined })
  })

  it('suggests existing pages and attributes', () => {
    expect(explain(config, 'pages/a/b', 'backgroundColor', { platform: 'H5' })).toEqual({
      error: expect.stringContaining('did you mean "pages/a/a"?'),
    })
    expect(why('backgroundColr')).toEqual({ error: expect.stringContaining('did you mean "backgroundColor"?') })
    expect(why('backgroundColor.x')).toEqual({ error: expect.stringContaining('has no attributes') })
  })
})
