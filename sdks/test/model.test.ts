import { errors, type Operation, openOperations } from '@souk/contract'
import { expect, test } from 'vitest'
import { enumerations } from '../../packages/contract/src/enumerations.ts'
import { errorHelp } from '../../packages/contract/src/errorHelp.ts'
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

test('an enumeration without a name is reported, as is one that lacks a value', () => {
  const result = (field: object) => ({
    result: objectOf({ flavor: field }),
    clientTypes: { result: { name: 'Tea', description: 'A tea.' } },
  })
  expect(faultsOf(result({ enum: ['mint', 'sage'] }))).toEqual([
    "packages/contract/src/open/trades.ts: add 'x-enum' to result.flavor of trade",
  ])
  expect(faultsOf(result({ enum: ['SAR', 'mint'], 'x-enum': 'Currency' }))).toEqual([
    'packages/contract/src/enumerations.ts: add mint of Currency, which result.flavor of trade has',
  ])
  expect(faultsOf(result({ ...text, 'x-enum': 'Flavor' }))).toEqual([
    'packages/contract/src/enumerations.ts: add Flavor, which result.flavor of trade has',
  ])
  expect(faultsOf(result({ enum: ['SAR'], 'x-enum': 'Currency' }))).toEqual([])
})

const { open, platform, models, enumerations: used, errorCodes } = describe()
const fields = [
  ...[...open, ...platform].map(({ parameters }) => parameters),
  ...models.map(({ fields }) => fields),
].flat()

test('all enumerations are used, and their values have different names', () => {
  expect(used.map(({ name }) => name)).toEqual(Object.keys(enumerations))
  for (const { values } of used) {
    expect(new Set(values.map(({ name }) => name)).size).toBe(values.length)
    expect(new Set(values.map(({ value }) => value)).size).toBe(values.length)
  }
})

test('error codes are those that operations and requests without one can have, with what to do', () => {
  const { description = '' } = errorCodes.find(({ value }) => value === 'trade_not_processing') ?? {}
  expect(description).toContain(errors.trade_not_processing.msg)
  expect(description).toContain(errorHelp.trade_not_processing.fix)
  expect(errorCodes.map(({ value }) => value)).toContain('route_unknown')
  expect(errorCodes.map(({ value }) => value)).not.toContain('totp_exists')
})

test('each field says what it is and its format', () => {
  for (const { name, description } of fields) expect(description, name).toMatch(/\.$/)
  const times = fields.filter(({ name, type }) => type.kind === 'integer' && /time|timestamp/i.test(name))
  for (const { name, description } of times.filter(({ name }) => name !== 'validityTime')) {
    expect(description, name).toContain('Unix time in milliseconds, UTC.')
  }
  for (const { description } of fields.filter(({ name }) => name === 'amount')) expect(description).toContain('cents')
})

test('formats are those of the contract', () => {
  const call = (id: string) => [...open, ...platform].find(({ name }) => name === id)!.parameters
  const textOf = (id: string, parameter: string) => call(id).find(({ name }) => name === parameter)?.description
  expect(textOf('sendActivity', 'color')).toBe('Message color. Six hexadecimal digits without #.')
  expect(textOf('sendNotify', 'title')).toBe('Topic. A string of 1 to 128 characters.')
  expect(textOf('trade', 'timeExpire')).toBe(
    'Expiry time: 1 minute to 7 days ahead, default 2 hours. Unix time in milliseconds, UTC.',
  )
  // The description has the format already, clients join lists, and enumerations list their values.
  expect(textOf('listRecords', 'cursor')).toBe('`next` of the previous page.')
  expect(textOf('sendNotify', 'openIds')).toBe('openIds from the user info operation; at most 500 distinct ones.')
  expect(textOf('trade', 'currency')).toBe('Currency code.')
  expect(textOf('exportRecords', 'format')).toContain(' Default: ndjson.')
})

test('the summary of an operation cites the specification if it has a section', () => {
  const { section: _, ...addition } = openOperations.tradedetail
  const { open: both } = describe({ open: [openOperations.tradedetail, addition], platform: [] })
  expect(both.map(({ summary }) => summary)).toEqual(['Query trade. See open-api §4.3.', 'Query trade.'])
})
