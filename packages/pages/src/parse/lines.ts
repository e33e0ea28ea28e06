/** Line and column, both from 1; columns count UTF-16 code units. */
export type Position = { readonly line: number; readonly column: number }

/** Maps offsets to lines and columns. Lines end with LF, CRLF or CR, as in editors. */
export class Lines {
  readonly #starts: number[] = [0]
  readonly #length: number

  constructor(text: string) {
    this.#length = text.length
    if (!text.includes('\r')) {
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
      return
    }
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index)
      if (code === 10 || (code === 13 && text.charCodeAt(index + 1) !== 10)) this.#starts.push(index + 1)
    }
  }

  get count(): number {
    return this.#starts.length
  }

  /** Offsets outside the text are clamped. */
  positionAt(offset: number): Position {
    const inside = Math.max(0, Math.min(offset, this.#length))
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle]! <= inside) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: inside - this.#starts[low]! + 1 }
  }

  /** Positions outside the text are clamped. */
  offsetAt({ line, column }: Position): number {
    const start = this.#starts[line - 1]
    if (start === undefined) return line < 1 ? 0 : this.#length
    const end = this.#starts[line] ?? this.#length + 1
    return Math.max(start, Math.min(start + column - 1, end - 1, this.#length))
  }
}
