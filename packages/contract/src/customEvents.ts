/**
 * Events of a mini app that its developers declare and count (ADR 416). Apart from the rest of the contract, so that
 * pages in development load the check only.
 */

/** A field of an event. Numbers are integers from 0 to `customEventLimits.number`. */
export type CustomEventField =
  | { readonly type: 'enum'; readonly values: readonly string[] }
  | { readonly type: 'integer' }
  | { readonly type: 'boolean' }

/** What a mini app may report under the name of an event. Every field may be absent. */
export interface CustomEventDeclaration {
  readonly description?: string
  readonly fields: { readonly [name: string]: CustomEventField }
}

export type CustomEventDeclarations = { readonly [name: string]: CustomEventDeclaration }

/** An event as a mini app reports it. */
export interface CustomEvent {
  readonly name: string
  /** Undefined if they were not of this form. */
  readonly fields?: { readonly [name: string]: string | number | boolean }
}

/**
 * Limits of a mini app. Each value of an enum, 2 for a boolean and 1 for an integer are counted on their own, at most
 * `counted` in all, so that none is left out of the counts.
 */
export const customEventLimits = {
  events: 50,
  fields: 10,
  counted: 200,
  description: 200,
  values: 50,
  value: 40,
  number: 1_000_000,
  funnels: 10,
  minSteps: 2,
  maxSteps: 5,
} as const

/** Names of events and fields. They have no dot, which separates them in counts. */
export const customEventName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/
/**
 * Values of enums, of at most `customEventLimits.value` characters. A control character is a mistake, and the database
 * cannot store U+0000 and halves of surrogate pairs.
 */
export const customEventValue = /^[^\p{Cc}\p{Cs}]{1,40}$/u
/** Descriptions, of at most `customEventLimits.description` characters. */
export const customEventDescription = /^[^\p{Cc}\p{Cs}]{0,200}$/u

/** Reasons why an event is not counted. */
export const customEventRefusals = ['event', 'field', 'value'] as const
/** An event that is not declared, one with a field that is not, or one with a value that a field cannot have. */
export interface CustomEventRefusal {
  readonly reason: (typeof customEventRefusals)[number]
  /** The event, or `<event>.<field>` of the field. */
  readonly name: string
}

/** Returns why an event is not counted; undefined if it is. */
export function findRefusal(
  declared: CustomEventDeclarations,
  { name, fields }: CustomEvent,
): CustomEventRefusal | undefined {
  if (!Object.hasOwn(declared, name)) return { reason: 'event', name }
  if (!fields) return { reason: 'value', name }
  const known = declared[name]!.fields
  for (const [field, value] of Object.entries(fields)) {
    if (!Object.hasOwn(known, field)) return { reason: 'field', name: `${name}.${field}` }
    if (!isValueOf(known[field]!, value)) return { reason: 'value', name: `${name}.${field}` }
  }
  return undefined
}

function isValueOf(field: CustomEventField, value: unknown): boolean {
  if (field.type === 'enum') return field.values.some((each) => each === value)
  if (field.type === 'boolean') return typeof value === 'boolean'
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= customEventLimits.number
}

/** Returns why a name and fields cannot be an event, whatever is declared; undefined if they can. */
export function findMalformed(name: unknown, fields: unknown): string | undefined {
  if (typeof name !== 'string' || !customEventName.test(name))
    return 'the name of an event is 1 to 64 letters, digits and _, the first a letter'
  if (!isObject(fields)) return `${name}: fields must be an object`
  const entries = Object.entries(fields)
  if (entries.length > customEventLimits.fields) return `${name}: there are at most ${customEventLimits.fields} fields`
  const wrong = entries.find(([field, value]) => !customEventName.test(field) || !isPlainValue(value))
  return wrong && `${name}: ${shown(wrong[0])} must be a short text, a whole number, true or false`
}

function isPlainValue(value: unknown): boolean {
  if (typeof value === 'string') return value === '' || customEventValue.test(value)
  return typeof value === 'boolean' || Number.isSafeInteger(value)
}

/** Returns why declarations are invalid; undefined if they are valid. `declared` is what a file may contain. */
export function findEventsProblem(declared: unknown): string | undefined {
  if (!isObject(declared)) return 'it must be an object with a declaration for each name'
  const events = Object.entries(declared)
  const { events: most, counted } = customEventLimits
  if (events.length > most) return `a mini app has at most ${most} events`
  for (const [name, declaration] of events) {
    const problem = findEventProblem(name, declaration)
    if (problem !== undefined) return problem
  }
  const sum = countedValues(declared as CustomEventDeclarations)
  if (sum > counted)
    return `its fields have ${sum} values, of at most ${counted}: each of an enum, 2 of a boolean, 1 of an integer`
  return undefined
}

function findEventProblem(name: string, declaration: unknown): string | undefined {
  if (!customEventName.test(name)) return `${shown(name)}: a name is 1 to 64 letters, digits and _, the first a letter`
  if (!isObject(declaration)) return `${name} must be an object with description and fields`
  const { description = '', fields = {}, ...others } = declaration
  const [other] = Object.keys(others)
  if (other !== undefined) return `${name}.${shown(other)}: there is no such key`
  if (typeof description !== 'string' || !customEventDescription.test(description))
    return `${name}.description must be a text of at most ${customEventLimits.description} characters, ${plain}`
  if (!isObject(fields)) return `${name}.fields must be an object`
  const entries = Object.entries(fields)
  if (entries.length > customEventLimits.fields) return `${name} has more than ${customEventLimits.fields} fields`
  const wrong = entries.find(([field, value]) => !customEventName.test(field) || !isField(value))
  return wrong && `${name}.${shown(wrong[0])}: ${fieldRule}`
}

const plain = 'none of which is a control character or half of a surrogate pair'
const fieldRule =
  'a field has a name of letters, digits and _, and type integer or boolean, or type enum with ' +
  `1 to ${customEventLimits.values} different values of at most ${customEventLimits.value} characters, ${plain}`

/** Returns the begin of a name for a message. Names of a file can have any characters. */
const shown = (name: string) =>
  [...name.slice(0, 128)]
    .slice(0, 64)
    .join('')
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, '\ufffd')

function isField(field: unknown): field is CustomEventField {
  if (!isObject(field)) return false
  const { type, values, ...others } = field
  if (Object.keys(others).length > 0) return false
  if (type !== 'enum') return (type === 'integer' || type === 'boolean') && values === undefined
  if (!Array.isArray(values) || values.length === 0 || values.length > customEventLimits.values) return false
  const isValue = (value: unknown) => typeof value === 'string' && customEventValue.test(value)
  return new Set(values).size === values.length && values.every(isValue)
}

function countedValues(declared: CustomEventDeclarations): number {
  const fields = Object.values(declared).flatMap((event) => Object.values(event.fields ?? {}))
  return fields.reduce(
    (sum, each) => sum + (each.type === 'enum' ? each.values.length : each.type === 'boolean' ? 2 : 1),
    0,
  )
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
