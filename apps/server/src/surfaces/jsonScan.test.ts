import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonScan } from './jsonScan.ts'

const none = { values: Infinity, levels: Infinity }

/** Counts the values and levels of a parsed text. */
function measure(value: unknown): { values: number; levels: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, levels: 0 }
  const parts = Object.values(value).map(measure)
  return {
    values: parts.reduce((sum, each) => sum + each.values, 1),
    levels: 1 + Math.max(0, ...parts.map(({ levels }) => levels)),
  }
}

const spaced = fc.constantFrom(0, 1, '\t')
const json = fc
  .tuple(fc.json({ maxDepth: 6 }), spaced)
  .map(([text, space]) => JSON.stringify(JSON.parse(text), null, space))

test('counts the values and levels of any JSON text, in one piece or in parts', () => {
  fc.assert(
    fc.property(json, fc.nat(50), (text, part) => {
      const bytes = Buffer.from(text)
      const { values, levels } = measure(JSON.parse(text))
      const scan = new JsonScan(bytes, { values, levels })
      for (let end = part; end < bytes.length; end += part + 1) expect(scan.advance(end)).toBeUndefined()
      expect(scan.advance()).toBeUndefined()
      expect(scan.values).toBe(values)
      expect(new JsonScan(bytes, { values: values - 1, levels }).advance()).toBe(values > 1 ? 'values' : undefined)
      expect(new JsonScan(bytes, { values, levels: levels - 1 }).advance()).toBe(levels > 0 ? 'levels' : undefined)
    }),
    { seed: 1 },
  )
})

test('finds the items of a list in the outermost object, with any text around it', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
  fc.assert(
    fc.property(object, fc.array(fc.jsonValue({ maxDepth: 3 })), object, spaced, (before, records, after, space) => {
      const text = JSON.stringify({ ...before, records, ...after, records2: { records: [1, 2] } }, null, space)
      const bytes = Buffer.from(text)
      const expected = JSON.parse(text).records
      const scan = new JsonScan(bytes, none, 'records')
      expect(scan.advance()).toBeUndefined()
      if (!Array.isArray(expected)) return
      expect(scan.items.map(({ start, end }) => JSON.parse(bytes.toString('utf8', start, end)))).toEqual(expected)
      const { start, end } = scan.list!
      expect(JSON.parse(`${bytes.subarray(0, start)}${bytes.subarray(end)}`).records).toEqual([])
    }),
    { seed: 1 },
  )
})

test('ends at the first item beyond the limit, in this list only', () => {
  const text = '{"others":[1,2,3],"records":[1,[2,3],{"a":4,"b":5}]}'
  const scanOf = (items: number) => new JsonScan(Buffer.from(text), { ...none, items }, 'records')
  expect(scanOf(3).advance()).toBeUndefined()
  expect(scanOf(2).advance()).toBe('items')
})

test.each(['', '[', '{"a":"', '{"a":"\\', ']]]]', '{"records":[1,', '{"records":[,]}', '"'])(
  'ends on %j, which is not JSON',
  (text) => {
    expect(new JsonScan(Buffer.from(text), none, 'records').advance()).toBeUndefined()
  },
)
