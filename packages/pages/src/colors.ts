/** Channels 0 to 255, alpha 0 to 1. */
export type Rgba = { readonly red: number; readonly green: number; readonly blue: number; readonly alpha: number }

/** Reads `#RRGGBB`, `#RGB`, `rgba(…)`, `black` and `white`; undefined for anything else. */
export function readColor(value: string): Rgba | undefined {
  const name = value.toLowerCase()
  if (name === 'black') return readHex('000000')
  if (name === 'white') return readHex('ffffff')
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(value)?.[1]
  if (hex) return readHex(hex.length === 6 ? hex : [...hex].map((digit) => digit + digit).join(''))
  return readRgba(value)
}

/** Reads six hexadecimal digits. */
export function readHex(digits: string): Rgba {
  const value = Number.parseInt(digits, 16)
  return { red: value >> 16, green: (value >> 8) & 255, blue: value & 255, alpha: 1 }
}

/** Reads `rgba(R,G,B,A)`: channels from 0 to 255, alpha from 0 to 1 (pages-json §2.6.2). */
export function readRgba(value: string): Rgba | undefined {
  const match = /^rgba\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d+|\d*\.\d+)\s*\)$/i.exec(value)
  if (!match) return undefined
  const [red, green, blue, alpha] = match.slice(1).map(Number) as [number, number, number, number]
  return red <= 255 && green <= 255 && blue <= 255 && alpha <= 1 ? { red, green, blue, alpha } : undefined
}

/** Computes the WCAG 2 contrast ratio of two opaque colors: 1 (equal) to 21. */
export function contrast(one: Rgba, other: Rgba): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Returns whether black is easier to read on a color than white. */
export const isLight = (color: Rgba): boolean => luminance(color) > 0.179

function luminance({ red, green, blue }: Rgba): number {
  const [r, g, b] = [red, green, blue].map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
