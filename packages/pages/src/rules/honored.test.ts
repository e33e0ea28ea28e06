import { describe, expect, it, test } from 'vitest'
import { check } from '../check/check.ts'
import { readPages } from '../config.ts'
import { platforms } from '../diagnostic.ts'
import { explain } from '../explain.ts'
import { resolve } from '../resolve/resolve.ts'

const file = (style: string, globalStyle = '{}') =>
  readPages(`{"pages": [{"path": "pages/a/a", "style": ${style}}], "globalStyle": ${globalStyle}}`)
const styles = (style: string, globalStyle?: string) =>
  platforms.map((platform) => resolve(file(style, globalStyle), { platform }).pages[0]!.style)
const problems = (text: string) =>
  check(readPages(text))
    .filter(({ severity }) => severity === 'error' || severity === 'warning')
    .map(({ message }) => message)

describe('keys that uni-app honors', () => {
  test.each([
    [
      'titleNView in the style',
      '{"titleNView": {"type": "transparent"}}',
      '{"app-plus": {"titleNView": {"type": "transparent"}}}',
    ],
    ['scrollIndicator in the style', '{"scrollIndicator": "none"}', '{"app-plus": {"scrollIndicator": "none"}}'],
    ['background in the style', '{"background": "#123456"}', '{"app-plus": {"background": "#123456"}}'],
    ['bounce in the style', '{"bounce": "none"}', '{"app-plus": {"bounce": "none"}}'],
    ['app', '{"app": {"titleNView": false}}', '{"app-plus": {"titleNView": false}}'],
    ['web', '{"web": {"titleNView": {"type": "transparent"}}}', '{"h5": {"titleNView": {"type": "transparent"}}}'],
    [
      'a page-style key in app-plus',
      '{"app-plus": {"enablePullDownRefresh": true}}',
      '{"enablePullDownRefresh": true, "app-plus": {}}',
    ],
    ['a size without a unit', '{"titleNView": {"titleSize": "14"}}', '{"titleNView": {"titleSize": "14px"}}'],
    [
      'support of a direct pullToRefresh',
      '{"pullToRefresh": {"support": true}}',
      '{"app-plus": {"pullToRefresh": {"support": true}}}',
    ],
  ])('%s counts like what it stands for', (_, written, meant) => {
    expect(styles(written)).toEqual(styles(meant))
    expect(styles('{}', written)).toEqual(styles('{}', meant))
    expect(problems(`{"pages": [{"path": "pages/a/a", "style": ${written}}]}`)).toEqual([])
  })

  it('a page-style key counts on the platforms of its object only, before that of the style', () => {
    const found = styles('{"navigationBarTitleText": "all", "h5": {"navigationBarTitleText": "web"}}')
    expect(found.map(({ navigationBarTitleText }) => navigationBarTitleText)).toEqual(['web', 'all', 'all'])
    const app = styles('{"navigationBarTitleText": "all", "app-plus": {"navigationBarTitleText": "app"}}')
    expect(app.map(({ navigationBarTitleText }) => navigationBarTitleText)).toEqual(['app', 'app', 'app'])
  })

  it('a page overrides globalStyle, wherever each of them writes the key', () => {
    const [h5] = styles('{"navigationBarTextStyle": "black"}', '{"h5": {"navigationBarTextStyle": "white"}}')
    expect(h5).toMatchObject({ navigationBarTextStyle: 'black' })
  })

  it('the object for the platform overrides a direct titleNView key by key', () => {
    const page = resolve(
      file('{"titleNView": {"titleText": "a", "titleColor": "#111111"}, "h5": {"titleNView": {"titleText": "b"}}}'),
      { platform: 'H5' },
    ).pages[0]!
    expect(page.style.h5).toMatchObject({ titleNView: { titleText: 'b', titleColor: '#111111' } })
  })

  it('the same values come with and without provenance', () => {
    const config = file(
      '{"web": {"enablePullDownRefresh": true, "titleNView": {"titleText": "b"}}, "background": "#111111"}',
      '{"app": {"onReachBottomDistance": 9, "bounce": "none"}}',
    )
    for (const platform of platforms) {
      const { style, provenance } = resolve(config, { platform }).pages[0]!
      for (const key of ['enablePullDownRefresh', 'onReachBottomDistance']) {
        const explained = explain(config, 'pages/a/a', key, { platform })
        expect(explained).toMatchObject({ value: style[key], provenance: provenance[key] })
      }
    }
  })

  it('explain accepts the key as it is written', () => {
    const config = file('{"web": {"navigationBarTitleText": "web", "titleNView": {"type": "transparent"}}}')
    expect(explain(config, 'pages/a/a', 'web.navigationBarTitleText', { platform: 'H5' })).toMatchObject({
      attribute: 'navigationBarTitleText',
      value: 'web',
      provenance: { key: 'web.navigationBarTitleText' },
    })
    expect(explain(config, 'pages/a/a', 'web.titleNView.type', { platform: 'H5' })).toMatchObject({
      attribute: 'h5.titleNView.type',
      value: 'transparent',
    })
  })
})

test.each([
  [
    'a transparent background of an App page',
    '{"backgroundColor": "transparent", "app-plus": {"background": "transparent"}}',
  ],
  [
    'keys of uni-app',
    '{"componentPlaceholder": {}, "hideStatusBar": true, "popGesture": "none", "app-plus": {"hideStatusBar": true}}',
  ],
  ['a size without a unit', '{"app-plus": {"titleNView": {"buttons": [{"fontSize": "14"}]}}}'],
])('%s has no errors or warnings', (_, style) => {
  expect(problems(`{"pages": [{"path": "pages/a/a", "style": ${style}}]}`)).toEqual([])
})

it('a page path may contain spaces inside names', () => {
  expect(problems('{"pages": [{"path": "pages/my page/my index"}]}')).toEqual([])
  for (const path of [' pages/a/a', 'pages/a /a', 'pages/a/a ', 'pages/a\\tb/a']) {
    expect(problems(`{"pages": [{"path": "${path}"}]}`)).toMatchObject([/not a valid page path/])
  }
})

it('App builds include #ifdef APP-VUE, as pages.json of uni-app does, and not APP-NVUE', () => {
  const config = readPages(`{"pages": [{"path": "pages/a/a", "style": {
    // #ifdef APP-VUE || APP-NVUE
    "navigationBarTitleText": "app",
    // #endif
    // #ifdef APP-NVUE
    "backgroundTextStyle": "light",
    // #endif
    }}]}`)
  const [h5, app] = platforms.map((platform) => resolve(config, { platform }).pages[0]!.style)
  expect(h5!.navigationBarTitleText).toBeUndefined()
  expect(app).toMatchObject({ navigationBarTitleText: 'app', backgroundTextStyle: 'dark' })
})
