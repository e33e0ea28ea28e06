import { hmac } from '@noble/hashes/hmac.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { wellFormed } from '../wellFormed.ts'
import type { Mistake } from './diagnose.mistakes.ts'
import { byCodeUnit } from './sign.ts'

export type Pair = readonly [name: string, value: string]

/** A mistake and the parameter concerned. */
export interface Slip {
  readonly mistake: Mistake
  readonly about?: string
}

/** The steps of signing. A mistake is a variant of one step. */
export interface Recipe {
  readonly pairs: readonly Pair[]
  readonly encode: (value: string) => string
  readonly sort: (recipe: Recipe, pairs: Pair[]) => Pair[]
  readonly equals: string
  readonly separator: string
  readonly end: string
  readonly secret: string
  readonly place: (recipe: Recipe) => string
  readonly finish: (text: string) => string
  readonly bytes: (text: string) => Uint8Array
  readonly digest: (text: Uint8Array, secret: Uint8Array) => Uint8Array
}

/** A variant of one or more steps, and the mistakes that it represents. */
export interface Deviation {
  readonly slips: readonly Slip[]
  readonly change: Partial<Recipe>
  /** A convention of other platforms. Conventions often occur together, so their combinations are tried too. */
  readonly habit?: boolean
}

/** Returns the correct recipe (open-api §4.1). */
export function rightRecipe(received: readonly Pair[], secret: string): Recipe {
  return {
    pairs: received.filter(([name]) => name !== 'sign' && name !== 'fileData' && name !== 'secret'),
    encode: (value) => value,
    sort: byNames(byCodeUnit),
    equals: '=',
    separator: '',
    end: '',
    secret,
    place: (recipe) => written(recipe, [...recipe.pairs, ['secret', recipe.secret]]),
    finish: (text) => text,
    bytes: utf8ToBytes,
    digest: sha256,
  }
}

/** Returns the string that a recipe hashes. */
export function textOf(recipe: Recipe): string {
  return recipe.finish(recipe.place(recipe))
}

/** Returns the digest of a recipe in lowercase hex. */
export function digestOf(recipe: Recipe, text: string): string {
  return bytesToHex(recipe.digest(recipe.bytes(text), utf8ToBytes(recipe.secret)))
}

function written(recipe: Recipe, pairs: readonly Pair[] = recipe.pairs): string {
  const encoded = pairs.map(([name, value]): Pair => [name, recipe.encode(value)])
  return (
    recipe
      .sort(recipe, encoded)
      .map((pair) => pair.join(recipe.equals))
      .join(recipe.separator) + recipe.end
  )
}

function byNames(compare: (a: string, b: string) => number): Recipe['sort'] {
  return (_, pairs) => [...pairs].sort((a, b) => compare(a[0], b[0]))
}

function slip(mistake: Mistake, change: Partial<Recipe>): Deviation {
  return { slips: [{ mistake }], change }
}

function habit(mistake: Mistake, change: Partial<Recipe>): Deviation {
  return { slips: [{ mistake }], change, habit: true }
}

const algorithms = new Map<number, { hash: typeof sha1; slips: Slip[] }>([
  [16, { hash: md5, slips: [{ mistake: 'md5_instead_of_sha256' }] }],
  [20, { hash: sha1, slips: [{ mistake: 'sha1_instead_of_sha256' }] }],
  [32, { hash: sha256, slips: [] }],
  [64, { hash: sha512, slips: [{ mistake: 'sha512_instead_of_sha256' }] }],
])

/** Returns the digests of a length in bytes: the plain hash, and HMAC over the string with and without the secret. */
export function digestsOfLength(bytes: number): { plain: Deviation; keyed: Deviation[] } | undefined {
  const algorithm = algorithms.get(bytes)
  if (!algorithm) return undefined
  const { hash, slips } = algorithm
  const digest: Recipe['digest'] = (text, secret) => hmac(hash, secret, text)
  const keyedSlips: Slip[] = [{ mistake: 'hmac_instead_of_sha256' }, ...slips]
  return {
    plain: { slips, change: { digest: (text) => hash(text) } },
    keyed: [
      { slips: keyedSlips, change: { digest } },
      { slips: keyedSlips, change: { digest, place: (recipe) => written(recipe) } },
    ],
  }
}

/** Returns the variants of the secret itself. */
export function secretDeviations(secret: string, retired: readonly string[]): Deviation[] {
  const deviations = [
    ...retired.map((former) => slip('secret_retired', { secret: former })),
    ...['\n', '\r\n', ' ', '\r', '\t'].map((space) => slip('secret_white_space', { secret: secret + space })),
    ...[' ', '\n', '\t', '\uFEFF'].map((space) => slip('secret_white_space', { secret: space + secret })),
    ...[' ', '"', "'"].map((around) => slip('secret_white_space', { secret: around + secret + around })),
    slip('secret_white_space', { secret: secret.trim() }),
    ...['', 'null', 'undefined', 'None', 'nil'].map((nothing) => slip('secret_not_set', { secret: nothing })),
    slip('secret_case_changed', { secret: secret.toUpperCase() }),
  ]
  return deviations.filter(({ change }) => change.secret !== secret)
}

const secretNames = ['key', 'appSecret', 'app_secret', 'appsecret', 'appKey', 'client_secret', 'secretKey', 'Secret']

function lastAs(name: string, separator?: string): Recipe['place'] {
  return (r) => written(r) + (separator ?? r.separator) + name + r.equals + r.secret
}

const placements: Deviation[] = [
  habit('secret_appended_last', { place: lastAs('secret') }),
  habit('secret_appended_last', { place: (r) => written(r) + r.secret }),
  slip('secret_appended_last', { place: (r) => written(r) + r.separator + r.secret }),
  habit('secret_put_first', { place: (r) => r.secret + written(r) }),
  slip('secret_put_first', { place: (r) => `secret${r.equals}${r.secret}${r.separator}${written(r)}` }),
  slip('secret_put_first', { place: (r) => r.secret + r.separator + written(r) }),
  habit('secret_on_both_ends', { place: (r) => r.secret + written(r) + r.secret }),
  ...secretNames.map((name) => slip('secret_misnamed', { place: (r) => written(r, [...r.pairs, [name, r.secret]]) })),
  ...secretNames.map(
    (name): Deviation => ({
      slips: [{ mistake: 'secret_misnamed' }, { mistake: 'secret_appended_last' }],
      change: { place: lastAs(name) },
      habit: name === 'key',
    }),
  ),
  ...['secret', 'key'].map(
    (name): Deviation => ({
      slips: [
        { mistake: 'ampersand_between_pairs' },
        { mistake: 'secret_appended_last' },
        ...(name === 'key' ? [{ mistake: 'secret_misnamed' } as const] : []),
      ],
      change: { place: lastAs(name, '&') },
    }),
  ),
  habit('secret_left_out', { place: (r) => written(r) }),
]

const separators: Deviation[] = [
  habit('ampersand_between_pairs', { separator: '&' }),
  slip('separator_between_pairs', { separator: '&', end: '&' }),
  ...[',', '\n', '|', ' ', ';', ', '].map((separator) => slip('separator_between_pairs', { separator })),
  slip('separator_between_pairs', { separator: '\n', end: '\n' }),
]

const equalSigns: Deviation[] = [slip('equals_left_out', { equals: '' }), slip('equals_left_out', { equals: ':' })]

const orders: Deviation[] = [
  habit('not_sorted', { sort: (_, pairs) => pairs }),
  slip('sorted_by_locale', { sort: byNames((a, b) => a.localeCompare(b, 'en')) }),
  slip('sorted_by_locale', { sort: byNames((a, b) => byCodeUnit(a.toLowerCase(), b.toLowerCase())) }),
  slip('sorted_by_locale', { sort: byNames((a, b) => byCodeUnit(a.toUpperCase(), b.toUpperCase())) }),
  slip('sorted_by_code_point', { sort: byNames(byCodePoint) }),
  slip('sorted_as_pairs', {
    sort: (recipe, pairs) => [...pairs].sort((a, b) => byCodeUnit(a.join(recipe.equals), b.join(recipe.equals))),
  }),
  slip('sorted_descending', { sort: byNames((a, b) => byCodeUnit(b, a)) }),
]

function byCodePoint(a: string, b: string): number {
  const left = [...a]
  const right = [...b]
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

const asUri = (text: string) => encodeURIComponent(wellFormed(text))
const withEscapes = (text: string, characters: RegExp) =>
  text.replace(characters, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
/** Encodes by RFC 3986: all but letters, digits and `-._~` (PHP rawurlencode, Python quote with safe=''). */
const asRfc3986 = (text: string) => withEscapes(asUri(text), /[!'()*]/g)

const encodings: Deviation[] = [
  habit('values_url_encoded', { encode: asUri }),
  habit('values_url_encoded', { encode: (text) => asRfc3986(text).replaceAll('%20', '+') }),
  slip('values_url_encoded', { encode: asRfc3986 }),
  // Java's URLEncoder and the browser's URLSearchParams leave "*" and escape "~".
  slip('values_url_encoded', {
    encode: (text) => withEscapes(asUri(text), /[!'()~]/g).replaceAll('%20', '+'),
  }),
  slip('values_url_encoded', { encode: (text) => asRfc3986(text).replaceAll('%2F', '/') }),
  slip('values_url_encoded', { encode: (text) => encodeURI(wellFormed(text)) }),
  // .NET's HttpUtility writes escapes in lower case.
  slip('values_url_encoded', { encode: (text) => asUri(text).replace(/%../g, (code) => code.toLowerCase()) }),
  slip('values_url_encoded', {
    encode: (text) =>
      withEscapes(asUri(text), /['~]/g)
        .replaceAll('%20', '+')
        .replace(/%../g, (code) => code.toLowerCase()),
  }),
]

/** Encodes Latin-1 like most languages, with "?" for other characters. */
function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => (character <= '\u00ff' ? character.charCodeAt(0) : 0x3f))
}

/** Encodes Latin-1 like Node: the lower byte of each code unit. */
function lowerBytes(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
}

const endings: Deviation[] = [
  ...['\n', '\r\n', ' '].map((end) => slip('trailing_newline', { finish: (text) => text + end })),
  slip('not_utf8', { bytes: latin1 }),
  slip('not_utf8', { bytes: lowerBytes }),
  slip('values_url_encoded', { finish: asUri }),
  slip('values_url_encoded', { finish: (text) => asRfc3986(text).replaceAll('%20', '+') }),
  slip('string_case_changed', { finish: (text) => text.toLowerCase() }),
  slip('string_case_changed', { finish: (text) => text.toUpperCase() }),
]

/** Parameters that are lists. Other values with a comma may be lists too. */
const listNames = new Set(['openIds', 'scope'])

/** Parameters that clients sign but often do not send, with their usual values. */
const oftenNotSent: readonly Pair[] = [
  ...['merchantId', 'description', 'timeExpire', 'url', 'link', 'path', 'iconPath'].flatMap((name): Pair[] =>
    ['', 'null', 'None', 'undefined'].map((value) => [name, value]),
  ),
  ['grantType', 'authorization_code'],
  ['scope', 'user.info'],
  ['notifyType', '1'],
  ['navigateType', '1'],
  ['transactionFlow', '1'],
  ['language', 'en_US'],
  ['method', 'POST'],
]

const spellings: readonly Pair[] = [
  ['appid', 'appId'],
  ['appid', 'app_id'],
  ['appid', 'AppId'],
  ['iconUrl', 'iconPath'],
  ['timestamp', 'timeStamp'],
  ['openIds', 'openIds[]'],
  ['openId', 'openid'],
]

/** Limit of parameters that are dropped one by one; no operation has more. */
const maxParametersDropped = 64

/** Returns the variants of the signed parameters, given the received ones. */
function pairDeviations(received: readonly Pair[], { pairs }: Recipe): Deviation[] {
  const withoutEmpty = pairs.filter(([, value]) => value !== '')
  const changes = [
    ...nullWords(pairs),
    ...otherTimestamps(pairs),
    ...otherNumbers(pairs),
    ...otherLists(pairs),
    ...addedOrMissing(received, pairs),
    ...otherNames(pairs),
    ...wrongEncodings(pairs),
    ...otherTexts(pairs),
  ]
  return [
    habit('empty_values_dropped', { pairs: withoutEmpty }),
    ...changes.map(
      ([mistake, changed, about]): Deviation => ({
        slips: [about === undefined ? { mistake } : { mistake, about }],
        change: { pairs: changed },
      }),
    ),
  ]
}

/** A mistake, the pairs that it signs, and the parameter concerned. */
type PairChange = readonly [mistake: Mistake, pairs: readonly Pair[], about?: string]

function mapValues(pairs: readonly Pair[], change: (value: string, name: string) => string): Pair[] {
  return pairs.map(([name, value]) => [name, change(value, name)])
}

function withValue(pairs: readonly Pair[], name: string, value: string): Pair[] {
  return mapValues(pairs, (old, each) => (each === name ? value : old))
}

function findValue(pairs: readonly Pair[], name: string): string {
  return pairs.find((pair) => pair[0] === name)?.[1] ?? ''
}

function* nullWords(pairs: readonly Pair[]): Generator<PairChange> {
  for (const word of ['null', 'None', 'undefined', 'nil', '<null>', 'NULL', '""']) {
    yield ['empty_value_as_null', mapValues(pairs, (value) => value || word)]
  }
}

function* otherTimestamps(pairs: readonly Pair[]): Generator<PairChange> {
  const timestamp = findValue(pairs, 'timestamp')
  for (const seconds of inSeconds(timestamp)) yield ['timestamp_in_seconds', withValue(pairs, 'timestamp', seconds)]
  if (/^\d{10}$/.test(timestamp)) yield ['timestamp_differs', withValue(pairs, 'timestamp', `${timestamp}000`)]
  for (const wholeSecond of toWholeSeconds(timestamp)) {
    yield ['timestamp_differs', withValue(pairs, 'timestamp', wholeSecond)]
  }
}

function* otherNumbers(pairs: readonly Pair[]): Generator<PairChange> {
  const timestamp = findValue(pairs, 'timestamp')
  const isInteger = (value: string) => /^-?\d{1,15}$/.test(value)
  const mistake = 'number_reformatted'
  for (const point of ['.0', '.00']) {
    const pointed = (value: string) => (isInteger(value) ? value + point : value)
    yield [mistake, mapValues(pairs, (value, name) => (name === 'amount' ? pointed(value) : value))]
    yield [mistake, withValue(pairs, 'timestamp', timestamp + point)]
    yield [mistake, mapValues(pairs, pointed)]
    yield [mistake, mapValues(pairs, (value, name) => (name === 'timestamp' ? value : pointed(value)))]
  }
  for (const scientific of inScientificNotation(timestamp)) {
    yield [mistake, withValue(pairs, 'timestamp', scientific)]
  }
  yield [mistake, mapValues(pairs, (value) => value.replace(/^(-?\d+)\.0+$/, '$1'))]
}

function* otherLists(pairs: readonly Pair[]): Generator<PairChange> {
  for (const isList of [
    (_: string, name: string) => name === 'openIds',
    (value: string) => value.includes(','),
    (value: string, name: string) => listNames.has(name) || value.includes(','),
  ]) {
    const lists = (write: (items: string[]) => string) =>
      mapValues(pairs, (value, name) => (isList(value, name) ? write(value === '' ? [] : value.split(',')) : value))
    yield ['list_in_brackets', lists((items) => JSON.stringify(items))]
    yield ['list_in_brackets', lists((items) => `["${items.join('", "')}"]`)]
    yield ['list_in_brackets', lists((items) => `['${items.join("', '")}']`)]
    for (const separator of [',', ', ', ' ']) {
      yield ['list_in_brackets', lists((items) => `[${items.join(separator)}]`)]
    }
    for (const separator of [', ', ';', '|', ' ', '']) yield ['list_separator', lists((items) => items.join(separator))]
    for (const suffix of [() => '', () => '[]', (index: number) => `[${index}]`]) {
      const repeated = pairs.flatMap(([name, value]): Pair[] =>
        isList(value, name) ? value.split(',').map((item, index) => [name + suffix(index), item]) : [[name, value]],
      )
      yield ['list_repeated', repeated]
    }
  }
}

function* addedOrMissing(received: readonly Pair[], pairs: readonly Pair[]): Generator<PairChange> {
  for (const placeholder of ['', 'null', 'None', 'undefined']) yield ['sign_signed', [...pairs, ['sign', placeholder]]]
  yield ['file_data_signed', [...pairs, ['fileData', findValue(received, 'fileData')]]]
  for (const [index, [name]] of pairs.slice(0, maxParametersDropped).entries()) {
    yield ['parameter_not_signed', [...pairs.slice(0, index), ...pairs.slice(index + 1)], name]
  }
  for (const [name, value] of oftenNotSent) {
    if (!pairs.some((pair) => pair[0] === name)) yield ['parameter_not_sent', [...pairs, [name, value]], name]
  }
}

function* otherNames(pairs: readonly Pair[]): Generator<PairChange> {
  const mistake = 'name_spelled_differently'
  const renamed = (from: string, to: string): Pair[] => pairs.map(([name, value]) => [name === from ? to : name, value])
  for (const [one, other] of spellings) {
    yield [mistake, renamed(one, other), one]
    yield [mistake, renamed(other, one), other]
  }
  const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  for (const spell of [snakeCase, (name: string) => name.toLowerCase(), (name: string) => name.toUpperCase()]) {
    const about = pairs.find(([name]) => spell(name) !== name)?.[0] ?? ''
    yield [mistake, pairs.map(([name, value]): Pair => [spell(name), value]), about]
  }
}

function* wrongEncodings(pairs: readonly Pair[]): Generator<PairChange> {
  const withPlus = (value: string) => value.replaceAll(' ', '+')
  yield ['encoded_twice', mapValues(pairs, decodedOnceMore)]
  yield ['encoded_twice', mapValues(pairs, (value) => decodedOnceMore(value.replaceAll('+', ' ')))]
  yield ['plus_not_encoded', mapValues(pairs, withPlus)]
  for (const [name, value] of pairs) {
    if (value.includes(' ')) yield ['plus_not_encoded', withValue(pairs, name, withPlus(value))]
  }
  for (const merged of withAmpersandsRestored(pairs)) yield ['ampersand_not_encoded', merged.pairs, merged.name]
}

function* otherTexts(pairs: readonly Pair[]): Generator<PairChange> {
  for (const form of ['NFC', 'NFD', 'NFKC'] as const) {
    yield ['text_normalized', mapValues(pairs, (value) => value.normalize(form))]
  }
  yield ['values_trimmed', mapValues(pairs, (value) => value.trim())]
}

function inSeconds(timestamp: string): string[] {
  if (!/^\d{13}$/.test(timestamp)) return []
  const ms = Number(timestamp)
  return [
    String(Math.floor(ms / 1000)),
    String(Math.round(ms / 1000)),
    String(ms / 1000),
    `${timestamp.slice(0, 10)}.${timestamp.slice(10)}`,
    `${timestamp.slice(0, 10)}.0`,
  ]
}

function toWholeSeconds(timestamp: string): string[] {
  return /^\d{13}$/.test(timestamp) ? [`${timestamp.slice(0, 10)}000`] : []
}

function inScientificNotation(timestamp: string): string[] {
  if (!/^\d{13}$/.test(timestamp)) return []
  const digits = timestamp.replace(/(?<!0)0+$/, '')
  const mantissa = `${digits.charAt(0)}.${digits.slice(1) || '0'}`
  return [`${mantissa}E12`, `${mantissa}E+12`, `${mantissa}e+12`, `${mantissa}e12`]
}

function decodedOnceMore(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/**
 * Restores values that were cut by an unencoded "&": each parameter but the first may be the rest of the previous one.
 */
function withAmpersandsRestored(pairs: readonly Pair[]): { name: string; pairs: Pair[] }[] {
  const restored: { name: string; pairs: Pair[] }[] = []
  for (let start = 0; start < Math.min(pairs.length, maxParametersDropped); start++) {
    const [name, value] = pairs[start] as Pair
    let cut = ''
    for (let next = start + 1; next <= start + 3 && next < pairs.length; next++) {
      const [cutName, cutValue] = pairs[next] as Pair
      const endings = cutValue === '' ? [`&${cutName}`, `&${cutName}=`] : [`&${cutName}=${cutValue}`]
      for (const ending of endings) {
        const whole: Pair = [name, value + cut + ending]
        restored.push({ name, pairs: [...pairs.slice(0, start), whole, ...pairs.slice(next + 1)] })
      }
      cut += endings.at(-1)
    }
  }
  return restored
}

/**
 * Returns the variants of each step, without those that do not change the string and without duplicates (the first one
 * is kept).
 */
export function steps(received: readonly Pair[], right: Recipe): Deviation[][] {
  // Parameters that arrive sorted give the same string unsorted as with the secret appended. The latter is more likely,
  // so `placements` comes before `orders`.
  return [pairDeviations(received, right), encodings, placements, orders, separators, equalSigns, endings].map((step) =>
    effective(step, right),
  )
}

function effective(step: readonly Deviation[], right: Recipe): Deviation[] {
  const seen = new Set([stamp(right)])
  return step.filter((deviation) => {
    const key = stamp({ ...right, ...deviation.change })
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function stamp(recipe: Recipe): string {
  const text = textOf(recipe)
  return recipe.bytes === utf8ToBytes || /^\p{ASCII}*$/u.test(text) ? text : `bytes ${recipe.bytes(text).join()}`
}

/** Maximum difference of two clock readings for one request, in ms. */
const maxClockDifference = 1000

/** Yields variants with a second clock reading: every timestamp around the sent one. */
export function* timestampsNearby(right: Recipe): Generator<Deviation> {
  const timestamp = right.pairs.find(([name]) => name === 'timestamp')?.[1] ?? ''
  if (!/^\d{10}$|^\d{13}$/.test(timestamp)) return
  const [from, to, middle] =
    timestamp.length === 10
      ? [0, maxClockDifference - 1, Number(timestamp) * 1000]
      : [-maxClockDifference, maxClockDifference, Number(timestamp)]
  for (let offset = from; offset <= to; offset++) {
    const other = String(middle + offset)
    yield slip('timestamp_differs', {
      pairs: right.pairs.map(([name, value]) => [name, name === 'timestamp' ? other : value]),
    })
  }
}

/** Returns variants that do not join pairs: the parameters as JSON, and the raw body or query string. */
export function wholeTexts(right: Recipe, rawText: string | undefined): Deviation[] {
  const { secret } = right
  const around = (text: string) => [text, text + secret, secret + text, secret + text + secret]
  const deviations: Deviation[] = []
  const sorted = right.sort(right, [...right.pairs])
  for (const asJson of [asText, asNumberWhereInteger, asNumberAndList]) {
    for (const [comma, colon] of [
      [',', ':'],
      [', ', ': '],
    ] as const) {
      const json = (pairs: readonly Pair[]) =>
        `{${pairs.map(([name, value]) => JSON.stringify(name) + colon + asJson(value, name)).join(comma)}}`
      const texts = [right.pairs, sorted].flatMap((pairs) => {
        const whole: Pair[] = [...pairs, ['secret', secret]]
        return [...around(json(pairs)), json(whole), json(right.sort(right, whole))]
      })
      for (const text of new Set(texts)) deviations.push(slip('json_signed', { place: () => text }))
    }
  }
  if (rawText === undefined) return deviations
  const unsigned = rawText
    .split('&')
    .filter((pair) => !pair.startsWith('sign='))
    .join('&')
  const named = [`${unsigned}&secret=${secret}`, `${unsigned}&key=${secret}`]
  for (const text of [...around(unsigned), ...around(rawText), ...named]) {
    deviations.push(slip('raw_text_signed', { place: () => text }))
  }
  return deviations
}

function asText(value: string): string {
  return JSON.stringify(value)
}

function asNumberWhereInteger(value: string): string {
  return /^(0|[1-9]\d{0,14})$/.test(value) ? value : JSON.stringify(value)
}

function asNumberAndList(value: string, name: string): string {
  return name === 'openIds' ? JSON.stringify(value.split(',')) : asNumberWhereInteger(value)
}
