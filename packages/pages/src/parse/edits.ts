import type { Fix, Related } from '../diagnostic.ts'
import type { Node, StringNode } from './nodes.ts'

export const singleEdit = (title: string, offset: number, length: number, text: string): Fix => ({
  title,
  edits: [{ offset, length, text }],
})

/** Replacements in a string that gets double quotes. Invalid escapes stay: their own fixes preserve the backslash. */
const doubleQuoted: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\'": "'",
  '\\“': '“',
  '\\”': '”',
  // At the end of a string that is not closed.
  '\\': '\\\\',
}

export const inDoubleQuotes = (inside: string): string =>
  `"${inside.replace(/\\.?|"/g, (sign) => doubleQuoted[sign] ?? sign)}"`

export const openBracket = ({ offset }: Node): Related => ({
  offset,
  length: 1,
  message: 'This bracket is not closed.',
})

/** Returns whether a key stands for one that the text lacks. */
export const isMissingKey = ({ offset, end }: StringNode): boolean => offset === end

/** Truncates quoted text for messages. */
export function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`
}
