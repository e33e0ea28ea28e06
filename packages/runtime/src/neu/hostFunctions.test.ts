import { beforeEach, expect, test } from 'vitest'
import type { Carrier } from '../carriers/carrier.ts'
import { setCarrier } from '../carriers/current.ts'
import { ApiError } from './api.ts'
import { setHostFunctions } from './hostFunctionSchemas.ts'
import { neu } from './index.ts'

const schemas = {
  input: { type: 'object', properties: { program: { type: 'string' } }, required: ['program'] },
  result: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
}
const host = neu.host as unknown as Record<string, (input?: object) => Promise<unknown>>
let calls: unknown[]
let answer: () => Promise<object>

beforeEach(() => {
  calls = []
  answer = async () => ({ result: { number: '4711' } })
  setHostFunctions(async () => ({ loyaltyCard: schemas }))
  const call = async (...it: unknown[]) => {
    calls.push(it)
    return answer()
  }
  setCarrier({ call } as unknown as Carrier)
})

test('a call reaches the host with its input as JSON, and returns the result', async () => {
  expect(await host.loyaltyCard!({ program: 'tea' })).toEqual({ number: '4711' })
  expect(calls).toEqual([['callHostFunction', { name: 'loyaltyCard', input: '{"program":"tea"}' }]])
})

test('an invalid input does not reach the host', async () => {
  await expect(host.loyaltyCard!({ program: 1 })).rejects.toThrow(/^host\.loyaltyCard:fail input\.program: /)
  await expect(host.loyaltyCard!()).rejects.toThrow(/^host\.loyaltyCard:fail input: /)
  for (const name of ['bookTaxi', 'toString']) {
    await expect(host[name]!({})).rejects.toThrow(`host.${name}:fail it is not in host-functions.json`)
  }
  expect(calls).toEqual([])
})

test.each<[string, () => Promise<object>, object]>([
  [
    'an invalid result',
    async () => ({ result: { number: 1 } }),
    { errMsg: /^host\.loyaltyCard:fail result\.number: / },
  ],
  ['no result', async () => ({}), { errMsg: /^host\.loyaltyCard:fail result: / }],
  ['a declared failure', async () => ({ failure: 'noCard' }), { errMsg: /:fail noCard$/, failure: 'noCard' }],
  [
    'an error of the host',
    () => Promise.reject(new ApiError('callHostFunction:fail the user refused')),
    { errMsg: /^host\.loyaltyCard:fail the user refused$/ },
  ],
])('%s rejects', async (_, answers, expected) => {
  answer = answers
  const patterns = Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [
      key,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]),
  )
  await expect(host.loyaltyCard!({ program: 'tea' })).rejects.toMatchObject(patterns)
})
