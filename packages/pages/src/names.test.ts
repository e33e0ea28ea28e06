import { describe, expect, it, test } from 'vitest'
import { check } from './check/check.ts'
import { readPages } from './config.ts'
import type { Platform } from './diagnostic.ts'
import { explain } from './explain.ts'
import type { Files } from './files.ts'
import { languagesFor, readNames } from './names.ts'
import { resolve } from './resolve/resolve.ts'

const filesOf = (texts: { [path: string]: string }): Files => ({
  exists: () => true,
  read: (path) => texts[path],
  list: (folder) =>
    Object.keys(texts).flatMap((path) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : [])),
})
const named = {
  'theme.json': '{"light": {"bar": "#FFFFFF", "text": "black"}, "dark": {"bar": "#000000", "text": "white"}}',
  'locale/en.json': '{"home.title": "Home", "about": "About"}',
  'locale/zh-Hans.json': '{"home": {"title": "首页"}}',
}
const page = (style: string) => `{"pages": [{"path": "pages/a/a", "style": ${style}}]}`
const bar = page(
  '{"navigationBarBackgroundColor": "@bar", "navigationBarTextStyle": "@text", "navigationBarTitleText": "%home.title%"}',
)
const styleOf = (text: string, options: Parameters<typeof readPages>[1]) =>
  resolve(readPages(text, options), { platform: 'App' }).pages[0]!.style
const found = (text: string, files?: Files) =>
  check(readPages(text, { files }), files ? { files } : {}).map(({ code, severity, message }) => ({
    code,
    severity,
    message,
  }))

describe('names of theme.json and locale', () => {
  it('stand for the values of the theme and the language, with the place where they are used', () => {
    const files = filesOf(named)
    expect(styleOf(bar, { files })).toMatchObject({
      navigationBarBackgroundColor: '#FFFFFF',
      navigationBarTextStyle: 'black',
      navigationBarTitleText: 'Home',
    })
    expect(styleOf(bar, { files, theme: 'dark', language: 'zh-CN' })).toMatchObject({
      navigationBarBackgroundColor: '#000000',
      navigationBarTextStyle: 'white',
      navigationBarTitleText: '首页',
    })
    const config = readPages(bar, { files, theme: 'dark' })
    expect(explain(config, 'pages/a/a', 'navigationBarTextStyle', { platform: 'H5' })).toMatchObject({
      value: 'white',
      provenance: { from: 'page', line: 1 },
    })
    expect(found(bar, files)).toEqual([])
  })

  it('count as not set where they are missing, with a warning that names the file', () => {
    const text = page('{"navigationBarBackgroundColor": "@bart", "navigationBarTitleText": "%nothing%"}')
    const files = filesOf(named)
    expect(styleOf(text, { files })).toMatchObject({ navigationBarBackgroundColor: '#000000' })
    expect(styleOf(text, { files })).not.toHaveProperty('navigationBarTitleText')
    expect(found(text, files)).toMatchObject([
      {
        code: 'theme-name-missing',
        severity: 'warning',
        message: /"@bart" is not defined in theme.json, under "light"/,
      },
      { code: 'locale-key-missing', severity: 'warning', message: /locale\/en.json, locale\/zh-Hans.json/ },
    ])
  })

  it('are reported if only one theme or one language lacks them', () => {
    const text = page('{"navigationBarBackgroundColor": "@bar", "navigationBarTitleText": "%about%"}')
    const files = filesOf({ ...named, 'theme.json': '{"light": {"bar": "#FFFFFF"}, "dark": {}}' })
    expect(found(text, files)).toMatchObject([
      { code: 'bar-contrast' },
      { code: 'theme-name-missing', message: /under "dark"/ },
      { code: 'locale-key-missing', message: /locale\/zh-Hans.json: another language is shown/ },
    ])
  })

  it('have values that are checked in each theme, without a fix for the wrong file', () => {
    const files = filesOf({ 'theme.json': '{"light": {"bar": "#111111"}, "dark": {"bar": "#222"}}' })
    const diagnostics = check(readPages(page('{"navigationBarBackgroundColor": "@bar"}'), { files }), { files })
    expect(diagnostics).toMatchObject([{ code: 'color-short', message: /"bar" in theme.json, under "dark"/ }])
    expect(diagnostics[0]).not.toHaveProperty('fix')
  })

  it('are information where only pages.json is known, and never a title in white on white', () => {
    expect(found(bar).map(({ code, severity }) => [code, severity])).toEqual([
      ['value-theme', 'info'],
      ['value-theme', 'info'],
      ['value-locale', 'info'],
    ])
    expect(styleOf(bar, {})).toMatchObject({ navigationBarTextStyle: 'white', navigationBarBackgroundColor: '#000000' })
  })

  it('are found in blocks of single platforms, and reported for these', () => {
    const text = `{"pages": [{"path": "pages/a/a", "style": {
      // #ifdef H5
      "navigationBarBackgroundColor": "@no"
      // #endif
    }}]}`
    const files = filesOf(named)
    expect(check(readPages(text, { files }), { files })).toMatchObject([
      { code: 'theme-name-missing', platforms: ['H5'] },
    ])
  })

  it('come from the last of two objects for a theme, as with JSON.parse', () => {
    const files = filesOf({ 'theme.json': '{"light": {"bar": "#111111"}, "dark": {}, "light": {"bar": "#222222"}}' })
    const text = page('{"navigationBarBackgroundColor": "@bar"}')
    expect(styleOf(text, { files })).toMatchObject({ navigationBarBackgroundColor: '#222222' })
  })

  it('name a file with syntax errors', () => {
    const files = filesOf({ 'theme.json': '{"light": {"ba' })
    expect(found(page('{"navigationBarBackgroundColor": "@bar"}'), files)).toMatchObject([
      { code: 'theme-name-missing', message: /theme.json, under "light" \(which has syntax errors\)/ },
    ])
  })
})

describe('%key%', () => {
  const titleOf = (title: string, texts = named, language = 'en') =>
    styleOf(page(`{"navigationBarTitleText": ${JSON.stringify(title)}}`), { files: filesOf(texts), language })
      .navigationBarTitleText

  it('also stands for a text within a text, as in uni-app', () => {
    expect(titleOf('%home.title% · %about%')).toBe('Home · About')
    expect(titleOf('%home.title%!', named, 'zh-Hans')).toBe('首页!')
    const text = page('{"navigationBarTitleText": "%home.title% (%abuot%)"}')
    expect(found(text, filesOf(named))).toMatchObject([
      { code: 'locale-key-missing', message: /"%abuot%" is not defined in .* this part of the text is empty/ },
    ])
    expect(titleOf('%home.title% (%abuot%)')).toBe('Home ()')
  })

  it('finds no name between two percentages, or without translations', () => {
    expect(titleOf('50% off, 20% more')).toBe('50% off, 20% more')
    expect(titleOf('50%~100%')).toBe('50%~100%')
    const none = { 'theme.json': '{}' } as unknown as typeof named
    expect(titleOf('A%b%', none)).toBe('A%b%')
    expect(found(page('{"navigationBarTitleText": "A%b%"}'), filesOf(none))).toEqual([])
  })
})

describe("uni-app's manifest.json", () => {
  it.each([
    [undefined, { name: '', version: '', versionCode: '' }],
    [
      { name: 'Coffee', versionName: '1.2.0', versionCode: '120' },
      { name: 'Coffee', version: '1.2.0', versionCode: '120' },
    ],
    [
      { name: 7, versionCode: 120 },
      { name: '', version: '', versionCode: '120' },
    ],
  ])('%j says that the app is %j', (manifest, app) => {
    const files = filesOf({ ...named, ...(manifest && { 'manifest.json': JSON.stringify(manifest) }) })
    expect(readPages(bar, { files }).names!.app).toEqual(app)
  })

  const barOn = (platform: Platform, manifest: object | undefined, theme: 'light' | 'dark' = 'dark') => {
    const files = filesOf({
      ...named,
      'themes/mine.json': '{"light": {"bar": "#EEEEEE"}, "dark": {"bar": "#111111"}}',
      ...(manifest && { 'manifest.json': `/* uni-app */ ${JSON.stringify(manifest)}` }),
    })
    return resolve(readPages(bar, { files, theme }), { platform }).pages[0]!.style.navigationBarBackgroundColor
  }

  it.each([
    [undefined, '#000000'],
    [{ h5: { darkmode: true } }, '#000000'],
    [{ web: { darkmode: 'auto' } }, '#000000'],
    [{ h5: { darkmode: false } }, '#FFFFFF'],
    [{ h5: {} }, '#FFFFFF'],
    [{ 'app-plus': { darkmode: true } }, '#FFFFFF'],
    [{ h5: { darkmode: true, themeLocation: './themes/mine.json' } }, '#111111'],
    [{ h5: { themeLocation: 'themes/mine.json' } }, '#EEEEEE'],
  ])('%j shows %s on a dark H5 device', (manifest, color) => expect(barOn('H5', manifest)).toBe(color))

  it('has a dark mode for each platform', () => {
    const manifest = { h5: { darkmode: true }, 'app-plus': { darkmode: 'dark', themeLocation: 'themes/mine.json' } }
    expect(barOn('H5', manifest, 'light')).toBe('#FFFFFF')
    expect(barOn('H5', manifest)).toBe('#000000')
    for (const platform of ['App', 'Mini App'] as const) expect(barOn(platform, manifest, 'light')).toBe('#111111')
  })

  it('decides which themes are checked, and for which platforms', () => {
    const theme = '{"light": {"bar": "#FFFFFF", "text": "black"}, "dark": {"bar": "#FFFFFF", "text": "white"}}'
    const diagnose = (manifest: object) => {
      const files = filesOf({ ...named, 'theme.json': theme, 'manifest.json': JSON.stringify(manifest) })
      return check(readPages(bar, { files }), { files }).map(({ code, platforms }) => [code, platforms])
    }
    expect(diagnose({})).toEqual([])
    expect(diagnose({ h5: { darkmode: true } })).toEqual([['bar-contrast', ['H5']]])
    expect(diagnose({ 'app-plus': { darkmode: true } })).toEqual([['bar-contrast', ['App', 'Mini App']]])
  })

  it('names the theme file in messages', () => {
    const files = filesOf({ 'manifest.json': '{"h5": {"themeLocation": "themes/none.json"}}' })
    const text = page('{"navigationBarBackgroundColor": "@bar"}')
    expect(check(readPages(text, { files }), { files })).toMatchObject([
      { code: 'theme-name-missing', platforms: ['H5'], message: /themes\/none.json: the file does not exist/ },
      { code: 'theme-name-missing', platforms: ['App', 'Mini App'], message: /in theme.json: the file does not exist/ },
    ])
  })

  it.each([
    [{ fallbackLocale: 'zh-Hans' }, '首页', '首页'],
    [{ locale: 'zh-Hans' }, '首页', '首页'],
    [{ locale: 'auto' }, 'Home', 'Home'],
    [{ locale: 'zh-Hans', fallbackLocale: 'en' }, '首页', 'Home'],
    [{ fallbackLocale: 'fr' }, 'Home', 'Home'],
  ])('%j shows %s by default, and %s in other languages', (manifest, title, other) => {
    const files = filesOf({ ...named, 'manifest.json': JSON.stringify(manifest) })
    expect(styleOf(bar, { files })).toMatchObject({ navigationBarTitleText: title })
    expect(styleOf(bar, { files, language: 'de' })).toMatchObject({ navigationBarTitleText: other })
    expect(styleOf(bar, { files, language: 'en-GB' })).toMatchObject({ navigationBarTitleText: 'Home' })
  })

  it.each([
    [{ fallbackLocale: 'fr' }, /"fallbackLocale": "fr", but there is no locale\/fr.json: locale\/en.json is used/],
    [{ locale: 'de', fallbackLocale: 'zh-CN' }, /"locale": "de" and "fallbackLocale": "zh-CN", but there is no/],
  ])('%j gives one warning about languages without a file', (manifest, message) => {
    const files = filesOf({ ...named, 'manifest.json': JSON.stringify(manifest) })
    const text = `{"pages": [
      // #ifdef H5
      {"path": "pages/a/a", "style": {"navigationBarTitleText": "%home.title%"}},
      // #endif
      {"path": "pages/b/b", "style": {"navigationBarTitleText": "%home.title%"}}
    ]}`
    expect(found(text, files)).toMatchObject([{ code: 'locale-file-missing', severity: 'warning', message }])
  })

  it.each([{ locale: 'zh-CN' }, { locale: 'auto', fallbackLocale: 'zh-hans' }, {}])('%j gives none', (manifest) => {
    const files = filesOf({ ...named, 'manifest.json': JSON.stringify(manifest) })
    expect(found(bar, files)).toEqual([])
  })
})

test.each([
  '{"navigationBarTitleText": "@me"}',
  '{"navigationBarTitleText": "100%"}',
  '{"usingComponents": {"a": "@/a"}}',
])('%s is not a name', (style) => expect(found(page(style), filesOf(named))).toEqual([]))

test.each([
  ['zh-CN', 'zh-Hans'],
  ['zh_TW', 'zh-Hant'],
  ['en-GB', 'en'],
  ['fr-CA', 'fr'],
  ['de', 'en'],
  [undefined, 'en'],
])('the nearest language of %s is %s', (language, nearest) => {
  const none = { values: new Map(), isBroken: false }
  const locales = new Map(['zh-Hant', 'fr', 'en', 'zh-Hans'].map((name) => [name, none]))
  expect(languagesFor(language, { ...readNames(filesOf({}))!, locales })[0]).toBe(nearest)
})
