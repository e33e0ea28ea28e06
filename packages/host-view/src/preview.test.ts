import { type Os, type Platform, readPages, resolve } from '@souk/pages'
import { describe, expect, test } from 'vitest'
import { placeholder, previewOf } from './preview.ts'

const text = `{
  "globalStyle": { "navigationBarBackgroundColor": "#112233", "backgroundColor": "#EEEEEE" },
  "pages": [
    { "path": "a/a", "style": { "enablePullDownRefresh": true, "app-plus": {
      "titleNView": { "titleText": "A", "titleIcon": "static/a.png", "backgroundImage": "static/b.png",
        "buttons": [{ "text": "1", "fontSrc": "static/f.ttf" }] },
      "pullToRefresh": { "color": "#123456", "contentrefresh": { "caption": "Soon" } }
    } } },
    { "path": "b/b" },
    { "path": "c/c" }
  ],
  "tabBar": { "color": "#000000", "selectedColor": "#0000FF", "backgroundColor": "#FFFFFF", "list": [
    { "pagePath": "a/a", "text": "A", "iconPath": "static/a.png" }, { "pagePath": "b/b", "text": "B" }
  ] }
}`

function look(
  path: string,
  platform: Platform = 'App',
  { os = 'Android' as Os, base = undefined as string | undefined, of = text } = {},
) {
  return previewOf(resolve(readPages(of), { platform, os }), path, os, base)
}

describe('the preview', () => {
  test('has the bars and the back button that a host draws', () => {
    const first = look('a/a')!
    expect(first.bars.navigationBar).toMatchObject({ title: 'A', backgroundColor: '#112233', backButton: null })
    expect(first.bars.tabBar).toMatchObject({ selected: 0, tabs: [{ text: 'A' }, { text: 'B' }] })
    expect(first.background).toBe('#EEEEEE')
    expect(look('b/b')!.bars).toMatchObject({ navigationBar: { backButton: null }, tabBar: { selected: 1 } })
    expect(look('c/c')!.bars).toMatchObject({ navigationBar: { backButton: { title: '' } }, tabBar: null })
    expect(look('d/d')).toBe(undefined)
  })

  test('uses placeholders for missing images and loads no fonts', () => {
    const { navigationBar, tabBar } = look('a/a')!.bars
    expect(navigationBar).toMatchObject({ titleIcon: placeholder, backgroundImage: '', buttons: [{ fontSrc: '' }] })
    expect(tabBar!.tabs[0]!.icon).toBe(placeholder)
    const shown = look('a/a', 'App', { base: 'https://souk.example/mini/x/y/' })!.bars
    expect(shown.tabBar!.tabs[0]!.icon).toBe('https://souk.example/mini/x/y/static/a.png')
    expect(shown.navigationBar.buttons[0]!.fontSrc).toBe('https://souk.example/mini/x/y/static/f.ttf')
  })

  test('shows pull-to-refresh as each platform and system does', () => {
    expect(look('a/a')!.refresh).toEqual({ style: 'circle', color: '#123456', caption: 'Soon' })
    expect(look('a/a', 'Mini App', { os: 'iOS' })!.refresh).toEqual({
      style: 'default',
      color: '#555',
      caption: 'Soon',
    })
    expect(look('a/a', 'H5')!.refresh).toMatchObject({ style: 'circle', caption: '' })
    expect(look('b/b')!.refresh).toBe(undefined)
  })

  test('has the sub-windows that are shown at first', () => {
    const of = `{ "pages": [{ "path": "a/a", "style": { "app-plus": { "subNVues": [
      { "id": "panel", "path": "a/panel", "style": { "position": "dock", "height": "80px", "background": "#DCEFEC" } },
      { "id": "menu", "path": "a/menu", "type": "popup" }
    ] } } }] }`
    expect(look('a/a', 'App', { of })!.subWindows).toMatchObject([
      { bottom: '0px', height: '80px', background: '#DCEFEC', '--dock-bottom': '80px' },
    ])
    expect(look('a/a', 'H5', { of })!.subWindows).toEqual([])
    const resolved = resolve(readPages(of), { platform: 'App', os: 'Android' })
    expect(previewOf(resolved, 'a/a', 'Android', undefined, { showPopups: true })!.subWindows).toMatchObject([
      { bottom: '0px' },
      { inset: '0px', background: 'rgba(0,0,0,0.5)' },
      { background: expect.any(String) },
    ])
  })

  test('tolerates incomplete files', () => {
    expect(look('a', 'H5', { of: '{"pages": [{"path": "a"}], "tabBar": {}}' })!.bars.tabBar).toBe(null)
    expect(
      look('a', 'H5', { of: '{"pages": [{"path": "a"}], "tabBar": {"list": [{}, {"pagePath": "a"}]}}' }),
    ).toBeDefined()
  })
})
