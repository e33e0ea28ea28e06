const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const leftToRight = /(?![\p{Script=Arabic}\p{Script=Hebrew}])\p{L}/u

/** Change the direction of all text after them. */
const overrides = /[\u202a-\u202e]/g
const isolates = /[\u2066-\u2069]/g
const endOfIsolate = '\u2069'

/**
 * Removes directional overrides from a value, with which the name of a mini app could turn the sentence around it.
 * Wraps a value of the opposite direction in Unicode isolates (FSI, PDI) before it is inserted into a text of direction
 * `dir`. Without them, `1.0.0+c5ec` within Arabic text is displayed as `c5ec+1.0.0`.
 */
export function isolateBidi(value: unknown, dir: 'ltr' | 'rtl'): unknown {
  const opposite = dir === 'ltr' ? rightToLeft : leftToRight
  if (typeof value !== 'string') return value
  const plain = value.replace(overrides, '')
  // Those of a text that is a value of another one are balanced.
  const text = isBalanced(plain) ? plain : plain.replace(isolates, '')
  return opposite.test(text) ? `\u2068${text}\u2069` : text
}

function isBalanced(text: string): boolean {
  let depth = 0
  for (const [character] of text.matchAll(isolates)) {
    depth += character === endOfIsolate ? -1 : 1
    if (depth < 0) return false
  }
  return depth === 0
}
