import { type Style, widthOf } from '@souk/project/terminal'

export { plain, type Style, styleFor } from '@souk/project/terminal'

/** Formats rows in aligned columns with headings. Cells may contain colors. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], style: Style): string {
  const lines = [headings.map((heading) => style('bold', heading)), ...rows]
  return aligned(lines)
}

/** Formats name-value pairs, one per line, with aligned values. */
export function fields(pairs: readonly (readonly [name: string, value: string])[], style: Style): string {
  return aligned(pairs.map(([name, value]) => [style('dim', name), value]))
}

function aligned(lines: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const cells of lines) {
    for (const [i, cell] of cells.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(cell))
  }
  return lines
    .map((cells) =>
      cells
        .map((cell, i) => (i === cells.length - 1 ? cell : cell + ' '.repeat(widths[i]! - widthOf(cell))))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Formats a number of things: `1 file`, `2 files`. */
export const counted = (count: number, noun: string, plural = `${noun}s`) => `${count} ${count === 1 ? noun : plural}`

/** Formats a number of bytes. */
export const size = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`
