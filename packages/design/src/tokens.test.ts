import { expect, test } from 'vitest'
import { dark, light, type Palette } from './tokens.ts'

/** Relative luminance and contrast as WCAG 2 defines them. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high! + 0.05) / (low! + 0.05)
}

const grounds = ['background', 'surface', 'surfaceMuted'] as const

test.each([
  ['light', light],
  ['dark', dark],
])('every text of the %s scheme is legible: at least 4.5 to 1', (_, palette: Palette) => {
  const pairs = [
    ...grounds.flatMap((ground) =>
      (['text', 'textMuted', 'primary', 'success', 'warning', 'error', 'info'] as const).map(
        (ink) => [ink, ground] as const,
      ),
    ),
    ...(['Primary', 'PrimaryContainer', 'Accent', 'Success', 'Warning', 'Error', 'Info'] as const).map(
      (name) => [`on${name}`, `${name[0]!.toLowerCase()}${name.slice(1)}` as keyof Palette] as const,
    ),
  ]
  const illegible = pairs
    .map(([ink, ground]) => ({ ink, ground, ratio: contrast(palette[ink], palette[ground]) }))
    .filter(({ ratio }) => ratio < 4.5)
  expect(illegible).toEqual([])
})

test.each([
  ['light', light],
  ['dark', dark],
])('borders of controls of the %s scheme are visible: at least 3 to 1', (_, palette: Palette) => {
  const faint = grounds
    .map((ground) => ({ ground, ratio: contrast(palette.outlineStrong, palette[ground]) }))
    .filter(({ ratio }) => ratio < 3)
  expect(faint).toEqual([])
})
