import { stripVTControlCharacters, styleText } from 'node:util'

type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
export type Style = (format: Format, text: string) => string

/** Colours, or none. */
export function styleFor(colors: boolean): Style {
  return colors ? (format, text) => styleText(format, text, { validateStream: false }) : (_, text) => text
}

/** Text of others on a terminal: on one line, and without the power to move its cursor or colour it. */
export function plain(value: unknown): string {
  return stripVTControlCharacters(String(value)).replace(/\p{Cc}+/gu, ' ')
}

/** Rows in aligned columns under their headings. Cells may carry colours. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], style: Style): string {
  const lines = [headings.map((heading) => style('bold', heading)), ...rows]
  return aligned(lines, '  ')
}

/** Names and values, one pair on a line, the values aligned. */
export function fields(pairs: readonly (readonly [name: string, value: string])[], style: Style): string {
  return aligned(
    pairs.map(([name, value]) => [style('dim', name), value]),
    '  ',
  )
}

function aligned(lines: readonly (readonly string[])[], gap: string): string {
  const widths: number[] = []
  for (const cells of lines) {
    for (const [i, cell] of cells.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(cell))
  }
  return lines
    .map((cells) =>
      cells
        .map((cell, i) => (i === cells.length - 1 ? cell : cell + ' '.repeat(widths[i]! - widthOf(cell))))
        .join(gap)
        .trimEnd(),
    )
    .join('\n')
}

/** Columns that a text takes on a terminal, where Chinese, Japanese and Korean characters take two. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of stripVTControlCharacters(text)) {
    if (/\p{Mn}/u.test(character)) continue
    width += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/.test(
      character,
    )
      ? 2
      : 1
  }
  return width
}
