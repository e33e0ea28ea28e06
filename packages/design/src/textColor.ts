/** Returns the more legible text color, black or white, on a color (six hex digits). Contrast: at least 4.5:1. */
export function textColorOn(color: string): '#000000' | '#ffffff' {
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return luminance > 0.179 ? '#000000' : '#ffffff'
}
