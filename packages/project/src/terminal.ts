import { stripVTControlCharacters, styleText } from 'node:util'

export type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
export type Style = (format: Format, text: string) => string

/** Returns a function that formats text, or leaves it as it is without colors. */
export function styleFor(colors: boolean): Style {
  return colors ? (format, text) => styleText(format, text, { validateStream: false }) : (_, text) => text
}

/** Makes untrusted text safe for a terminal: a single line without control sequences. */
export function plain(value: unknown): string {
  return stripVTControlCharacters(String(value)).replace(/\p{Cc}+/gu, ' ')
}

/** Returns the width of a text on a terminal, in columns. Emoji and CJK characters take two. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of stripVTControlCharacters(text)) {
    if (/\p{Mn}/u.test(character)) continue
    width += wide.test(character) ? 2 : 1
  }
  return width
}

const wide =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
