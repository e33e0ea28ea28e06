import type { ErrorCode } from '../errors.ts'
import { aliasesOf, type Operation } from '../operation.ts'
import { sendNotify2023 } from './generation2023.ts'
import { openOperations } from './index.ts'
import { byCodeUnit, canonicalPairs, type ParameterPairs, parameterText } from './sign.ts'

/** A value that contains the start of another parameter in a different valid reading of the canonical string. */
export interface Ambiguity {
  readonly code: Extract<ErrorCode, 'parameters_ambiguous'>
  /** The parameter to change. */
  readonly parameter: string
  /** Describes the fault and its fix for the developer. Contains no value. */
  readonly reason: string
}

/**
 * Returns why the canonical string of these parameters is ambiguous, or undefined if it is not (open-api §4.1).
 *
 * The canonical string has no separators, so a signed `text` that contains `timestamp=1title=…` could be sent again as
 * three parameters. The request is ambiguous if a valid set of parameters of any operation has the same canonical
 * string and starts a parameter inside one of these values. Maximum lengths are ignored, because the signed value may
 * have been too long. Of all readings of a string, at most one is unambiguous.
 *
 * Runs in linear time, and in less than a microsecond if no value contains `=`. If the readings cannot be tried within
 * `maxCost`, the request counts as ambiguous.
 */
export function findAmbiguity(parameters: ParameterPairs): Ambiguity | undefined {
  let suspicious = false
  for (const [, value] of parameters) suspicious ||= parameterText(value).includes('=')
  if (!suspicious) return undefined

  const { starts, text } = concatenate(parameters)
  const own = new Map(starts.map(({ start, name }) => [start, name]))
  const marks = findMarks(text, own)
  if (!marks.some(({ foreign }) => foreign)) return undefined
  const mark = findForeign({ text, marks, cost: 0 })
  if (!mark) return undefined
  const parameter = starts.filter(({ start }) => start < mark.start).at(-1)!.name
  const { name } = mark
  return {
    code: 'parameters_ambiguous',
    parameter,
    reason: `The value of ${parameter} contains "${name}=", which can also be read as the parameter ${name}, because the signed string has no separators. Change the value so that it does not contain "${name}=": write "${name} =" in a text, or "${name}%3D" in a URL.`,
  }
}

/** Characters compared before giving up, a few milliseconds of CPU time. Only crafted values need as many. */
const maxCost = 1_000_000
/** Cost of looking at a mark, in characters. */
const costOfTry = 20

/** Placeholder of the secret. No reading can move it, because a request does not contain the secret. */
const placeholder = '\0'

/** A place in the canonical string where a parameter may start. */
interface Mark {
  readonly name: string
  readonly start: number
  /** After the `=`. */
  readonly valueStart: number
  /** The parameters given do not start here. */
  readonly foreign: boolean
}

/** A search for readings. `cost` counts the characters compared. */
interface Search {
  readonly text: string
  readonly marks: readonly Mark[]
  cost: number
}

function concatenate(parameters: ParameterPairs) {
  const starts: { name: string; start: number }[] = []
  let text = ''
  for (const [name, value] of canonicalPairs(parameters, placeholder)) {
    starts.push({ name, start: text.length })
    text += `${name}=${parameterText(value)}`
  }
  return { starts, text }
}

/** Finds the names of parameters that are followed by `=`. No name ends with another one, so these do not overlap. */
function findMarks(text: string, own: ReadonlyMap<number, string>): Mark[] {
  return Array.from(text.matchAll(layouts().anyName), ({ index, 1: name }) => ({
    name: name!,
    start: index,
    valueStart: index + name!.length + 1,
    foreign: own.get(index) !== name,
  }))
}

/** Returns the first foreign mark of a valid reading of any operation, or undefined if there is no such reading. */
function findForeign(search: Search): Mark | undefined {
  const [first] = search.marks
  if (first?.start !== 0) return undefined
  for (const layout of layouts().operations) {
    const place = placeAfter(layout, -1, first)
    const found = place !== undefined && continueReading(search, layout, { at: 0, place, foreign: foreignOf(first) })
    if (found) return found
  }
  return undefined
}

function foreignOf(mark: Mark): Mark | undefined {
  return mark.foreign ? mark : undefined
}

/** A valid reading up to the mark `at`, whose parameter is at `place` in the layout. */
interface Prefix {
  readonly at: number
  readonly place: number
  /** The first foreign mark of the reading. */
  readonly foreign: Mark | undefined
}

/** Returns the first foreign mark of a valid reading that starts with a prefix, or undefined. */
function continueReading(search: Search, layout: readonly Slot[], { at, place, foreign }: Prefix): Mark | undefined {
  const { text, marks } = search
  const slot = layout[place]!
  const { valueStart } = marks[at]!
  for (let next = at + 1; next < marks.length; next++) {
    const mark = marks[next]!
    search.cost += costOfTry
    if (search.cost > maxCost) return foreign ?? marks.find((one) => one.foreign)
    const nextPlace = placeAfter(layout, place, mark)
    if (nextPlace === undefined || !isValid(search, slot, valueStart, mark.start)) continue
    const found = continueReading(search, layout, { at: next, place: nextPlace, foreign: foreign ?? foreignOf(mark) })
    if (found) return found
  }
  const isComplete = maySkip(layout, place, layout.length) && isValid(search, slot, valueStart, text.length)
  return isComplete ? foreign : undefined
}

/** Returns the place of a mark's parameter if it may follow the one at `place`. */
function placeAfter(layout: readonly Slot[], place: number, { name }: Mark): number | undefined {
  const next = layout.findIndex((slot) => slot.name === name)
  return next > place && maySkip(layout, place, next) ? next : undefined
}

/** Returns whether all parameters between two places are optional, or the first place is their alias. */
function maySkip(layout: readonly Slot[], from: number, to: number): boolean {
  return layout.slice(from + 1, to).every(({ required, meaning }) => !required || layout[from]?.meaning === meaning)
}

function isValid(search: Search, { required, format }: Slot, start: number, end: number): boolean {
  if (start === end) return !required
  if (!format) return true
  search.cost += end - start
  return format(search.text.slice(start, end))
}

/** A parameter at its place in the canonical string. */
interface Slot {
  readonly name: string
  /** The documented name of an alias. */
  readonly meaning: string
  readonly required: boolean
  /** Absent if any text is valid. */
  readonly format: ((value: string) => boolean) | undefined
}

/** Components of the canonical strings of the operations. */
interface Layouts {
  /** The slots of each operation, in canonical order. */
  readonly operations: readonly (readonly Slot[])[]
  readonly anyName: RegExp
}

let compiled: Layouts | undefined

/** Compiles the layouts at the first use, so that bundles without this module's function do not contain them. */
function layouts(): Layouts {
  if (compiled) return compiled
  const operations = [...Object.values(openOperations), sendNotify2023].map(layoutOf)
  const names = new Set(operations.flatMap((layout) => layout.map(({ name }) => name)))
  // ReDoS: names of parameters; nothing in them repeats.
  compiled = { operations, anyName: new RegExp(`(${[...names].join('|')})=`, 'g') }
  return compiled
}

function layoutOf(operation: Operation): Slot[] {
  // Signed requests have these even where the operation does not require a sign.
  const required = new Set([...(operation.parameters.required ?? []), 'appid', 'timestamp'])
  const schemas = new Map(Object.entries(operation.parameters.properties as Record<string, Schema>))
  schemas.delete('sign')
  const slots = Array.from(schemas, ([name, schema]): Slot => {
    return {
      name,
      meaning: name,
      required: required.has(name) && schema.default === undefined,
      format: formatOf(schema),
    }
  })
  for (const [name, meaning] of aliasesOf(operation)) {
    slots.push({ name, meaning, required: false, format: formatOf(schemas.get(meaning)!) })
  }
  for (const name of Object.keys(operation.ignored ?? {})) {
    slots.push({ name, meaning: name, required: false, format: undefined })
  }
  slots.push({ name: 'secret', meaning: 'secret', required: true, format: (value) => value === placeholder })
  return slots.sort((a, b) => byCodeUnit(a.name, b.name))
}

/** The part of a parameter's schema that is used here. */
interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  readonly items?: Schema
}

/** An integer without sign and leading zeros. */
const digits = /^(0|[1-9]\d{0,15})$/

/** Returns the test of a non-empty value, or undefined if any text is valid. */
function formatOf({
  type,
  enum: values,
  pattern,
  items,
  minimum = -Infinity,
  maximum = Infinity,
}: Schema): Slot['format'] {
  if (values) return (text) => values.some((value) => String(value) === text)
  if (type === 'integer') return (text) => digits.test(text) && Number(text) >= minimum && Number(text) <= maximum
  if (type === 'array') {
    const format = formatOf(items ?? {})
    return (text) => text.split(',').every((item) => item !== '' && (format?.(item) ?? true))
  }
  if (pattern === undefined) return undefined
  // ReDoS: analyzed where the operations declare it.
  const expression = new RegExp(pattern)
  return (text) => expression.test(text)
}
