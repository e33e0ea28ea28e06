import {
  type InspectedHeader,
  type InspectedPage,
  type InspectedValue,
  type InspectionEntry,
  inspectionLimits,
  type RequestEntry,
  type ResponseEntry,
} from './inspection.ts'
import { withoutSpelling } from './open/sign.ts'
import { wellFormed } from './wellFormed.ts'

/** Stands for a value that is not recorded, as in the request log. */
export const recordingMask = '******'

/**
 * Names that the request log masks, which a test compares with the contract, and others under which mini apps send the
 * same, in any spelling. Written out, because a host would load all operations with them.
 */
const maskedNames = new Set(
  [
    ...['code', 'accessToken', 'sign', 'nickName', 'avatar', 'email', 'country', 'phone', 'attributes'],
    ...['countryCode', 'mobileNumber', 'avatarUrl', 'userName', 'realName', 'fullName', 'firstName', 'lastName'],
    ...['address', 'birthday', 'birthDate', 'idNumber', 'idCard', 'nationalId', 'passport', 'cardNo', 'cardNumber'],
    ...['iban', 'cvv', 'pin', 'otp', 'auth', 'jwt', 'session'],
  ].map(withoutSpelling),
)
/** Endings of names such as `X-Api-Key`, `refresh_token` and `contactPhone`. */
const maskedEnding =
  /(?:token|secret|password|passwd|passcode|authorization|cookie|apikey|signature|sessionid|csrf|credentials?|email|phone|phonenumber|mobile)$/
/** Names of a position, which are personal in what a mini app sends, and shops in what it gets. */
const sentNames = new Set(['latitude', 'longitude', 'lat', 'lng', 'lon'])

/** Calls whose parameters or results are personal as a whole. */
const personalParams = new Set(['setClipboardData', 'saveFile', 'writeFile'])
const personalResults = new Set([
  'getClipboardData',
  'getLocation',
  'chooseLocation',
  'scanCode',
  'readRecording',
  'readFiles',
])

/** Shorter values are not looked for in other places: masking them would garble texts. */
const shortestRemembered = 6
const mostRemembered = 500
/** A `code` of a response that is shorter is a status, such as `0` or `SUCCESS`. */
const shortestCode = 16

type Direction = 'sent' | 'received'

/**
 * Creates the function that masks the entries of one recording, in their order: values of the names above, and the
 * same values wherever they occur later.
 */
export function createRecordingMasks(): (entry: InspectionEntry) => InspectionEntry {
  const memory = createMemory()
  const masks = createMasks(memory)
  /** Methods of calls that wait for their answer, by id. */
  const methods = new Map<number, string>()
  return (entry) => {
    switch (entry.kind) {
      case 'console': {
        const values = entry.values.map((each) => masks.value(each, 'received'))
        return { ...entry, values, ...(entry.stack !== undefined && { stack: masks.text(entry.stack, 'received') }) }
      }
      case 'request':
        return { ...masks.content(entry, 'sent'), url: masks.text(entry.url, 'sent') }
      case 'response': {
        const error = entry.error === undefined ? {} : { error: masks.text(entry.error, 'received') }
        return { ...masks.content(entry, 'received'), ...error }
      }
      case 'call': {
        const { id, method, params } = entry
        methods.set(id, method)
        return { ...entry, params: personalParams.has(method) ? masks.all(params) : masks.value(params, 'sent') }
      }
      case 'answer': {
        const method = methods.get(entry.id) ?? ''
        methods.delete(entry.id)
        const error = entry.errMsg === undefined ? {} : { errMsg: masks.text(entry.errMsg, 'received') }
        if (entry.result === undefined) return { ...entry, ...error }
        return { ...entry, ...error, result: masks.result(method, entry.result) }
      }
      case 'storage':
        return { ...entry, items: entry.items.map((item) => ({ ...item, text: masks.item(item) })) }
      case 'pages':
        return { ...entry, pages: entry.pages.map(masks.page) }
      case 'bar':
        return entry.text === undefined ? entry : { ...entry, text: masks.text(entry.text, 'sent') }
      default:
        return entry
    }
  }
}

/** Creates the memory of values that were masked. */
function createMemory() {
  /** The forms that each value may have in a text. */
  const forms = new Map<string, readonly string[]>()
  return {
    add(value: string): void {
      if (value.length < shortestRemembered || value.includes(recordingMask)) return
      // The latest are the likeliest to occur again.
      forms.delete(value)
      const inJson = JSON.stringify(value).slice(1, -1)
      forms.set(value, [...new Set([value, inJson, encodeURIComponent(wellFormed(value))])])
      if (forms.size > mostRemembered) forms.delete(forms.keys().next().value!)
    },
    has: (value: string) => forms.has(value),
    mask(text: string): string {
      const found = [...forms.values()].flat().filter((form) => text.includes(form))
      // Longest first, because one may contain another.
      found.sort((a, b) => b.length - a.length)
      return found.reduce((masked, form) => masked.replaceAll(form, recordingMask), text)
    },
  }
}

function createMasks(memory: ReturnType<typeof createMemory>) {
  function hide(text: string): string {
    memory.add(text)
    return recordingMask
  }

  /** Masks all texts and numbers of a value, and keeps their types. */
  function all(value: InspectedValue): InspectedValue {
    const { entries, omitted, ...rest } = value
    if (entries) return { ...value, entries: entries.map(([name, each]) => [name, all(each)]) }
    if (value.type === 'string' || value.type === 'number' || value.type === 'error')
      return { ...rest, text: hide(value.text) }
    return value
  }
  function value(given: InspectedValue, direction: Direction): InspectedValue {
    const { entries } = given
    if (entries) {
      const masked = entries.map(([name, each]): [string, InspectedValue] => [
        name,
        isMasked(name, each.text, direction, each.type) ? all(each) : value(each, direction),
      ])
      return { ...given, entries: masked }
    }
    if (given.type === 'number') return memory.has(given.text) ? all(given) : given
    if (given.omitted !== undefined && isJsonStart(given.text)) return all(given)
    return { ...given, text: text(given.text, direction) }
  }
  function json(given: unknown, direction: Direction, hidesAll = false): unknown {
    if (Array.isArray(given)) return given.map((each) => json(each, direction, hidesAll))
    if (isRecord(given))
      return Object.fromEntries(
        Object.entries(given).map(([name, each]) => {
          const isHidden = hidesAll || isMasked(name, String(each), direction, typeof each)
          return [name, json(each, direction, isHidden)]
        }),
      )
    if (typeof given === 'string') return hidesAll ? hide(given) : text(given, direction)
    if (typeof given === 'number' && (hidesAll || memory.has(String(given)))) return hide(String(given))
    return given
  }

  /** Masks what a text contains: JSON, pairs of JSON, parameters of addresses and forms, and credentials. */
  function text(given: string, direction: Direction): string {
    if (isJsonStart(given)) {
      const parsed = parsedJson(given)
      if (parsed !== undefined) {
        const masked = JSON.stringify(json(parsed, direction))
        // The text as it was, with its spaces, unless something is masked.
        return masked === JSON.stringify(parsed) ? given : masked
      }
      // The end is missing, and with it the names of what is in it.
      if (given.length >= inspectionLimits.text) return recordingMask
    }
    const named = (whole: string, before: string, name: string, between: string, content: string) =>
      isMasked(name, content, direction, 'string') ? `${before}${name}${between}${hide(decoded(content))}` : whole
    return memory.mask(
      given
        .replace(/("|\\")([\w-]+)((?:"|\\"): ?(?:"|\\"))([^"\\]+)/g, named)
        .replace(/(^|[?&#;\s])([\w.-]+)(=)([^&#;\s"'<>]+)/g, named)
        .replace(/(^|\n)([\w.-]+)(: )(.+)/g, named)
        .replace(/\b(Bearer|Basic) ([\w.~+/=-]+)/g, (_, scheme: string, token: string) => `${scheme} ${hide(token)}`)
        .replace(/(:\/\/)[^/?#\s@"']+@/g, `$1${recordingMask}@`),
    )
  }

  function headers(given: readonly InspectedHeader[], direction: Direction): InspectedHeader[] {
    return given.map(([name, content]) => [
      name,
      isMasked(name, content, direction, 'string') ? hide(content) : text(content, direction),
    ])
  }

  return {
    all,
    value,
    text,
    /** A body that was cut is left out: the names of what is in it may be in the part that is missing. */
    content<E extends RequestEntry | ResponseEntry>(entry: E, direction: Direction): E {
      const { body, ...rest } = entry
      const shown = body === undefined || isCut(body) ? {} : { body: text(body, direction) }
      return { ...rest, headers: headers(entry.headers, direction), ...shown } as E
    },
    result(method: string, given: InspectedValue): InspectedValue {
      if (personalResults.has(method)) return all(given)
      // A user may have typed the content of a dialog. A login code has any length.
      if (method === 'showModal')
        return {
          ...given,
          entries: (given.entries ?? []).map(([name, each]) => [name, name === 'content' ? all(each) : each]),
        }
      return value(given, 'sent')
    },
    item({ key, text: content }: { key: string; text: string }): string {
      return isMasked(key, content, 'sent', 'string')
        ? hide(content)
        : isCut(content)
          ? recordingMask
          : text(content, 'sent')
    },
    page: (page: InspectedPage): InspectedPage => ({
      ...page,
      query: text(page.query, 'sent'),
      data: value(page.data, 'received'),
      changes: value(page.changes, 'received'),
    }),
  }
}

/** Checks if the value of a name is masked. Of `true`, `false` and `null` nothing is hidden. */
function isMasked(name: string, content: string, direction: Direction, type: string): boolean {
  const plain = withoutSpelling(name)
  if (plain === 'code') return type === 'string' && (direction === 'sent' || content.length >= shortestCode)
  return maskedNames.has(plain) || maskedEnding.test(plain) || (direction === 'sent' && sentNames.has(plain))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isJsonStart = (text: string) => /^[{[]/.test(text.trimStart())

/** Checks if the agent has cut a text. */
const isCut = (text: string) => text.length >= inspectionLimits.text

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
