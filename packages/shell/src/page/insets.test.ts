import type { PageStyle } from '@souk/pages'
import { describe, expect, test } from 'vitest'
import type { NavigationBarModel } from '../bars.ts'
import { pageBackgrounds, pageInsets } from './insets.ts'

const bar = { isShown: true, type: 'default', transparentTitle: 'none' } as NavigationBarModel
const tabs = { height: '50px', blurEffect: 'none' } as const
const phone = { statusBarHeight: 20, safeAreaBottom: 34 }
const desk = { statusBarHeight: 0, safeAreaBottom: 0 }

describe('in a frame', () => {
  test('bars, tabs and safe area limit the page, and fixed elements need no offset', () =>
    expect(pageInsets(bar, tabs, phone, true)).toEqual({
      '--page-top': '64px',
      '--page-bottom': 'calc(50px + 34px)',
      '--page-behind': '0px',
      '--status-bar-height': '20px',
      '--window-top': '0px',
      '--window-bottom': '0px',
    }))

  test('the page continues behind a blurred tab bar, and fixed elements get an offset', () =>
    expect(pageInsets(bar, { ...tabs, blurEffect: 'light' }, phone, true)).toMatchObject({
      '--page-bottom': '0px',
      '--page-behind': 'calc(50px + 34px)',
      '--window-bottom': 'calc(50px + 34px)',
    }))

  test('the soft keyboard covers the tab bar', () =>
    expect(pageInsets(bar, tabs, phone, true, 300)['--page-bottom']).toBe('max(calc(50px + 34px), 300px)'))
})

describe('the page starts at the top', () => {
  test.each([
    ['without a bar', { ...bar, isShown: false }],
    ['below a transparent bar', { ...bar, type: 'transparent' }],
    ['below a floating bar', { ...bar, type: 'float' }],
    ['with transparentTitle always', { ...bar, transparentTitle: 'always' }],
    ['with transparentTitle auto', { ...bar, transparentTitle: 'auto' }],
  ] as const)('%s', (_, model) => {
    expect(pageInsets(model as NavigationBarModel, null, phone, true)['--page-top']).toBe('0px')
    expect(pageInsets(model as NavigationBarModel, null, phone, true)['--status-bar-height']).toBe('20px')
  })
})

test('on H5, variables give fixed elements the offsets of bars, tabs and top window', () =>
  expect(pageInsets(bar, tabs, desk, false)).toEqual({
    '--page-top': '44px',
    '--page-bottom': 'calc((50px + env(safe-area-inset-bottom, 0px)) * var(--tab-bar-shown, 1))',
    '--page-behind': '0px',
    '--status-bar-height': '0px',
    '--window-top': 'calc(44px + var(--top-window-height, 0px))',
    '--window-bottom': 'calc((50px + env(safe-area-inset-bottom, 0px)) * var(--tab-bar-shown, 1))',
  }))

describe('backgrounds', () => {
  test.each([
    ['nothing is set', {}, '#FFFFFF', '#FFFFFF'],
    ['backgroundColor alone', { backgroundColor: '#eee' }, '#eee', '#eee'],
    [
      'a white background is as good as any other',
      { backgroundColor: '#eee', 'app-plus': { background: '#FFFFFF' } },
      '#FFFFFF',
      '#eee',
    ],
    ['background alone', { 'app-plus': { background: '#123456' } }, '#123456', '#123456'],
    [
      'both: background is the page, backgroundColor what is behind it',
      { backgroundColor: '#eee', 'app-plus': { background: '#123456' } },
      '#123456',
      '#eee',
    ],
  ])('%s', (_, style, page, behind) => expect(pageBackgrounds(style)).toEqual({ page, behind }))

  const transparent = { 'app-plus': { background: 'transparent' } }
  test.each([
    ['the page below', { ...transparent, backgroundColor: '#eee' }, false, 'transparent'],
    ['backgroundColor, as the lowest page', { ...transparent, backgroundColor: '#eee' }, true, '#eee'],
    ['white, as the lowest page without one', transparent, true, '#FFFFFF'],
    ['white, if that is transparent too', { ...transparent, backgroundColor: 'transparent' }, true, '#FFFFFF'],
  ])('a transparent page shows %s', (_, style, isLowest, page) =>
    expect(pageBackgrounds(style as PageStyle, isLowest).page).toBe(page),
  )
})
