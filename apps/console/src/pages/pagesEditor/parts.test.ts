import { previewOf } from '@souk/host-view/preview'
import { readPages, resolve } from '@souk/pages'
import { describe, expect, test } from 'vitest'
import { deciding, explainPart, type Part, partsOf } from './parts.ts'

const config = readPages(`{
  "globalStyle": { "navigationBarTitleText": "All", "navigationBarBackgroundColor": "#112233" },
  "pages": [
    { "path": "a/a", "style": { "app-plus": { "titleNView": { "titleText": "A", "buttons": [{ "text": "Go" }] } } } },
    { "path": "b/b", "style": { "navigationStyle": "custom", "enablePullDownRefresh": true } },
    { "path": "c/c", "style": { "app-plus": { "titleNView": { "searchInput": { "placeholder": "Tea" }, "homeButton": true } } } }
  ],
  "tabBar": { "color": "#000000", "selectedColor": "#0000FF", "backgroundColor": "#FFFFFF", "list": [
    { "pagePath": "a/a", "text": "A" }, { "pagePath": "b/b", "text": "B", "visible": false }
  ], "midButton": { "text": "+" } }
}`)

const parts = (path: string) =>
  partsOf(previewOf(resolve(config, { platform: 'App' }), path, 'Android', undefined)!).map(
    ({ kind, index = '' }) => kind + index,
  )
const explained = (path: string, part: Part, platform: 'App' | 'H5' = 'App') =>
  explainPart(config, path, part, { platform })

describe('the parts of a page', () => {
  test('include only those that the page has', () => {
    expect(parts('a/a')).toEqual(['statusBar', 'bar', 'title', 'button0', 'page', 'tabBar', 'tab0', 'midButton'])
    expect(parts('b/b')).toEqual(['statusBar', 'bar', 'page', 'refresh', 'tabBar', 'tab0', 'midButton'])
    expect(parts('c/c')).toEqual(['statusBar', 'bar', 'back', 'home', 'search', 'page'])
  })

  test('are explained by the attributes that apply', () => {
    expect(explained('a/a', { kind: 'button', index: 0 })[0]).toMatchObject({
      attribute: 'app-plus.titleNView.buttons[0].type',
    })
    expect(explained('a/a', { kind: 'tab', index: 1 }).map(({ attribute, value }) => [attribute, value])).toEqual([
      ['tabBar.list[1].pagePath', 'b/b'],
      ['tabBar.list[1].text', 'B'],
      ['tabBar.list[1].visible', false],
    ])
    const kinds = [
      'statusBar',
      'bar',
      'title',
      'back',
      'home',
      'search',
      'page',
      'refresh',
      'tabBar',
      'midButton',
    ] as const
    for (const kind of kinds) expect(explained('c/c', { kind }), kind).not.toEqual([])
  })

  test('are determined by the first attribute that is set, else by a default', () => {
    const decides = (...given: Parameters<typeof explained>) => deciding(explained(...given))?.attribute
    expect(decides('a/a', { kind: 'title' })).toBe('app-plus.titleNView.titleText')
    expect(decides('b/b', { kind: 'title' })).toBe('navigationBarTitleText')
    expect(decides('a/a', { kind: 'bar' })).toBe('app-plus.titleNView.backgroundColor')
    expect(decides('b/b', { kind: 'bar' })).toBe('navigationBarBackgroundColor')
    expect(decides('a/a', { kind: 'statusBar' })).toBe('navigationBarTextStyle')
    expect(decides('a/a', { kind: 'tabBar' })).toBe('tabBar.color')
    expect(deciding([])).toBe(undefined)
  })
})
