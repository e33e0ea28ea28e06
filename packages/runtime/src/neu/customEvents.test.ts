import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Carrier } from '../carriers/carrier.ts'
import { setCarrier } from '../carriers/current.ts'
import { setCustomEvents } from './customEvents.ts'
import { neu } from './index.ts'

vi.stubGlobal('__SOUK_PLATFORM__', 'Mini App')
vi.stubGlobal('__SOUK_DEV__', true)

/** Collects the calls of the host. */
function host(collectsEvents: boolean): unknown[] {
  const calls: unknown[] = []
  setCarrier({ collectsEvents, call: async (...it: unknown[]) => calls.push(it) } as unknown as Carrier)
  return calls
}

test('an event reaches the host with its fields as they are at the call', () => {
  const calls = host(true)
  const fields = { category: 'tea', price: 300 }
  expect(neu.reportEvent('addToCart', fields)).toBe(undefined)
  fields.price = 0
  neu.reportEvent('order')
  expect(calls).toEqual([
    ['reportCustomEvent', { name: 'addToCart', fields: '{"category":"tea","price":300}' }],
    ['reportCustomEvent', { name: 'order', fields: '{}' }],
  ])
})

test('a host that collects nothing gets nothing', () => {
  const calls = host(false)
  neu.reportEvent('order')
  expect(calls).toEqual([])
})

test.each([
  [
    {},
    'order',
    {},
    'order is not counted unless the console declares it: custom-events.json does not have this event.',
  ],
  [
    { order: {} },
    'order',
    { price: 1 },
    'order.price is not counted unless the console declares it: custom-events.json does not have this field.',
  ],
  [
    { order: { fields: { price: { type: 'integer' } } } },
    'order',
    { price: -1 },
    'order.price is not counted: the field cannot have this value.',
  ],
  [{}, 'order', { price: 1.5 }, 'order: price must be a short text, a whole number, true or false.'],
  [
    { order: { fields: { mail: { type: 'string' } } } },
    'order',
    {},
    expect.stringContaining('custom-events.json: order.mail: a field has'),
  ],
])('in development it says that %j refuses %s %j', async (declared, name, fields, hint) => {
  host(true)
  setCustomEvents(async () => declared)
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => {
    setCustomEvents(undefined)
    warn.mockRestore()
  })
  neu.reportEvent(name, fields as Record<string, number>)
  await vi.waitFor(() => expect(warn).toHaveBeenCalled())
  expect(warn.mock.calls).toEqual([[typeof hint === 'string' ? `reportEvent: ${hint}` : hint]])
})

const circular: { self?: object } = {}
circular.self = circular
const throwing = {
  get price(): number {
    throw new Error('no price')
  },
}
const rejected = () => Promise.reject(new Error('offline'))

describe.each([
  ['a release', undefined],
  ['development', async () => ({})],
  ['development, without the declarations', rejected],
])('in %s', (_, load) => {
  test.each([
    ['fields that contain themselves', 'order', circular],
    ['a BigInt', 'order', { price: 1n }],
    ['fields that throw', 'order', throwing],
    ['a function', 'order', () => {}],
    ['a symbol', 'order', Symbol('price')],
    ['null', 'order', null],
    ['a list', 'order', [1]],
    ['no name', undefined, {}],
    ['a name that is a symbol', Symbol('order'), {}],
    ['a name without a text', Object.create(null), {}],
  ])('does not break the mini app: %s', async (_, name, fields) => {
    host(true)
    setCustomEvents(load as never)
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    onTestFinished(() => {
      setCustomEvents(undefined)
      warn.mockRestore()
      process.off('unhandledRejection', unhandled)
    })
    expect(neu.reportEvent(name as never, fields as never)).toBe(undefined)
    if (load) await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^reportEvent:/)))
    await new Promise((resolve) => setTimeout(resolve))
    expect(unhandled).not.toHaveBeenCalled()
  })
})

test('arguments that JSON cannot contain are named in a warning', () => {
  const calls = host(true)
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  neu.reportEvent('order', (() => {}) as never)
  neu.reportEvent('order', { price: 1n } as never)
  expect(calls).toEqual([])
  expect(warn.mock.calls).toEqual([
    ['reportEvent:fail fields must be a value that JSON can contain'],
    [expect.stringMatching(/^reportEvent:fail .*BigInt/)],
  ])
})
