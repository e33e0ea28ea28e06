import type { InspectedValue, InspectionEntry } from '@souk/contract/inspection'
import { describe, expect, test } from 'vitest'
import { launchesOf } from './launches.ts'
import { isSimilarText, isSimilarValue, matchesText } from './patterns.ts'
import { createReplay } from './replay.ts'
import { createTurns } from './turns.ts'

/** Returns a value as the inspector reports it. */
function inspected(value: unknown): InspectedValue {
  if (Array.isArray(value))
    return { type: 'array', text: '', entries: value.map((each, at) => [String(at), inspected(each)]) }
  if (typeof value === 'object' && value !== null)
    return { type: 'object', text: '', entries: Object.entries(value).map(([name, each]) => [name, inspected(each)]) }
  return { type: value === null ? 'null' : (typeof value as 'string'), text: String(value) }
}
let id = 0
const called = (method: string, params: object, answer: { result: object } | { errMsg: string } | undefined) => {
  const call = { kind: 'call', id: ++id, time: 1, method, params: inspected(params) } as const
  if (!answer) return [call]
  const given = 'errMsg' in answer ? answer : { result: inspected(answer.result) }
  return [call, { kind: 'answer', id, time: 1, ...given } as const]
}
const requested = (method: string, url: string, response: object, body?: string) => {
  const request = { kind: 'request', id: ++id, time: 1, method, url, headers: [], ...(body !== undefined && { body }) }
  return [request, { kind: 'response', id, time: 1, headers: [], ...response }] as InspectionEntry[]
}
const launch = (...entries: InspectionEntry[][]): InspectionEntry[] => [
  { kind: 'start', time: 5 },
  { kind: 'mark', mark: 'start', time: 5 },
  ...entries.flat(),
]
const replayOf = (...entries: InspectionEntry[][]) => createReplay(launchesOf(launch(...entries)))

describe('calls', () => {
  test('are answered by name and parameters, each recorded answer once and in order', async () => {
    const replay = replayOf(
      called('getStorage', { key: 'a' }, { result: { data: 1 } }),
      called('getStorage', { key: 'b' }, { result: { data: [null, true, 'x'] } }),
      called('getStorage', { key: 'a' }, { result: { data: 2 } }),
      called('login', {}, { errMsg: 'login:fail offline' }),
    )
    const call = (key: string) => replay.call('getStorage', { key })
    expect(await call('b')).toEqual({ result: { data: [null, true, 'x'] } })
    expect(await call('a')).toEqual({ result: { data: 1 } })
    expect(await call('a')).toEqual({ result: { data: 2 } })
    expect(await replay.call('login', {})).toEqual({ errMsg: 'login:fail offline' })
    const more = 'getStorage:fail the recording contains getStorage({"key":"a"}) only 2 times'
    expect(await call('a')).toEqual({ errMsg: more })
  })

  test('fail if they are not recorded, with the reason', async () => {
    const replay = replayOf(called('share', { title: 'Tea' }, { result: {} }), called('scanCode', {}, undefined))
    expect(await replay.call('login', {})).toEqual({ errMsg: 'login:fail the recording does not contain login({})' })
    expect(await replay.call('share', { title: 'Milk' })).toEqual({
      errMsg:
        'share:fail the recording does not contain share({"title":"Milk"}); it contains share with other content once',
    })
    expect(await replay.call('scanCode', {})).toEqual({
      errMsg: 'scanCode:fail the recording ends before the answer to scanCode',
    })
  })

  test('match what is masked or was cut, and refuse an answer that was cut', async () => {
    const cut: InspectedValue = { type: 'object', text: '', entries: [['list', { ...inspected([1]), omitted: 9 }]] }
    const replay = createReplay(
      launchesOf(
        launch(
          called(
            'pay',
            { code: '******', note: 'to ****** from me', input: '{"phone":"******"}' },
            { result: { ok: true } },
          ),
          [
            { kind: 'call', id: 900, time: 1, method: 'read', params: cut },
            { kind: 'answer', id: 900, time: 1, result: cut },
          ],
          called('place', {}, undefined),
          [{ kind: 'answer', id, time: 1, result: { ...inspected({}), entries: [] } }],
        ),
      ),
    )
    const params = { code: 'secret', note: 'to Sara from me', input: '{ "phone": "123" }' }
    expect(await replay.call('pay', { ...params, note: 'to you' })).toHaveProperty('errMsg')
    expect(await replay.call('pay', { ...params, more: 1 })).toHaveProperty('errMsg')
    expect(await replay.call('pay', params)).toEqual({ result: { ok: true } })
    expect(await replay.call('read', { list: [1, 2, 3] })).toEqual({
      errMsg: 'read:fail the recording contains only a part of the answer to read',
    })
  })
})

describe('requests', () => {
  const url = 'https://api.example/menu?size=L'

  test('are answered by method, address and body; the backend may have another host', async () => {
    const replay = replayOf(
      requested('GET', url, {
        status: 200,
        body: '[1]',
        headers: [
          ['content-length', '3'],
          ['x-a', 'b'],
        ],
      }),
      requested('GET', url, { status: 503, body: 'later' }),
      requested('POST', 'https://api.example/orders', { status: 201, body: '{}' }, '{"drink":"tea"}'),
    )
    const get = { method: 'GET', url: url.replace('https://api.example', 'http://localhost:3000') }
    expect(await replay.request(get)).toEqual({ status: 200, headers: [['x-a', 'b']], body: '[1]' })
    expect(await replay.request(get)).toMatchObject({ status: 503, body: 'later' })
    expect(await replay.request(get)).toEqual({ missing: expect.stringContaining('only 2 times') })
    const order = { method: 'POST', url: 'https://api.example/orders' }
    expect(await replay.request({ ...order, body: '{"drink":"milk"}' })).toEqual({
      missing: expect.stringContaining('does not contain POST https://api.example/orders; it contains this address'),
    })
    expect(await replay.request({ ...order, body: '{"drink":"tea"}' })).toMatchObject({ status: 201 })
  })

  test('fail as they did, and if their body was not recorded', async () => {
    const replay = replayOf(
      requested('GET', url, { status: 0, error: 'TypeError: Failed to fetch' }),
      requested('GET', url, { status: 200, size: 70_000 }),
      requested('GET', url, { status: 204, size: 0 }),
    )
    const get = () => replay.request({ method: 'GET', url })
    expect(await get()).toMatchObject({ status: 0, error: 'TypeError: Failed to fetch' })
    expect(await get()).toEqual({ missing: expect.stringContaining('does not contain the body') })
    expect(await get()).toMatchObject({ status: 204, body: '' })
  })
})

describe('launches', () => {
  const storage = (key: string): InspectionEntry => ({ kind: 'storage', items: [{ key, text: '1', size: 1 }] })
  const page = (path: string): InspectionEntry => ({
    kind: 'pages',
    pages: [{ id: 1, path, query: 'table=7', data: inspected({}), changes: inspected({}) }],
  })

  test('begin with the recorded storage and page; what was inspected after its launch is none', () => {
    const before: InspectionEntry[] = [
      { kind: 'start', time: 4 },
      { kind: 'mark', mark: 'start', time: 1 },
      { kind: 'mark', mark: 'welcome', time: 2 },
      ...called('login', {}, { result: {} }),
    ]
    const launches = launchesOf([...before, ...launch([storage('first'), storage('later'), page('pages/a/a')])])
    expect(launches).toHaveLength(1)
    expect(launches[0]).toMatchObject({
      calls: [],
      storage: [['first', '1']],
      start: { path: 'pages/a/a', query: { table: '7' } },
    })
    expect(launchesOf(before)).toEqual([])
    const restarted: InspectionEntry[] = [
      { kind: 'start', time: 4 },
      { kind: 'mark', mark: 'start', time: 3 },
      { kind: 'mark', mark: 'welcome', time: 5 },
    ]
    expect(launchesOf(restarted)).toHaveLength(1)
  })

  test('begin again from the start, and go on after a recorded restart', async () => {
    const replay = createReplay(
      launchesOf([
        ...launch(
          [storage('one')],
          called('login', {}, { result: { at: 1 } }),
          called('restartMiniApp', { path: '' }, { result: {} }),
        ),
        ...launch([storage('two')], called('login', {}, { result: { at: 2 } })),
      ]),
    )
    const login = () => replay.call('login', {})
    for (let reload = 0; reload < 2; reload++) {
      expect(replay.launch().storage).toEqual([['one', '1']])
      expect(await login()).toEqual({ result: { at: 1 } })
    }
    await replay.call('restartMiniApp', { path: '' })
    expect(replay.launch().storage).toEqual([['two', '1']])
    expect(await login()).toEqual({ result: { at: 2 } })
    expect(replay.launch().storage).toEqual([['one', '1']])
  })
})

test.each([
  ['a', 'a', true],
  ['a', 'b', false],
  ['******', 'anything', true],
  ['a******c', 'abbc', true],
  ['a******a', 'a', false],
  ['a******b******c', 'a1b2c', true],
  ['a******b******c', 'a1c2b', false],
  ['{"a":"******","b":1}', '{ "a": "x", "b": 1 }', true],
  ['{"a":"******","b":1}', '{ "a": "x", "b": 2 }', false],
  [`${'x'.repeat(65_535)}…`, 'x'.repeat(70_000), true],
])('a text matches what was recorded: %#', (recorded, given, isMatch) => {
  expect(matchesText(recorded, given)).toBe(isMatch)
})

test.each([
  ['at 1700000000000', 'at 1711111111111', true],
  ['at=1700000000', 'at=1711111111', true],
  ['order 1234567890', 'order 1234567891', false],
  ['"2026-11-29T20:49:34.123Z"', '"2027-01-02T03:04:05Z"', true],
  ['/orders?since=2026-11-29T20%3A49%3A34Z', '/orders?since=2026-11-30T20%3A49%3A34Z', true],
  ['2026-11-29', '2026-11-30', false],
  ['/orders/6b1f0b1e-7d2a-4c1f-9d35-2f1f6a0f7c11', '/orders/0f0f0b1e-7d2a-4c1f-9d35-2f1f6a0f7c22', true],
  ['/orders/6b1f0b1e7d2a4c1f', '/orders/0f0f0b1e7d2a4c22', true],
  ['facade', 'decade', false],
])('times and random identifiers may differ: %s, %s', (recorded, given, isSimilar) => {
  expect(isSimilarText(recorded, given)).toBe(isSimilar)
  expect(isSimilarValue(inspected({ a: [recorded] }), { a: [given] })).toBe(isSimilar)
})

test('a call with the same identifier gets its answer before one with another', async () => {
  const id = (digit: string) => digit.repeat(16)
  const replay = replayOf(
    called('getOrder', { id: id('1') }, { result: { at: 1 } }),
    called('getOrder', { id: id('2') }, { result: { at: 2 } }),
  )
  expect(await replay.call('getOrder', { id: id('2') })).toEqual({ result: { at: 2 } })
  expect(await replay.call('getOrder', { id: id('3') })).toEqual({ result: { at: 1 } })
})

test('step by step, each line lets one go on, `a` all', async () => {
  let type: (line: string) => void = () => {}
  async function* readLines() {
    for (;;) yield await new Promise<string>((resolve) => (type = resolve))
  }
  let said = ''
  const err = (text: string) => {
    said += text
  }
  const turn = createTurns({ readLines, err } as never, new AbortController().signal)
  const done: string[] = []
  for (const what of ['one', 'two', 'three', 'four']) void turn(what).then(() => done.push(what))
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  await settle()
  expect([done, said]).toEqual([[], '… one waits. Enter answers it, a and Enter answers all.\n'])
  type('')
  await settle()
  expect([done, said.includes('two waits')]).toEqual([['one'], true])
  type('a')
  await settle()
  expect(done).toEqual(['one', 'two', 'three', 'four'])
  await turn('five')
})
