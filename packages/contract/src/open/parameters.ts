/** Why a set of parameters is refused before any of them is looked at. */
export type ParameterFaultCode = 'parameter_repeated' | 'parameter_malformed' | 'parameter_control_character'

/** A parameter that cannot be taken as it arrived. `reason` is for the developer and never holds a value. */
export class ParameterFault extends Error {
  readonly code: ParameterFaultCode
  /** The parameter's name, as it arrived where it cannot be decoded. */
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

/** Printable ASCII without `%` and `+`: a text that decodes to itself. */
const PLAIN = /^[ -$&-*,-~]*$/
const BEYOND_ASCII = /[\u0080-\u00ff]/g
const BEYOND_BYTES = /[\u0100-\uffff]/
const CONTROL = /\p{Cc}/u
const LONGEST_NAME_SHOWN = 64

/**
 * Parameters of a query string (without its `?`) or of an urlencoded body, in the order of arrival.
 *
 * `form` is what arrived, byte for byte: a `Uint8Array`, or a string with one character per byte, which is how
 * `node:http` hands over a request target and what `latin1` decoding of a body gives. Text with characters beyond ASCII
 * must be encoded to UTF-8 bytes first; a string that holds any is refused unless it happens to be UTF-8 byte for byte.
 *
 * `+` is a space, percent-encoding and bare bytes are strict UTF-8, a name without `=` has the empty value.
 * The time taken is linear in the length.
 *
 * @throws ParameterFault for a repeated name, bad percent-encoding, text that is not UTF-8, and control characters.
 */
export function parseForm(form: string | Uint8Array): Map<string, string> {
  const text = typeof form === 'string' ? form : oneCharacterPerByte(form)
  const plain = PLAIN.test(text)
  const parameters = new Map<string, string>()
  let equals = -1
  let start = 0
  while (start < text.length) {
    let end = text.indexOf('&', start)
    if (end === -1) end = text.length
    if (end > start) {
      // Searched again only once passed: a long form without "=" would otherwise be read to its end for every name.
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
 * Adds one decoded parameter, such as a field of a multipart body, under the same rules as `parseForm`.
 *
 * @throws ParameterFault for a repeated name and for control characters.
 */
export function addParameter(parameters: Map<string, string>, name: string, value: string): void {
  if (CONTROL.test(name)) {
    const shown = shownName(encodeURIComponent(name.toWellFormed()))
    throw new ParameterFault('parameter_control_character', shown, `the name ${shown} holds a control character`)
  }
  if (CONTROL.test(value)) {
    const shown = shownName(name)
    throw new ParameterFault(
      'parameter_control_character',
      shown,
      `${shown} holds a control character (U+0000 to U+001F or U+007F to U+009F, line breaks and tabs among them)`,
    )
  }
  addDistinct(parameters, name, value)
}

/**
 * The parameters of a request as one set: those of the query string, then those of the body (open-api §4.1).
 *
 * @throws ParameterFault when a name stands in both.
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
      `${shown} is given more than once; a list is one parameter, its items joined with a comma`,
    )
  }
  parameters.set(name, value)
}

function decode(raw: string, name: string, part: 'name' | 'value'): string {
  if (PLAIN.test(raw)) return raw
  // With bare bytes written as escapes, the language's own decoder judges all of it, and it is strict: no overlong
  // forms, no surrogates, nothing cut short.
  const escaped = raw
    .replaceAll('+', ' ')
    .replace(BEYOND_ASCII, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  if (!BEYOND_BYTES.test(escaped)) {
    try {
      return decodeURIComponent(escaped)
    } catch {
      // The reason below says more than the decoder's own.
    }
  }
  const shown = shownName(part === 'name' ? encodeURIComponent(raw.toWellFormed()) : name)
  throw new ParameterFault(
    'parameter_malformed',
    shown,
    `the ${part} of ${shown} is not percent-encoded UTF-8; every % must begin an escape of two hexadecimal digits, and the bytes must be UTF-8`,
  )
}

function shownName(name: string): string {
  return name.length <= LONGEST_NAME_SHOWN ? name : `${name.slice(0, LONGEST_NAME_SHOWN).toWellFormed()}…`
}

function oneCharacterPerByte(bytes: Uint8Array): string {
  let text = ''
  // In pieces, because the number of arguments of a call is limited.
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096))
  return text
}
