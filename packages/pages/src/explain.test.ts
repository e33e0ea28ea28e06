import { describe, expect, it } from 'vitest'
import { readPages } from './config.ts'
import { explain } from './explain.ts'

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
  it('names the value, its line, and every place that could have set it', () => {
    expect(why('navigationBarTitleText')).toMatchObject({
      value: 'Souk',
      provenance: { from: 'globalStyle', line: 2 },
      candidates: [{ from: 'globalStyle', wins: true }],
      reason: 'Not set on the page; inherited from globalStyle, line 2.',
    })
    expect(why('titleNView.titleText', 'H5')).toMatchObject({
      attribute: 'h5.titleNView.titleText',
      value: 'Web',
      candidates: [
        { key: 'h5.titleNView.titleText', line: 9, wins: true },
        { key: 'app-plus.titleNView.titleText', wins: false, why: 'h5 comes before app-plus (§2.10)' },
      ],
    })
  })

  it('says that app-plus counts where h5 is silent', () => {
    expect(why('titleNView.type', 'H5')).toMatchObject({
      value: 'float',
      reason: expect.stringContaining('then app-plus counts (§2.10)'),
    })
  })

  it('gives the precedence of pullToRefresh.support', () => {
    expect(why('enablePullDownRefresh')).toMatchObject({
      value: true,
      reason: expect.stringContaining('comes before "enablePullDownRefresh" (§2.9)'),
      candidates: [
        { key: 'app-plus.pullToRefresh.support', wins: true },
        { value: false, wins: false },
        { from: 'default', wins: false },
      ],
    })
  })

  it('says why a written value does not count', () => {
    expect(why('onReachBottomDistance')).toMatchObject({
      value: 50,
      provenance: { from: 'default' },
      candidates: [
        { value: '9', wins: false, why: expect.stringContaining('wrong type') },
        { from: 'default', wins: true },
      ],
    })
  })

  it('says where an attribute works that does not work here, and that nothing sets one', () => {
    expect(why('pageOrientation')).toMatchObject({
      value: undefined,
      reason: '"pageOrientation" does not work on App, only on Mini App (§2.3).',
    })
    expect(why('backgroundColor')).toMatchObject({
      value: undefined,
      reason: expect.stringContaining('gives no default'),
    })
  })

  it('helps with pages and attributes that do not exist', () => {
    expect(explain(config, 'pages/a/b', 'backgroundColor', { platform: 'H5' })).toEqual({
      error: expect.stringContaining('did you mean "pages/a/a"?'),
    })
    expect(why('backgroundColr')).toEqual({ error: expect.stringContaining('did you mean "backgroundColor"?') })
    expect(why('backgroundColor.x')).toEqual({ error: expect.stringContaining('holds no attributes') })
  })
})
