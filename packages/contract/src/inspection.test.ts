import { expect, test } from 'vitest'
import { agentKinds, type InspectedValue, inspectionLimits, readInspection } from './inspection.ts'

const leaf: InspectedValue = { type: 'string', text: 'latte' }
const logged = { kind: 'console', time: 1, level: 'log', values: [leaf] } as const

test('accepts valid entries, without unknown fields', () => {
  const entries = [
    { ...logged, more: 1 },
    { kind: 'request', id: 1, time: 2, method: 'GET', url: 'https://coffee.example/', headers: [['accept', '*/*']] },
    { kind: 'response', id: 1, time: 3, status: 200, headers: [], body: '{}', size: 2 },
    { kind: 'storage', items: [{ key: 'size', text: '"S"', size: 3 }] },
    { kind: 'pages', pages: [{ id: 1, path: 'pages/a/a', query: '', data: leaf, changes: leaf }] },
  ]
  expect(readInspection({ entries })).toEqual([logged, ...entries.slice(1)])
})

test('drops invalid entries and keeps the others', () => {
  const invalid = [
    null,
    'console',
    {},
    { kind: 'constructor' },
    { ...logged, level: 'fatal' },
    { ...logged, time: Number.NaN },
    { ...logged, values: [{ type: 'html', text: '<b>' }] },
    { ...logged, values: [{ type: 'string', text: 'x'.repeat(inspectionLimits.text + 1) }] },
    { ...logged, values: [{ type: 'object', text: 'Object', entries: [['a']] }] },
    { kind: 'response', id: 1, time: 3, status: 1.5, headers: [] },
  ]
  expect(readInspection({ entries: [...invalid, logged] })).toEqual([logged])
  for (const data of [null, 'x', {}, { entries: 'x' }]) expect(readInspection(data)).toEqual([])
})

test('limits the number of entries, the nesting of values and their parts', () => {
  const many = Array.from({ length: inspectionLimits.entries + 1 }, () => logged)
  expect(readInspection({ entries: many })).toHaveLength(inspectionLimits.entries)
  let deep: InspectedValue = leaf
  for (let depth = 0; depth <= inspectionLimits.depth; depth++)
    deep = { type: 'object', text: 'Object', entries: [['in', deep]] }
  const wide = (value: InspectedValue): InspectedValue => ({
    type: 'array',
    text: 'Array',
    entries: Array.from({ length: 50 }, (_, index) => [String(index), value]),
  })
  for (const value of [deep, wide(wide(leaf))])
    expect(readInspection({ entries: [{ ...logged, values: [value] }] })).toEqual([])
})

test('an agent may not report what its host sees', () => {
  const call = { kind: 'call', id: 1, time: 1, method: 'login', params: leaf }
  expect(readInspection({ entries: [call, { kind: 'start', time: 1 }, logged] }, agentKinds)).toEqual([logged])
})
