import { type Operation, openOperations } from '@souk/contract'
import { expect, test } from 'vitest'
import { describe } from '../generator/model.ts'

const integer = { type: 'integer' }
const text = { type: 'string' }
const objectOf = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

/** Returns what the generator says about variants of an operation with these results. */
function faultsOf(...changes: Pick<Operation, 'result' | 'clientTypes'>[]): string[] {
  const variants = changes.map((change) => ({ ...openOperations.trade, clientTypes: {}, ...change }))
  try {
    describe({ open: variants, platform: [] })
  } catch (error) {
    if (error instanceof AggregateError) return error.errors.map(({ message }) => message)
    throw error
  }
  return []
}

test('all types without a name are reported at once, with the file that declares the operation', () => {
  const part = objectOf({ part: integer })
  expect(faultsOf({ result: objectOf({ a: part }) }, { result: objectOf({ b: text }) })).toEqual([
    "packages/contract/src/open/trades.ts: add 'result.a' to clientTypes of trade",
    "packages/contract/src/open/trades.ts: add 'result' to clientTypes of trade",
    "packages/contract/src/open/trades.ts: add 'result' to clientTypes of trade",
  ])
})

test('a name is reported if it belongs to a type with other fields', () => {
  const clientTypes = { result: { name: 'Count', description: 'A count.' } }
  const [one, other] = [objectOf({ count: integer }), objectOf({ count: text })]
  expect(faultsOf({ result: one, clientTypes }, { result: one })).toEqual([])
  expect(faultsOf({ result: one, clientTypes }, { result: other, clientTypes })).toEqual([
    "packages/contract/src/open/trades.ts: Count has other fields: rename 'result' in clientTypes of trade",
  ])
})

test('the summary of an operation cites the specification if it has a section', () => {
  const { section: _, ...addition } = openOperations.tradedetail
  const { open } = describe({ open: [openOperations.tradedetail, addition], platform: [] })
  expect(open.map(({ summary }) => summary)).toEqual(['Query trade. See open-api §4.3.', 'Query trade.'])
})
