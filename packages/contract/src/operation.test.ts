import { expect, test } from 'vitest'
import { operations } from './openapi.ts'
import { defaultMaxValues } from './operation.ts'

interface Schema {
  type?: string
  enum?: readonly unknown[]
  pattern?: string
  minLength?: number
  anyOf?: readonly Schema[]
  items?: Schema
  maxItems?: number
  minimum?: number
  maximum?: number
  'x-allowed'?: string
  properties?: Record<string, Schema>
}

/** Returns the number of values in the largest value of a schema; infinite if the schema has no limit. */
function valuesIn({ type, anyOf, items, maxItems, properties }: Schema): number {
  if (anyOf) return Math.max(...anyOf.map(valuesIn))
  if (type === 'array') return 1 + (maxItems ?? Infinity) * (items ? valuesIn(items) : Infinity)
  if (type !== 'object') return 1
  if (!properties) return Infinity
  return Object.values(properties).reduce((sum, each) => sum + valuesIn(each), 1)
}

const limited = operations
  .filter(({ method, body }) => method !== 'GET' && body?.includes('form') !== true)
  .map((operation) => [operation.id, valuesIn(operation.parameters as Schema), operation] as const)
  .filter(([, values]) => values < Infinity)

/** Parameters whose numbers are ids, and the largest values that other numbers have by default. */
const ids = ['uid', 'payer']
const usualBounds = [undefined, 0, Number.MAX_SAFE_INTEGER]

test('no text that is required may be empty, since an empty one counts as missing', () => {
  const empty = operations.flatMap(({ id, parameters }) => {
    const required: readonly string[] = parameters.required ?? []
    return Object.entries(parameters.properties as Record<string, Schema>)
      .filter(([name, { type }]) => required.includes(name) && type === 'string')
      .filter(([, { enum: values, pattern, minLength = 0 }]) => !values && !pattern && minLength === 0)
      .map(([name]) => `${id} ${name}`)
  })
  expect(empty).toEqual([])
})

test('the refusal of a number says its limits', () => {
  const silent = operations.flatMap(({ id, parameters }) =>
    Object.entries(parameters.properties as Record<string, Schema>)
      .filter(([name, { type }]) => type === 'integer' && !ids.includes(name))
      .filter(([, { minimum, maximum, 'x-allowed': allowed = '' }]) => {
        const bounds = [minimum, maximum].filter((bound) => !usualBounds.includes(bound))
        return allowed === '' || !bounds.every((bound) => new RegExp(`\\b${bound}\\b`).test(allowed))
      })
      .map(([name]) => `${id} ${name}`),
  )
  expect(silent).toEqual([])
})

test.each(limited)('the largest valid body of %s, of %i values, can be sent', (_id, values, { maxValues }) => {
  expect(values).toBeLessThanOrEqual(maxValues ?? defaultMaxValues)
})
