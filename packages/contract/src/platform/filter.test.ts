import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FilterSyntaxError, filterOperators, formatFilter, maxFilterConditions, parseFilter } from './filter.ts'

const condition = fc.record({
  field: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,8}$/),
  operator: fc.constantFrom(...filterOperators),
  value: fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('null', '', ' a ', '"', ',', '\\', 'a"b', '=1'),
  ),
})

test('parses formatted conditions back', () => {
  fc.assert(
    fc.property(fc.array(condition, { minLength: 1, maxLength: maxFilterConditions }), (conditions) => {
      expect(parseFilter(formatFilter(conditions))).toEqual(conditions)
    }),
  )
})

test('parses any string or throws FilterSyntaxError', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'a=!<>~," \\n1') })), (text) => {
      try {
        expect(parseFilter(text).length).toBeGreaterThan(0)
      } catch (error) {
        expect(error).toBeInstanceOf(FilterSyntaxError)
      }
    }),
    { numRuns: 1000 },
  )
})

test('ignores white space, keeps quoted values, and reads an unquoted null as a missing value', () => {
  expect(parseFilter(' amount >= 100 , name = "a, \\"b\\"" ,x=null,y!="null",z~ a = b ')).toEqual([
    { field: 'amount', operator: '>=', value: '100' },
    { field: 'name', operator: '=', value: 'a, "b"' },
    { field: 'x', operator: '=', value: null },
    { field: 'y', operator: '!=', value: 'null' },
    { field: 'z', operator: '~', value: 'a = b' },
  ])
})
