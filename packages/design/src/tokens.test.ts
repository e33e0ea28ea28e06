import { expect, test } from 'vitest'
import { dark, light, type Palette } from './tokens.ts'

/** Computes the relative luminance as defined by WCAG 2. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high! + 0.05) / (low! + 0.05)
}

const backgrounds = ['background', 'surface', 'surfaceMuted'] as const

test.each([
  ['light', light],
  ['dark', dark],
])('all texts of the %s scheme have a contrast of at least 4.5:1', (_, palette: Palette) => {
  const pairs = [
    ...backgrounds.flatMap((background) =>
      (['text', 'textMuted', 'primary', 'success', 'warning', 'error', 'info'] as const).map(
        (text) => [text, background] as const,
      ),
    ),
    ...(['Primary', 'PrimaryContainer', 'Accent', 'Success', 'Warning', 'Error', 'Info'] as const).map(
      (name) => [`on${name}`, `${name[0]!.toLowerCase()}${name.slice(1)}` as keyof Palette] as const,
    ),
  ]
  const illegible = pairs
    .map(([text, background]) => ({ text, background, ratio: contrast(palette[text], palette[background]) }))
    .filter(({ ratio }) => ratio < 4.5)
  expect(illegible).toEqual([])
})

test.each([
  ['light', light],
  ['dark', dark],
])('borders of controls of the %s scheme have a contrast of at least 3:1', (_, palette: Palette) => {
  const faint = backgrounds
    .map((background) => ({ background, ratio: contrast(palette.outlineStrong, palette[background]) }))
    .filter(({ ratio }) => ratio < 3)
  expect(faint).toEqual([])
})
