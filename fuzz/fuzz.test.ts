import { operations } from '@souk/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listRegressions, readRegression } from './corpus.ts'
import { batchOf, type Callable } from './grammar/call.ts'
import { check, search } from './search.ts'
import { type Exchange, judge } from './server/judge.ts'
import { openWorld, type World } from './server/world.ts'
import { asyncTarget, functionTarget, type Target, Violation } from './target.ts'
import { targets } from './targets/index.ts'

const seed = 20_260_101
const noWorld = async (): Promise<World> => {
  throw new Error('This target needs no server')
}

/** Inputs of a target in this test. Fixed numbers, so that the result does not depend on the machine's speed. */
const countOf = ({ kind, weight }: Target) => Math.ceil((kind === 'server' ? 250 : 400) * Math.min(1, weight))

describe('all surfaces', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  test.each(targets.map((target): [string, Target] => [target.name, target]))(
    'no invariant is violated by generated inputs of %s',
    async (_name, target) => {
      const { inputs, findings } = await search(target, { seed, count: countOf(target) }, async () => world)
      expect(findings).toEqual([])
      expect(inputs).toBeGreaterThanOrEqual(countOf(target))
    },
  )

  test.each(listRegressions())('%s no longer violates an invariant', async (path) => {
    const { target: name, input } = readRegression(path)
    const target = targets.find((each) => each.name === name)!
    expect(await check(target, input, async () => world)).toBeUndefined()
  })
})

describe('the search', () => {
  test('reduces an input that fails, and reports each place once', async () => {
    const target = functionTarget({
      name: 'pages/planted',
      surface: 'pages',
      weight: 1,
      inputs: fc.string({ unit: fc.constantFrom('a', 'b', 'x'), minLength: 5, maxLength: 50 }),
      check: (text) => {
        if (text.includes('x')) throw new Violation('x', 'contains x')
      },
    })
    const { inputs, findings } = await search(target, { seed, count: 2_000 }, noWorld)
    expect(inputs).toBe(2_000)
    expect(findings).toMatchObject([{ where: 'x', input: 'axaaa' }])
    expect(await check(target, findings[0]!.input, noWorld)).toMatchObject({ where: 'x' })
    expect(await search(target, { seed, count: 2_000 }, noWorld)).toEqual({ inputs, findings })
  })

  test('reports inputs that take more than a second of CPU time', async () => {
    const target = asyncTarget({
      name: 'pages/slow',
      surface: 'pages',
      weight: 1,
      inputs: fc.constant('slow'),
      check: async () => {
        const start = process.cpuUsage()
        while (process.cpuUsage(start).user < 1_100_000);
      },
    })
    expect(await check(target, 'slow', noWorld)).toMatchObject({ where: 'slow' })
  })
})

describe('requests to an operation', () => {
  const planted: Callable = {
    id: 'newOperation',
    surface: 'console',
    method: 'POST',
    path: '/console/v1/apps/{appid}/news',
    body: ['json'],
    parameters: {
      properties: { appid: { type: 'string' }, count: { type: 'integer', minimum: 1, maximum: 5 } },
      required: ['appid'],
    },
  }

  test('are generated from its declaration alone, with valid and invalid values', () => {
    const calls = fc.sample(batchOf([planted], ['owner']), { seed, numRuns: 100 }).flatMap((batch) => batch.calls)
    const counts = calls.map(({ parameters }) => parameters.count)
    expect(calls.map(({ parameters }) => parameters.appid)).toContain('{{own.appid}}')
    expect(counts).toEqual(expect.arrayContaining([1, undefined]))
    expect(counts.some((count) => typeof count === 'string')).toBe(true)
  })

  test('reach every operation of the contract', () => {
    const names = new Set(targets.filter(({ kind }) => kind === 'server').map(({ surface }) => surface))
    expect([...new Set(operations.map(({ surface }) => (surface === 'ops' ? 'releases' : surface)))].sort()).toEqual(
      [...names].sort(),
    )
  })
})

describe('the answer to a request', () => {
  const callable = operations.find(({ id }) => id === 'listIssuers')!
  const exchange = (status: number, body: unknown, change: Partial<Exchange> = {}): Exchange => ({
    callable,
    call: { operation: callable.id, caller: 'viewer', parameters: {}, changes: [] },
    caller: { headers: {}, is: 'viewer' },
    request: { method: 'GET', target: callable.path, headers: {}, body: Buffer.alloc(0) },
    answer: {
      status,
      contentType: status < 400 ? 'application/json' : 'application/problem+json',
      headers: {},
      text: typeof body === 'string' ? body : JSON.stringify(body),
    },
    ...change,
  })
  const world = { secrets: new Map([['apiKey', 'key-0123456789']]), foreignMarker: 'foreign0123' }
  const problem = (status: number, code: string) => ({ status, code, requestId: '1' })
  const placeOf = (each: Exchange) => judge(each, world)?.where
  const administrator: Partial<Exchange> = { caller: { headers: {}, is: 'administrator' } }

  test.each<[string, Exchange, string | undefined]>([
    ['an allowed success', exchange(200, [], administrator), undefined],
    ['a declared error', exchange(403, problem(403, 'permission_denied')), undefined],
    ['an unavailable server', exchange(503, problem(503, 'unavailable')), undefined],
    ['an internal error', exchange(500, problem(500, 'internal')), 'listIssuers: server error'],
    ['a success that the table of rights denies', exchange(200, []), 'listIssuers: allowed'],
    ['an error that is not JSON', exchange(404, 'Not Found'), 'listIssuers: the error is not JSON'],
    ['an unknown error', exchange(400, problem(400, 'oops')), 'listIssuers: the error is not registered'],
    [
      'an error with the status of another',
      exchange(400, problem(400, 'permission_denied')),
      'listIssuers: the status of permission_denied is wrong',
    ],
    [
      'an error that the operation does not declare',
      exchange(404, problem(404, 'trade_not_found')),
      'listIssuers: the operation does not declare trade_not_found',
    ],
    [
      'an error in the envelope of the open API',
      exchange(403, { responseHeader: { status: 403, code: 'permission_denied' }, response: null }),
      'listIssuers: the error has the form of another surface',
    ],
    [
      'an error without a request id',
      exchange(403, { status: 403, code: 'permission_denied' }),
      'listIssuers: the form of the error is wrong',
    ],
    [
      'a secret',
      exchange(403, { ...problem(403, 'permission_denied'), detail: 'key-0123456789' }),
      'listIssuers: secret apiKey',
    ],
    [
      'data of another project',
      exchange(403, { ...problem(403, 'permission_denied'), detail: 'foreign0123' }),
      'listIssuers: foreign data',
    ],
  ])('is judged: %s', (_name, each, where) => {
    expect(placeOf(each)).toBe(where)
  })
})
