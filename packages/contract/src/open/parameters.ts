import { wellFormed } from '../wellFormed.ts'
/** Reasons why parameters cannot be parsed. */
export type ParameterFaultCode = 'parameter_repeated' | 'parameter_malformed' | 'parameter_control_character'

/** A parameter that cannot be parsed. `reason` is for the developer and never contains a value. */
export class ParameterFault extends Error {
  readonly code: ParameterFaultCode
  /** The parameter's name; undecoded if it cannot be decoded. */
  readonly parameter: string
  readonly reason: string

  constructor(code: ParameterFaultCode, parameter: string, reason: string) {
    super(reason)
    this.name = 'ParameterFault'
    this.code = code
    this.parameter = parameter
    this.reason = reason
  }
}

/** Printable ASCII without `%` and `+`, which needs no decoding. */
const plainText = /^[ -$&-*,-~]*$/
const nonAsciiBytes = /[\u0080-\u00ff]/g
const nonByteCharacters = /[\u0100-\uffff]/
const controlCharacter = /\p{Cc}/u
/** Parameters whose values may have several lines, and tabs (open-api §4.3). */
const multiline = new Set(['text', 'description'])
const lineBreaksAndTabs = /[\n\r\t]/g
const maxNameShown = 64

/**
 * Parses a query string (without `?`) or a urlencoded body into parameters, in the order of arrival.
 *
 * `form` is the raw input: a `Uint8Array`, or a string with one character per byte, such as a request target from
 * `node:http` or a body decoded as `latin1`. Other strings must be encoded to UTF-8 first.
 *
 * `+` is a space, percent-encoding and unencoded bytes are strict UTF-8, a name without `=` has an empty value.
 * Runs in linear time.
 *
 * @throws ParameterFault for a repeated name, invalid percent-encoding, invalid UTF-8, and control characters.
 */
export function parseForm(form: string | Uint8Array): Map<string, string> {
  const text = typeof form === 'string' ? form : oneCharacterPerByte(form)
  const plain = plainText.test(text)
  const parameters = new Map<string, string>()
  let equals = -1
  let start = 0
  while (start < text.length) {
    let end = text.indexOf('&', start)
    if (end === -1) end = text.length
    if (end > start) {
      // Search only after the last match, or a long form without "=" would be scanned once per name.
      if (equals < start) {
        equals = text.indexOf('=', start)
        if (equals === -1) equals = text.length
      }
      const middle = Math.min(equals, end)
      const rawName = text.slice(start, middle)
      const rawValue = text.slice(middle + 1, end)
      if (plain) addDistinct(parameters, rawName, rawValue)
      else {
        const name = decode(rawName, rawName, 'name')
        addParameter(parameters, name, decode(rawValue, name, 'value'))
      }
    }
    start = end + 1
  }
  return parameters
}

/**
 * Adds a decoded parameter, such as a field of a multipart body, with the checks of `parseForm`.
 *
 * @throws ParameterFault for a repeated name and for control characters.
 */
export function addParameter(parameters: Map<string, string>, name: string, value: string): void {
  if (controlCharacter.test(name)) {
    const shown = shownName(encodeURIComponent(wellFormed(name)))
    throw new ParameterFault('parameter_control_character', shown, `the name ${shown} contains a control character`)
  }
  const hasLines = multiline.has(name)
  if (controlCharacter.test(hasLines ? value.replace(lineBreaksAndTabs, '') : value)) {
    const shown = shownName(name)
    const rule = hasLines ? 'other than line breaks and tabs' : 'including line breaks and tabs'
    throw new ParameterFault(
      'parameter_control_character',
      shown,
      `${shown} contains a control character (U+0000 to U+001F or U+007F to U+009F, ${rule})`,
    )
  }
  addDistinct(parameters, name, value)
}

/**
 * Returns the value of a parameter as it is stored: each line break, which browsers send as CR and LF, is a line feed.
 * The sign is over the value that was sent.
 */
export function withLineFeeds(name: string, value: string): string {
  return multiline.has(name) ? value.replace(/\r\n?/g, '\n') : value
}

/**
 * Merges the parameters of the query string and the body (open-api §4.1).
 *
 * @throws ParameterFault if a name is in both.
 */
export function joinParameters(query: Map<string, string>, body: Map<string, string>): Map<string, string> {
  if (query.size === 0) return body
  if (body.size === 0) return query
  const joined = new Map(query)
  for (const [name, value] of body) addDistinct(joined, name, value)
  return joined
}

function addDistinct(parameters: Map<string, string>, name: string, value: string): void {
  if (parameters.has(name)) {
    const shown = shownName(name)
    throw new ParameterFault(
      'parameter_repeated',
      shown,
      `${shown} is repeated; send a list as one parameter with its items joined by commas`,
    )
  }
  parameters.set(name, value)
}

function decode(raw: string, name: string, part: 'name' | 'value'): string {
  if (plainText.test(raw)) return raw
  // Escape unencoded bytes too, so that decodeURIComponent, which is strict, validates the whole value.
  const escaped = raw
    .replaceAll('+', ' ')
    .replace(nonAsciiBytes, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  if (!nonByteCharacters.test(escaped)) {
    try {
      return decodeURIComponent(escaped)
    } catch {
      // The error below explains more than the decoder's message.
    }
  }
  const shown = shownName(part === 'name' ? encodeURIComponent(wellFormed(raw)) : name)
  throw new ParameterFault(
    'parameter_malformed',
    shown,
    `the ${part} of ${shown} is not percent-encoded UTF-8; every % must be followed by two hexadecimal digits, and the bytes must be UTF-8`,
  )
}

function shownName(name: string): string {
  return name.length <= maxNameShown ? name : `${wellFormed(name.slice(0, maxNameShown))}…`
}

function oneCharacterPerByte(bytes: Uint8Array): string {
  let text = ''
  // In chunks, because the number of arguments of a call is limited.
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096))
  return text
}
