import { sha256Hex } from './sha256.ts'

/** One value of a parameter before it is written out. */
export type Scalar = string | number | bigint | boolean | null | undefined

/** A parameter's value: null and undefined are the empty string, a list is its items joined with a comma (open-api §4.1). */
export type ParameterValue = Scalar | readonly Scalar[]

/** Parameters in any order, each name once: a `Map`, `Object.entries(…)` or an array of pairs. */
export type ParameterPairs = Iterable<readonly [name: string, value: ParameterValue]>

/** SHA-256 over the UTF-8 bytes of a text, as 64 lowercase hexadecimal characters. */
export type HashText = (text: string) => string

/** A value as it is sent and as it is signed (open-api §4.1). */
export function parameterText(value: ParameterValue): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** Order of UTF-16 code units: the same on every machine, whatever its locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function byName(a: readonly [string, ParameterValue], b: readonly [string, ParameterValue]): number {
  return byCodeUnit(a[0], b[0])
}

/**
 * The text whose SHA-256 is the sign (open-api §4.1, steps 1 to 3): every parameter except `sign`, `fileData` and
 * `secret`, plus the pair `secret`, sorted by name, `name=value` with nothing between the pairs. Empty values take part.
 *
 * A transmitted `secret` has no say: the pair comes from `secret` alone. The values are decoded text; hashing the bytes
 * of the request as they arrived would let a known sign be extended (see `vectors/sign.json`).
 */
export function canonicalString(parameters: ParameterPairs, secret: string): string {
  const pairs: (readonly [string, ParameterValue])[] = [['secret', secret]]
  for (const pair of parameters) {
    const name = pair[0]
    if (name !== 'sign' && name !== 'fileData' && name !== 'secret') pairs.push(pair)
  }
  pairs.sort(byName)
  let text = ''
  for (const pair of pairs) text += `${pair[0]}=${parameterText(pair[1])}`
  return text
}

/** The canonical string with `secret=******`, to show to the developer who signs. It still holds codes and tokens: not for logs. */
export function maskedCanonicalString(parameters: ParameterPairs): string {
  return canonicalString(parameters, '******')
}

/**
 * The `sign` of a request or of a callback (open-api §4.1): 64 lowercase hexadecimal characters.
 *
 * `hash` replaces the portable SHA-256 where the platform has a faster one, such as `hash('sha256', text)` of `node:crypto`.
 */
export function signParameters(parameters: ParameterPairs, secret: string, hash: HashText = sha256Hex): string {
  return hash(canonicalString(parameters, secret))
}

/**
 * The parameters as `application/x-www-form-urlencoded`, for a body and for a query string alike, in the order given.
 * A space is `%20`, which every reader of either understands. Lone surrogates become U+FFFD, as they do in the sign.
 */
export function encodeForm(parameters: ParameterPairs): string {
  let form = ''
  for (const [name, value] of parameters) {
    if (form !== '') form += '&'
    form += `${encodeText(name)}=${encodeText(parameterText(value))}`
  }
  return form
}

function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
