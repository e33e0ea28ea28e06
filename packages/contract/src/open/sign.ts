import { utf8ToBytes } from '@noble/hashes/utils.js'
import { wellFormed } from '../wellFormed.ts'
import { sha256Hex } from './sha256.ts'

/** A scalar parameter value before serialization. */
export type Scalar = string | number | bigint | boolean | null | undefined

/** A parameter value. Null and undefined are the empty string; lists are joined with commas (open-api §4.1). */
export type ParameterValue = Scalar | readonly Scalar[]

/** Parameters in any order, with unique names: a `Map`, `Object.entries(…)` or an array of pairs. */
export type ParameterPairs = Iterable<readonly [name: string, value: ParameterValue]>

/** Returns the SHA-256 of a string in UTF-8 as 64 lowercase hex characters. */
export type HashText = (text: string) => string

/** Serializes a value for sending and signing (open-api §4.1). */
export function parameterText(value: ParameterValue): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** Compares by UTF-16 code units, independent of the locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function byName(a: readonly [string, ParameterValue], b: readonly [string, ParameterValue]): number {
  return byCodeUnit(a[0], b[0])
}

/**
 * Returns the string whose SHA-256 is the sign (open-api §4.1, steps 1 to 3): all parameters except `sign`, `fileData`
 * and `secret`, plus the pair `secret`, sorted by name, as `name=value` without separators. Empty values take part.
 *
 * A transmitted `secret` is ignored. The values must be decoded: hashing the raw bytes of a request would allow a
 * length-extension attack on a known sign (see `vectors/sign.json`).
 */
export function canonicalString(parameters: ParameterPairs, secret: string): string {
  let text = ''
  for (const pair of canonicalPairs(parameters, secret)) text += `${pair[0]}=${parameterText(pair[1])}`
  return text
}

/** Returns the pairs of the canonical string in its order. */
export function canonicalPairs(
  parameters: ParameterPairs,
  secret: string,
): (readonly [name: string, value: ParameterValue])[] {
  const pairs: (readonly [string, ParameterValue])[] = [['secret', secret]]
  for (const pair of parameters) {
    const name = pair[0]
    if (name !== 'sign' && name !== 'fileData' && name !== 'secret') pairs.push(pair)
  }
  return pairs.sort(byName)
}

const mask = '******'

/** Values to mask in a canonical string. */
export interface Masking {
  /** Secrets to mask wherever they occur, in every notation that `maskSecrets` recognizes. */
  readonly secrets?: readonly string[]
  /** Parameters whose values are masked; case, `_` and `-` in names are ignored. */
  readonly names?: readonly string[]
}

/**
 * Returns the canonical string with `secret=******`, to show to the developer who signs. Without `names` it still
 * contains codes and tokens, and without `secrets` a secret sent under another name: do not log it or show it to
 * others.
 */
export function maskedCanonicalString(parameters: ParameterPairs, { secrets = [], names = [] }: Masking = {}): string {
  return maskSecrets(canonicalString(maskNames(parameters, names), mask), secrets)
}

/** Returns parameters as texts, to store or show. Secrets in names are masked too. */
export function maskedParameters(
  parameters: ParameterPairs,
  { secrets = [], names = [] }: Masking = {},
): [name: string, value: string][] {
  const maskIn = createMasker(secrets)
  return maskNames(parameters, names).map(([name, value]) => [maskIn(name), maskIn(parameterText(value))])
}

function maskNames(parameters: ParameterPairs, names: readonly string[]): [string, ParameterValue][] {
  const masked = new Set(names.map(withoutSpelling))
  return Array.from(parameters, ([name, value]) => [name, masked.has(withoutSpelling(name)) ? mask : value])
}

/** Returns a name in the form in which names are compared to mask them: without case, `_` and `-`. */
export function withoutSpelling(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase()
}

/**
 * Replaces each secret in a text with `******`: verbatim, in another case, and URL-encoded, partly or repeatedly.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return createMasker(secrets)(text)
}

/** Returns `maskSecrets` for many texts with the same secrets. */
function createMasker(secrets: readonly string[]): (text: string) => string {
  // Longest first, because one secret may contain another.
  const nonEmpty = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length)
  if (nonEmpty.length === 0) return (text) => text
  const isVisibleAscii = nonEmpty.every((secret) => /^[!-~]*$/.test(secret))
  const lowerCase = nonEmpty.map((secret) => secret.toLowerCase())
  let pattern: RegExp | undefined
  return (text) => {
    // Compiling the pattern takes longer than answering a request, and few texts need it.
    if (isVisibleAscii && !text.includes('%') && !includesAny(text.toLowerCase(), lowerCase)) return text
    // ReDoS: only escapes of % overlap, and secrets do not contain it.
    pattern ??= new RegExp(nonEmpty.map(anyNotation).join('|'), 'giu')
    return text.replace(pattern, mask)
  }
}

function includesAny(text: string, parts: readonly string[]): boolean {
  return parts.some((part) => text.includes(part))
}

/** Returns a pattern for a text in which each character may be percent-encoded. */
function anyNotation(text: string): string {
  return [...wellFormed(text)]
    .map((character) => {
      const literal = `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
      const forms = new Set([character, character.toLowerCase(), character.toUpperCase()].map(asEscapes))
      return `(?:${[literal, ...forms, ...(character === ' ' ? ['\\+'] : [])].join('|')})`
    })
    .join('')
}

/** Writes every UTF-8 byte as an escape whose `%` may itself be escaped. */
function asEscapes(text: string): string {
  return Array.from(utf8ToBytes(text), (byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`).join('')
}

/**
 * Returns the `sign` of a request or a callback (open-api §4.1): 64 lowercase hex characters.
 *
 * `hash` replaces the portable SHA-256, for example with `hash('sha256', text)` of `node:crypto`, which is faster.
 */
export function signParameters(parameters: ParameterPairs, secret: string, hash: HashText = sha256Hex): string {
  return hash(canonicalString(parameters, secret))
}

/**
 * Encodes parameters as `application/x-www-form-urlencoded`, for a body or a query string, in the given order. A space
 * is `%20`, which is valid in both. Lone surrogates become U+FFFD, as in the sign.
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
  return encodeURIComponent(wellFormed(text))
}
