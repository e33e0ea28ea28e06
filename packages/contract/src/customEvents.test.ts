import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { consoleOperations } from './console/index.ts'
import { customEventLimits, findEventsProblem, findMalformed, findRefusal } from './customEvents.ts'
import { hostOperations } from './host/index.ts'

const fields = {
  category: { type: 'enum', values: ['tea', 'coffee'] },
  price: { type: 'integer' },
  member: { type: 'boolean' },
} as const
const declared = { addToCart: { fields }, order: { fields: {} } }

test.each([
  ['addToCart', { category: 'tea', price: 1_000_000, member: false }],
  ['addToCart', {}],
  ['order', {}],
])('counts %s with %j', (name, given) => {
  expect(findMalformed(name, given)).toBe(undefined)
  expect(findRefusal(declared, { name, fields: given })).toBe(undefined)
})

test.each([
  ['leave', {}, 'event', 'leave'],
  ['toString', {}, 'event', 'toString'],
  ['order', { price: 1 }, 'field', 'order.price'],
  ['order', { constructor: 1 }, 'field', 'order.constructor'],
  ['addToCart', { category: 'milk' }, 'value', 'addToCart.category'],
  ['addToCart', { category: 1 }, 'value', 'addToCart.category'],
  ['addToCart', { price: -1 }, 'value', 'addToCart.price'],
  ['addToCart', { price: 1_000_001 }, 'value', 'addToCart.price'],
  ['addToCart', { member: 1 }, 'value', 'addToCart.member'],
  ['addToCart', undefined, 'value', 'addToCart'],
] as const)('refuses %s with %j', (name, given, reason, refused) => {
  expect(findRefusal(declared, { name, ...(given && { fields: given }) })).toEqual({ reason, name: refused })
})

test.each([
  ['', {}],
  [1, {}],
  ['add-to-cart', {}],
  ['order', []],
  ['order', null],
  ['order', { 'a b': 1 }],
  ['order', { price: 1.5 }],
  ['order', { note: 'x'.repeat(41) }],
  ['order', { note: '\0' }],
  ['order', { note: '\ud800' }],
  ['order', { more: {} }],
  ['order', Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`f${n}`, 1]))],
])('%j with %j is not an event', (name, given) => {
  expect(findMalformed(name, given)).toEqual(expect.any(String))
})

const values = (count: number) => Array.from({ length: count }, (_, n) => `v${n}`)
const enumOf = (list: unknown) => ({ order: { fields: { kind: { type: 'enum', values: list } } } })

test.each([
  [[], 'it must be an object'],
  [null, 'it must be an object'],
  [Object.fromEntries(values(51).map((name) => [name, {}])), 'at most 50 events'],
  [{ order: null }, 'order must be an object'],
  [{ order: { field: {} } }, 'order.field: there is no such key'],
  [{ order: { description: 'x'.repeat(201) } }, 'order.description must be'],
  [{ order: { description: 'a\0b' } }, 'order.description must be'],
  [{ order: { description: '\udc00' } }, 'order.description must be'],
  [{ 'a\0\ud800': {} }, 'a\ufffd\ufffd: a name is'],
  [{ order: { '\ud800': {} } }, 'order.\ufffd: there is no such key'],
  [{ order: { fields: { 'a\0': { type: 'integer' } } } }, 'order.a\ufffd: a field has'],
  [{ order: { fields: [] } }, 'order.fields must be an object'],
  [
    { order: { fields: Object.fromEntries(values(11).map((name) => [name, { type: 'integer' }])) } },
    'more than 10 fields',
  ],
  [{ order: { fields: { price: { type: 'integer', values: [] } } } }, 'order.price: a field has'],
  [{ order: { fields: { price: { type: 'integer', most: 1 } } } }, 'order.price: a field has'],
  [enumOf([]), 'order.kind: a field has'],
  [enumOf(['tea', 'tea']), 'order.kind: a field has'],
  [enumOf(['']), 'order.kind: a field has'],
  [enumOf(['a\nb']), 'order.kind: a field has'],
  [enumOf(['a\0b']), 'order.kind: a field has'],
  [enumOf(['\ud800']), 'order.kind: a field has'],
  [enumOf(['\udc00\ud800']), 'order.kind: a field has'],
  [enumOf(['😀'.repeat(41)]), 'order.kind: a field has'],
  [enumOf(values(51)), 'order.kind: a field has'],
  [
    Object.fromEntries(values(5).map((name) => [name, { fields: { kind: { type: 'enum', values: values(41) } } }])),
    `its fields have 205 values, of at most ${customEventLimits.counted}`,
  ],
])('%j is not valid', (given, problem) => {
  expect(findEventsProblem(given)).toContain(problem)
})

const mood = '😀'.repeat(customEventLimits.value)
const description = '😀'.repeat(customEventLimits.description)

test('lengths count characters, not the halves of which some consist', () => {
  const share = { description, fields: { mood: { type: 'enum', values: [mood] } } } as const
  expect(findEventsProblem({ share })).toBe(undefined)
  expect(findMalformed('share', { mood })).toBe(undefined)
  expect(findRefusal({ share }, { name: 'share', fields: { mood } })).toBe(undefined)
})

const { putCustomEvent, createFunnel } = consoleOperations
const declares = Compile(putCustomEvent.parameters)
const event = { appid: 'demoapp00000001', name: 'order', description: '', fields: {} }
const ofValue = (value: string) => ({ ...event, fields: { kind: { type: 'enum', values: [value] } } })

test('the console accepts what a file may contain', () => {
  expect(declares.Check({ ...event, description })).toBe(true)
  expect(declares.Check(ofValue(mood))).toBe(true)
  for (const text of ['a\0b', 'a\nb', '\ud800', '\udc00']) {
    expect(declares.Check({ ...event, description: text })).toBe(false)
    expect(declares.Check(ofValue(text))).toBe(false)
    expect(declares.Check({ ...event, fields: { [text]: { type: 'integer' } } })).toBe(false)
    const funnel = { appid: event.appid, steps: ['view', 'order'] }
    expect(Compile(createFunnel.parameters).Check({ ...funnel, name: text })).toBe(false)
  }
  expect(declares.Check({ ...event, description: `${description}x` })).toBe(false)
  expect(declares.Check(ofValue(`${mood}x`))).toBe(false)
})

test('a report has names of fields that can be counted', () => {
  const { parameters } = hostOperations.recordEvents
  const reports = (fields: object) =>
    Compile(parameters).Check({
      appid: event.appid,
      releaseId: '0'.repeat(32),
      events: [{ kind: 'custom', age: 0, custom: { name: 'order', fields } }],
    })
  expect(reports({ kind: mood })).toBe(true)
  for (const name of ['+966 50 123 4567', 'a.b', '', 'x'.repeat(65)]) expect(reports({ [name]: 1 })).toBe(false)
})

test('declarations may omit descriptions and fields', () => {
  expect(findEventsProblem({ addToCart: { description: 'x', fields }, order: {} })).toBe(undefined)
})
