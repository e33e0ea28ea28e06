import fc from 'fast-check'
import type { Json } from './values.ts'

/** The part of JSON Schema that the contract uses. */
export interface Schema {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  patternProperties?: Readonly<Record<string, Schema>>
  additionalProperties?: Schema | boolean
}

/** Usual maximum length of valid strings and lists. Longer ones reveal little more. */
const usualLength = 40
const usualItems = 4

/** Creates values that a schema allows. */
export function valueFor(schema: Schema): fc.Arbitrary<Json> {
  if (schema.const !== undefined) return fc.constant(schema.const as Json)
  if (schema.enum) return fc.constantFrom(...(schema.enum as Json[]))
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valueFor))
  switch (schema.type) {
    case 'string':
      return stringOf(schema)
    case 'integer':
    case 'number':
      return fc.maxSafeInteger().map((value) => between(value, schema.minimum, schema.maximum))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return listOf(schema)
    case 'object':
      return objectOf(schema)
    default:
      return fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>
  }
}

function stringOf({ pattern, minLength = 0, maxLength = usualLength }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  const usual = fc.string({
    unit: 'grapheme',
    minLength,
    maxLength: Math.max(minLength, Math.min(maxLength, usualLength)),
  })
  return fc.oneof({ arbitrary: usual, weight: 20 }, { arbitrary: fc.constant('x'.repeat(maxLength)), weight: 1 })
}

/** Maps an integer into the range, keeping both ends likely. */
function between(value: number, minimum = 0, maximum = Number.MAX_SAFE_INTEGER): number {
  const size = maximum - minimum + 1
  return value >= minimum && value <= maximum ? value : minimum + (Math.abs(value) % size)
}

function listOf({ items = {}, minItems = 0, maxItems = usualItems, uniqueItems = false }: Schema): fc.Arbitrary<Json> {
  const limits = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, usualItems)) }
  return uniqueItems
    ? fc.uniqueArray(valueFor(items), { ...limits, selector: (item) => JSON.stringify(item) })
    : fc.array(valueFor(items), limits)
}

function objectOf({ properties, required = [], patternProperties }: Schema): fc.Arbitrary<Json> {
  if (properties) {
    const values = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, valueFor(each)]))
    return fc.record(values, { requiredKeys: required.filter((name) => name in values) }) as fc.Arbitrary<Json>
  }
  const [each = {}] = Object.values(patternProperties ?? {})
  return fc.dictionary(fc.string({ maxLength: 10 }), valueFor(each), { maxKeys: usualItems }) as fc.Arbitrary<Json>
}
