import type { ConsoleEntry, RequestEntry } from '@souk/contract/inspection'
import { expect, test } from 'vitest'
import { createRecords, recordLimits } from './records.ts'

const logged = (text: string): ConsoleEntry => ({
  kind: 'console',
  time: 0,
  level: 'log',
  values: [{ type: 'string', text }],
})

test('keeps the newest entries within the limits', () => {
  const records = createRecords()
  records.add(Array.from({ length: recordLimits.count + 2 }, (_, index) => logged(String(index))))
  expect(records.console).toHaveLength(recordLimits.count)
  expect(records.console[0]).toEqual(logged('2'))
  const large = 'x'.repeat(recordLimits.size / 2)
  records.add([logged(large), logged(large)])
  expect(records.console).toEqual([logged(large)])
})

test('adds the end to its request, which counts against the size', () => {
  const records = createRecords()
  const request = (id: number): RequestEntry => {
    return { kind: 'request', id, time: 0, method: 'GET', url: 'https://coffee.example/', headers: [] }
  }
  records.add([request(1), request(2)])
  records.add([{ kind: 'response', id: 1, time: 5, status: 200, headers: [], body: 'x'.repeat(recordLimits.size) }])
  expect(records.requests.map(({ id }) => id)).toEqual([2])
  records.add([{ kind: 'response', id: 2, time: 6, status: 204, headers: [] }])
  expect(records.requests[0]?.end).toMatchObject({ status: 204 })
  // Its request was dropped.
  records.add([{ kind: 'response', id: 1, time: 7, status: 200, headers: [] }])
  expect(records.requests).toHaveLength(1)
})

test('forgets everything when the mini app starts again', () => {
  const records = createRecords()
  records.add([logged('before'), { kind: 'storage', items: [{ key: 'a', text: '1', size: 1 }] }])
  expect(records.hasAgent).toBe(true)
  records.add([
    { kind: 'start', time: 1 },
    { kind: 'mark', mark: 'start', time: 1 },
  ])
  expect(records).toMatchObject({ console: [], storage: [], hasAgent: false })
  expect(records.marks.get('start')).toBe(1)
})
