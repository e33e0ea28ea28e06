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

/**
 * Removes everything but an integer (`number`) or a decimal number (`digit`) and converts other digits, such as ٣, to
 * ASCII. Native number fields are not used because they hide invalid input and the cursor position.
 */
export function keepNumber(text: string, type: 'number' | 'digit'): string {
  const ascii = text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[٫。]/gu, '.')
  // Commas group digits if there are several, or beside a point.
  const pointed = /[,.].*[,.]/s.test(ascii) ? ascii : ascii.replace(',', '.')
  const digits = pointed.replace(type === 'digit' ? /[^\d.]/g : /\D/g, '')
  const [whole, ...parts] = digits.split('.')
  return (/^\s*[-−]/u.test(ascii) ? '-' : '') + whole + (parts.length > 0 ? `.${parts.join('')}` : '')
}

/** Returns the value of a digit: the digits of a script are ten consecutive code points, starting with zero. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0)!
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}
