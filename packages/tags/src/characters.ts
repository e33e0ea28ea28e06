const spaces = new Map([
  ['ensp', '\u2002'],
  ['emsp', '\u2003'],
  ['nbsp', '\u00a0'],
])
const entities = new Map([...spaces, ['lt', '<'], ['gt', '>'], ['amp', '&'], ['apos', "'"], ['quot', '"']])

/** With `space`, every blank takes the width that it names; line breaks stay. */
export function replaceSpaces(text: string, space: string | undefined): string {
  const wide = spaces.get(space ?? '')
  return wide ? text.replaceAll(' ', wide) : text
}

/** With `decode`, the entities that the tags text and rich-text know become what they stand for, each once. */
export function decodeEntities(text: string): string {
  return text.replace(/&(\w+);/g, (whole, name: string) => entities.get(name) ?? whole)
}

/**
 * What a field of type `number` (whole) or `digit` (with a decimal point) keeps of a text. Fields are text fields with the right keyboard: a
 * native number field hides what it does not like and knows no cursor. Digits of other scripts, such as ٣, become ASCII digits.
 */
export function keepNumber(text: string, type: 'number' | 'digit'): string {
  const ascii = text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[٫,。]/gu, '.')
  const kept = ascii.replace(type === 'digit' ? /[^\d.]/g : /\D/g, '')
  const [whole, ...parts] = kept.split('.')
  return (/^\s*[-−]/u.test(ascii) ? '-' : '') + whole + (parts.length > 0 ? `.${parts.join('')}` : '')
}

/** The digits of a script are ten code points in a row that begin with its zero. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0)!
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return String(value)
}
