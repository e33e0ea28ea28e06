import { expect, test } from 'vitest'
import { dropBarInsets, vhToPageHeight } from './heights.ts'

test.each([
  ['100vh', 'calc(100 * var(--vh, 1vh))'],
  ['calc(50.5vh - 10px) -2VH', 'calc(calc(50.5 * var(--vh, 1vh)) - 10px) calc(-2 * var(--vh, 1vh))'],
  ['url(a/10vh.png) "10vh" 10dvh #10vh var(--a-10vh)', 'url(a/10vh.png) "10vh" 10dvh #10vh var(--a-10vh)'],
])('converts vh in %s', (value, css) => expect(vhToPageHeight(value)).toBe(css))

test('removes bar insets at the top and bottom only', () => {
  expect(dropBarInsets('calc(var(--window-top) + 10px)')).toBe('calc(0px + 10px)')
  expect(dropBarInsets('var( --window-bottom, 50px )')).toBe('0px')
  expect(dropBarInsets('var(--window-left)')).toBe('var(--window-left)')
})
