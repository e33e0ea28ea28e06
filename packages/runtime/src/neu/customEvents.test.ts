import { expect, onTestFinished, test, vi } from 'vitest'
import type { Carrier } from '../carriers/carrier.ts'
import { setCarrier } from '../carriers/current.ts'
import { setCustomEvents } from './customEvents.ts'
import { neu } from './index.ts'

vi.stubGlobal('__SOUK_PLATFORM__', 'Mini App')

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
