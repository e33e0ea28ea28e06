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

/** Columns that a text takes on a terminal, where emoji and Chinese, Japanese and Korean characters take two. */
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
