const spaces = new Map([
  ['ensp', '\u2002'],
  ['emsp', '\u2003'],
  ['nbsp', '\u00a0'],
])
const entities = new Map([...spaces, ['lt', '<'], ['gt', '>'], ['amp', '&'], ['apos', "'"], ['quot', '"']])

/** Replaces blanks by the kind of space that `space` names; line breaks stay. */
export function replaceSpaces(text: string, space: string | undefined): string {
  const wide = spaces.get(space ?? '')
  return wide ? text.replaceAll(' ', wide) : text
}

/** Decodes the entities that texts support, each once. */
export function decodeEntities(text: string): string {
  return text.replace(/&(\w+);/g, (whole, name: string) => entities.get(name) ?? whole)
}

/** A number, or the beginning of one. */
const partial = /^-?(?:\d+(?:\.\d*)?|\.\d*)?$/
const exponential = /^-?(?:\d+(?:\.\d*)?|\.\d+)e[+-]?\d+$/i
const partlyExponential = /^-?(?:\d+(?:\.\d*)?|\.\d+)e[+-]?\d*$/i
/** Numbers whose digits are in groups, with the sign that groups them and that of decimals. */
const grouped = [
  { pattern: /^-?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/, group: ',', point: '.' },
  { pattern: /^-?\d{1,3}(?:\.\d{3})+(?:,\d*)?$/, group: '.', point: ',' },
  { pattern: /^-?\d{1,3}(?: \d{3})+(?:[.,]\d*)?$/, group: ' ', point: ',' },
  { pattern: /^-?\d{1,3}(?:'\d{3})+(?:\.\d*)?$/, group: "'", point: '.' },
]

/**
 * Returns the number that a field for numbers shows for this text, in ASCII. What stands around a number is left out,
 * such as a unit, and so are signs that group digits. A text that is not one number leaves the field at `previous`:
 * without the characters that are not allowed it would be another number. Native number fields are not used because
 * they hide invalid input and the cursor position.
 */
export function keepNumber(text: string, previous: string): string {
  const ascii = text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[٫。]/gu, '.')
    .replaceAll('٬', ',')
    .replaceAll('−', '-')
  const number = ascii
    .slice(Math.max(0, ascii.search(/[\d.,+-]/)))
    .replace(/^\+/, '')
    .trimEnd()
  if (partial.test(number)) return number
  // An exponent can be pasted, and then be edited.
  if (exponential.test(number) || (/e/i.test(previous) && partlyExponential.test(number))) return number
  let end = number.length
  while (end > 0 && !/[\d.,]/.test(number[end - 1]!)) end--
  if (end === 0) return previous
  const bare = number.slice(0, end)
  return partial.test(bare) ? bare : (withoutGroups(bare) ?? previous)
}

/** Returns a number without the signs that group its digits; undefined if the text is not one number. */
function withoutGroups(text: string): string | undefined {
  const found = grouped.find(({ pattern }) => pattern.test(text))
  if (found) return text.replaceAll(found.group, '').replace(found.point, '.')
  return /^-?\d*,\d*$/.test(text) ? text.replace(',', '.') : undefined
}

/** Returns the value of a digit: the digits of a script are ten consecutive code points, starting with zero. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0)!
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}
