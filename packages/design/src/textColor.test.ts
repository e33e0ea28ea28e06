import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textColorOn } from './textColor.ts'

function luminance(color: string): number {
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test('text on any color has a contrast of at least 4.5:1', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
      const color = number.toString(16).padStart(6, '0')
      const [dark, light] = [luminance(color), luminance(textColorOn(color).slice(1))].sort((a, b) => a - b) as [
        number,
        number,
      ]
      expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})
