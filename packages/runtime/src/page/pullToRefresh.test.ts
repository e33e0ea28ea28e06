import { describe, expect, test } from 'vitest'
import { isPull, lengthToPx, pullOffset, pullPhase, refreshLengths, refreshSettings } from './pullToRefresh.ts'

describe('settings', () => {
  const plus = {
    style: 'default',
    color: '#112233',
    height: '20%',
    range: '200px',
    offset: '10px',
    contentdown: { caption: 'down' },
    contentover: { caption: 'over' },
    contentrefresh: { caption: 'refresh' },
  } as const

  test('are all available on App', () =>
    expect(refreshSettings({ 'app-plus': { pullToRefresh: plus } }, false, 'Android')).toEqual({
      style: 'default',
      color: '#112233',
      height: '20%',
      range: '200px',
      offset: '10px',
      captions: { down: 'down', over: 'over', refresh: 'refresh' },
    }))

  test('on H5 are limited to color and offset of the circle', () => {
    const style = { h5: { pullToRefresh: { ...plus, style: 'circle', offset: '5%' } } } as const
    const settings = refreshSettings(style, true, 'iOS')
    expect(settings).toMatchObject({ style: 'circle', color: '#112233', offset: '5%', height: '64px', range: '' })
    expect(settings.captions).toEqual({})
  })

  test('default to the style of the system', () => {
    expect(refreshSettings({}, false, 'Android').style).toBe('circle')
    expect(refreshSettings({}, false, 'iOS').style).toBe('default')
  })
})

test.each([
  ['10px', 10],
  ['12.5%', 100],
  ['-4px', -4],
  [' 7 ', 7],
  [9, 9],
  ['10rpx', undefined],
  ['', undefined],
  ['auto', undefined],
])('%s of 800 px is %s', (length, px) => expect(lengthToPx(length, 800)).toBe(px))

describe('lengths', () => {
  const none = refreshSettings({}, false, 'Android')

  test('resolve percent against the page', () =>
    expect(refreshLengths({ ...none, height: '10%', range: '25%', offset: '5%' }, 800)).toEqual({
      height: 80,
      range: 200,
      offset: 40,
    }))

  test('extend a range smaller than the height', () =>
    expect(refreshLengths({ ...none, height: '100px', range: '40px' }, 800)).toMatchObject({ height: 100, range: 100 }))

  test('default the range to twice the height', () =>
    expect(refreshLengths(none, 800)).toEqual({ height: 64, range: 128, offset: 0 }))
})

describe('pulling', () => {
  test('moves the page with the finger, at most by the range, and never back', () => {
    let last = 0
    for (let finger = 1; finger < 1000; finger += 1) {
      const pulled = pullOffset(finger, 120)
      expect(pulled).toBeLessThanOrEqual(Math.min(finger, 120))
      expect(pulled).toBeGreaterThanOrEqual(last)
      last = pulled
    }
    expect(last).toBe(120)
  })

  test('follows the finger closely at first', () => expect(pullOffset(5, 120)).toBeCloseTo(5, 1))

  test('ignores upward movement', () => expect(pullOffset(-5, 120)).toBe(0))

  test('reaches a height equal to the range', () => expect(pullPhase(pullOffset(1000, 80), 80)).toBe('over'))

  test('refreshes on release from the height on', () => {
    expect([0, 1, 63.4, 63.6, 64, 100].map((pulled) => pullPhase(pulled, 64))).toEqual([
      ...['idle', 'down', 'down'],
      ...['over', 'over', 'over'],
    ])
  })
})

test.each([
  [0, 3, undefined],
  [0, 7, true],
  [0, -7, false],
  [10, 8, false],
  [-8, 10, true],
])('a movement of %i, %i', (x, y, is) => expect(isPull(x, y)).toBe(is))
