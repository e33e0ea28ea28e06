import { afterEach, describe, expect, test, vi } from 'vitest'
import { rpxSettings, rpxStyle, setRpx } from './rpx.ts'
import { rpx2px, rpxToPx } from './rpx2px.ts'
import { rpxProps } from './rpxProps.ts'

const h5 = rpxSettings({ rpxCalcMaxDeviceWidth: 960, rpxCalcBaseDeviceWidth: 375, rpxCalcIncludeWidth: 750 })

describe('rpx in px', () => {
  test.each([
    [375, 100, 50],
    [960, 100, 128],
    [961, 100, 50],
    [1920, 750, 1920],
    [1920, 749, 374.5],
    [1920, -100, -50],
  ])('at a width of %i px, %i rpx are %f px', (width, rpx, px) => expect(rpxToPx(rpx, width, h5)).toBeCloseTo(px, 9))

  test('scale with any width without settings, as on App and Mini App', () =>
    expect(rpxToPx(100, 1500, rpxSettings({}))).toBe(200))
})

test.each([
  [90, 46],
  [-90, -46],
  [1, 1],
  [0, 0],
])('in projects of uni-app on H5, scripts get whole px: %i rpx are %i px', (rpx, px) => {
  vi.stubGlobal('window', { innerWidth: 390 })
  vi.stubGlobal('__SOUK_UNI_APP__', false)
  expect(rpx2px(rpx)).toBeCloseTo(rpx * 0.52, 9)
  vi.stubGlobal('__SOUK_UNI_APP__', true)
  expect(rpx2px(rpx)).toBe(px)
  vi.unstubAllGlobals()
})

describe('style bindings', () => {
  afterEach(() => setRpx({}))

  test.each([
    ['10rpx', 'calc(10 * var(--rpx))'],
    ['-1.5rpx', 'calc(-1.5 * var(--rpx))'],
    ['.5upx', 'calc(0.5 * var(--rpx))'],
    ['width: 750rpx; margin: 0 20rpx', 'width: calc(750 * var(--rpx-included)); margin: 0 calc(20 * var(--rpx))'],
    ['calc(100% - 88rpx)', 'calc(100% - calc(88 * var(--rpx)))'],
    [
      'fontSize: 12px; --someName: 1; borderTopWidth:2rpx',
      'font-size: 12px; --someName: 1; border-top-width:calc(2 * var(--rpx))',
    ],
    ['translate(10rpx,-20rpx)', 'translate(calc(10 * var(--rpx)),calc(-20 * var(--rpx)))'],
  ])('%s is %s', (written, css) => expect(rpxStyle(written)).toBe(css))

  test('make paths of static files relative to the document', () => {
    expect(rpxStyle({ background: 'url("/static/a.png")' })).toEqual({ background: 'url("static/a.png")' })
    expect(rpxStyle('a: url( @/shop/static/b.png ), url(/c.png)')).toBe('a: url( shop/static/b.png ), url(/c.png)')
    expect(rpxStyle('url(https://a.example/static/b.png)')).toBe('url(https://a.example/static/b.png)')
  })

  test.each(['10px', 'url(a10rpx.png)', 'var(--gap-10rpx)', '#10rpx', '10rpxs', '', 12, null, undefined, false])(
    '%s stays as it is',
    (value) => expect(rpxStyle(value)).toBe(value),
  )

  test('make vh relative to the page in a frame', () => {
    vi.stubGlobal('__SOUK_PLATFORM__', 'App')
    expect(rpxStyle('calc(100vh - 10rpx)')).toBe('calc(calc(100 * var(--vh, 1vh)) - calc(10 * var(--rpx)))')
    vi.stubGlobal('__SOUK_PLATFORM__', 'H5')
    expect(rpxStyle({ height: '50vh' })).toEqual({ height: '50vh' })
    vi.unstubAllGlobals()
  })

  test('convert nested objects and arrays without mutating them', () => {
    const style = [{ width: '10rpx', color: 'red', '--gap': '4rpx' }, [{ opacity: 0.5 }, 'height: 2rpx'], null]
    const before = structuredClone(style)
    expect(rpxStyle(style)).toEqual([
      { width: 'calc(10 * var(--rpx))', color: 'red', '--gap': 'calc(4 * var(--rpx))' },
      [{ opacity: 0.5 }, 'height: calc(2 * var(--rpx))'],
      null,
    ])
    expect(style).toEqual(before)
  })

  test('convert style and lengths in attributes bound as one object', () => {
    const all = { style: { width: '10rpx' }, 'next-margin': '4rpx', placeholder: '3rpx', size: 1 }
    expect(rpxProps(all, ['nextMargin'])).toEqual({
      ...all,
      style: { width: 'calc(10 * var(--rpx))' },
      'next-margin': 'calc(4 * var(--rpx))',
    })
    expect(rpxProps(undefined)).toBe(undefined)
  })

  test('scale only the number of rpxCalcIncludeWidth with the real width', () => {
    setRpx({ rpxCalcIncludeWidth: 600 })
    expect(rpxStyle('600rpx')).toBe('calc(600 * var(--rpx-included))')
    expect(rpxStyle('750rpx')).toBe('calc(750 * var(--rpx))')
  })
})
