import { type InspectedValue, inspectionLimits } from '@souk/contract/inspection'
import { recordingMask } from '@souk/contract/recording'

/** A recorded value, and if all of it was recorded. */
export interface RecordedValue {
  value: unknown
  isComplete: boolean
}

/** Returns the value that was recorded. A masked number is 0. */
export function readValue(recorded: InspectedValue): RecordedValue {
  let isComplete = true
  const read = ({ type, text, entries, omitted = 0 }: InspectedValue): unknown => {
    if (omitted > 0) isComplete = false
    switch (type) {
      case 'number':
        return text === recordingMask ? 0 : Number(text)
      case 'boolean':
        return text === 'true'
      case 'null':
        return null
      case 'undefined':
        return undefined
      case 'object':
      case 'array': {
        // Values that are nested too deeply have none.
        if (!entries) isComplete = false
        const pairs = (entries ?? []).map(([name, each]): [string, unknown] => [name, read(each)])
        return type === 'array' ? pairs.map(([, each]) => each) : Object.fromEntries(pairs)
      }
      default:
        return text
    }
  }
  return { value: read(recorded), isComplete }
}

/** Checks if a value may be the one that was recorded: what is masked or was cut may be anything. */
function matchesValue({ type, text, entries, omitted = 0 }: InspectedValue, given: unknown): boolean {
  switch (type) {
    case 'object':
    case 'array': {
      if (typeof given !== 'object' || given === null || Array.isArray(given) !== (type === 'array')) return false
      if (!entries) return true
      const rest = new Map(Object.entries(given).filter(([, each]) => each !== undefined))
      const all = entries.every(([name, each]) => {
        const value = rest.get(name)
        rest.delete(name)
        return matchesValue(each, value)
      })
      return all && (omitted > 0 || rest.size === 0)
    }
    case 'undefined':
      return given === undefined
    case 'string':
      return typeof given === 'string' && matchesText(omitted > 0 ? text + recordingMask : text, given)
    default:
      return (text === recordingMask && typeof given === type) || String(given) === text
  }
}

/** Checks if a text may be the one that was recorded. JSON may have other spaces: masking removes them. */
export function matchesText(recorded: string, given: string): boolean {
  const isCut = recorded.length >= inspectionLimits.text && recorded.endsWith('…')
  const pattern = isCut ? recorded.slice(0, -1) + recordingMask : recorded
  return (
    matchesParts(pattern.split(recordingMask), given) ||
    (pattern.includes(recordingMask) && matchesJson(pattern, given))
  )
}

/** Checks if a text consists of these parts, with anything between them. */
function matchesParts(parts: readonly string[], given: string): boolean {
  const [first = '', ...others] = parts
  const last = others.pop()
  if (last === undefined) return first === given
  if (!given.startsWith(first)) return false
  let at = first.length
  for (const part of others) {
    const found = given.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return given.length - last.length >= at && given.endsWith(last)
}

function matchesJson(recorded: string, given: string): boolean {
  try {
    return matchesParsed(JSON.parse(recorded), JSON.parse(given))
  } catch {
    return false
  }
}

function matchesParsed(recorded: unknown, given: unknown): boolean {
  if (recorded === recordingMask) return true
  if (typeof recorded === 'string') return typeof given === 'string' && matchesText(recorded, given)
  if (typeof recorded !== 'object' || recorded === null) return recorded === given
  if (typeof given !== 'object' || given === null || Array.isArray(given) !== Array.isArray(recorded)) return false
  const names = Object.keys(recorded)
  return (
    names.length === Object.keys(given).length &&
    names.every((name) =>
      matchesParsed((recorded as Record<string, unknown>)[name], (given as Record<string, unknown>)[name]),
    )
  )
}

/** Compares what a mini app does with what was recorded. */
export interface Likeness {
  value(recorded: InspectedValue, given: unknown): boolean
  text(recorded: string, given: string): boolean
}

const exact: Likeness = { value: matchesValue, text: matchesText }

/** What differs each time: times, as text and in s or ms since 1970, and random identifiers. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d(?:T|t| |%20)\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d)?(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/gi, '<time>'],
  [/(?<![\w.])1[4-9]\d{8}(?:\d{3})?(?![\w.])/g, '<time>'],
  [/(?<!\w)[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}(?!\w)/gi, '<id>'],
  [/(?<![\w])(?=[a-f]{0,64}\d)[\da-f]{16,128}(?!\w)/gi, '<id>'],
]

const shaped = (text: string) =>
  changing.reduce((changed, [pattern, replacement]) => changed.replace(pattern, replacement), text)

function shapedValue(value: InspectedValue): InspectedValue {
  const { text, entries } = value
  const more = entries && {
    entries: entries.map(([name, each]): [string, InspectedValue] => [name, shapedValue(each)]),
  }
  return { ...value, text: shaped(text), ...more }
}

function shapedGiven(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = shaped(String(value))
    return text === String(value) ? value : text
  }
  if (Array.isArray(value)) return value.map(shapedGiven)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapedGiven(each)]))
}

const similar: Likeness = {
  value: (recorded, given) => matchesValue(shapedValue(recorded), shapedGiven(given)),
  text: (recorded, given) => matchesText(shaped(recorded), shaped(given)),
}

/** How a mini app may repeat what was recorded, the best first: exactly, or with other times and identifiers. */
export const likenesses: readonly Likeness[] = [exact, similar]
/** True for what is the same except for times and identifiers. */
export const { value: isSimilarValue, text: isSimilarText } = similar
