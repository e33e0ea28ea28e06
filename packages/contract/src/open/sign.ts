import { utf8ToBytes } from '@noble/hashes/utils.js'
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

const MASK = '******'

/** What a canonical string must not show. */
export interface Masking {
  /** Secrets to mask wherever they stand, in every notation that `maskSecrets` knows. */
  readonly secrets?: readonly string[]
  /** Parameters whose values are masked; upper case, `_` and `-` in a name make no difference. */
  readonly names?: readonly string[]
}

/**
 * The canonical string with `secret=******`, to show to the developer who signs. Without `names` it still holds codes and
 * tokens, and without `secrets` a secret that was sent under another name: that is for nobody else, and not for logs.
 */
export function maskedCanonicalString(parameters: ParameterPairs, { secrets = [], names = [] }: Masking = {}): string {
  const masked = new Set(names.map(withoutSpelling))
  const shown: [string, ParameterValue][] = []
  for (const [name, value] of parameters) shown.push([name, masked.has(withoutSpelling(name)) ? MASK : value])
  return maskSecrets(canonicalString(shown, MASK), secrets)
}

function withoutSpelling(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase()
}

/**
 * A text with `******` for each secret in it: as it is, in other letters (upper case), and URL-encoded, once or more often,
 * wholly or in part.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  // The longest first, since one secret may be part of another.
  const known = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length)
  if (known.length === 0) return text
  return text.replace(new RegExp(known.map(anyNotation).join('|'), 'giu'), MASK)
}

/** A pattern for a text of which each character may be percent-encoded. */
function anyNotation(text: string): string {
  return [...text.toWellFormed()]
    .map((character) => {
      const literal = `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
      const forms = new Set([character, character.toLowerCase(), character.toUpperCase()].map(asEscapes))
      return `(?:${[literal, ...forms, ...(character === ' ' ? ['\\+'] : [])].join('|')})`
    })
    .join('')
}

/** Every UTF-8 byte as an escape whose `%` may itself have been escaped. */
function asEscapes(text: string): string {
  return Array.from(utf8ToBytes(text), (byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`).join('')
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
