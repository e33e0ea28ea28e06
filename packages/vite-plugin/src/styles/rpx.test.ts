import { expect, test } from 'vitest'
import { rpxToCss, rpxToPx, rpxVariables } from './rpx.ts'

test.each([
  ['20rpx', 'calc(20 * var(--rpx))'],
  ['0 -10.5rpx .5upx +3RPX', '0 calc(-10.5 * var(--rpx)) calc(0.5 * var(--rpx)) calc(3 * var(--rpx))'],
  ['calc(100% - 30rpx)', 'calc(100% - calc(30 * var(--rpx)))'],
  ['0rpx', '0px'],
  ['750rpx', 'calc(750 * var(--rpx-included))'],
  ['"20rpx" url(a20rpx.png) url( "1rpx" )', '"20rpx" url(a20rpx.png) url( "1rpx" )'],
  ['a20rpx #20rpx 1.20rpxs', 'a20rpx #20rpx 1.20rpxs'],
  [`'\\'2rpx`, `'\\'2rpx`],
])('%s is %s', (value, css) => expect(rpxToCss(value, 750)).toBe(css))

test('the number that follows the real width is configurable', () => {
  expect(rpxToCss('100rpx 750rpx', 100)).toBe('calc(100 * var(--rpx-included)) calc(750 * var(--rpx))')
})

test('converts media conditions for the base width', () => {
  expect(rpxToPx('(min-width: 750rpx) and (max-width: 1000px)')).toBe('(min-width: 375px) and (max-width: 1000px)')
})

test('uses the base width above the maximum width, except for the included number', () => {
  expect(rpxVariables({ max: 960, base: 375 })).toBe(
    ':root{--rpx:calc(100vw / 750);--rpx-included:calc(100vw / 750);font-size:calc(32 * var(--rpx))}@media (width > 960px){:root{--rpx:calc(375px / 750)}}',
  )
  expect(rpxVariables({ max: undefined, base: 375 })).not.toContain('@media')
})
