import { expect, test } from 'vitest'
import { operations } from './openapi.ts'
import { defaultMaxValues } from './operation.ts'

interface Schema {
  type?: string
  anyOf?: readonly Schema[]
  items?: Schema
  maxItems?: number
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

test.each(limited)('the largest valid body of %s, of %i values, can be sent', (_id, values, { maxValues }) => {
  expect(values).toBeLessThanOrEqual(maxValues ?? defaultMaxValues)
})
