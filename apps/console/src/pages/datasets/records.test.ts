import { datasetLimits } from '@souk/contract'
import { expect, test } from 'vitest'
import { timeZone } from '../../i18n/timeZone.ts'
import { batchesOf, recordsOfCsv } from './records.ts'

const fields = [
  { name: 'title', type: 'string', required: true },
  { name: 'count', type: 'integer', required: false },
  { name: 'open', type: 'boolean', required: false },
  { name: 'time', type: 'time', required: false },
  { name: 'more', type: 'json', required: false },
] as const

test('reads values by the type of their field, and leaves out empty cells and other columns', () => {
  const text =
    '\uFEFFtitle,count,open,time,more,note\r\n"Two, ""hot""",2,TRUE,2026-01-02T03:04:05Z,"[1]",x\r\nTea,,,1700000000000,,\r\n'
  expect(recordsOfCsv(text, fields)).toEqual({
    records: [
      { title: 'Two, "hot"', count: 2, open: true, time: Date.UTC(2026, 0, 2, 3, 4, 5), more: [1] },
      { title: 'Tea', time: 1_700_000_000_000 },
    ],
    ignored: ['note'],
    problems: [],
  })
})

test('reads times without a zone in the chosen zone, and dates as UTC', () => {
  timeZone.value = 'Asia/Riyadh'
  const timesOf = (...cells: string[]) =>
    recordsOfCsv(`title,time\n${cells.map((cell) => `x,${cell}`).join('\n')}\n`, fields).records.map(({ time }) => time)
  const expected = Date.UTC(2026, 0, 2, 0, 4)
  expect(timesOf('2026-01-02T03:04', '2026-01-02 03:04:00', '2026-01-02T00:04Z', '2026-01-02T01:04+01:00')).toEqual(
    Array(4).fill(expected),
  )
  expect(timesOf('2026-01-02')).toEqual([Date.UTC(2026, 0, 2)])
  timeZone.value = undefined
  // 02/03 is in February or in March.
  expect(timesOf('02/03/2026', '2026-02-30', '2026-01-02T25:00')).toEqual([undefined, undefined, undefined])
})

test('names the line and the value of each problem', () => {
  const { problems } = recordsOfCsv('title,count,open\nTea,2.5,\n,1,perhaps\n', fields)
  expect(problems).toEqual([
    { line: 2, key: 'integer', values: { field: 'count', value: '2.5' } },
    { line: 3, key: 'missing', values: { field: 'title' } },
    { line: 3, key: 'boolean', values: { field: 'open', value: 'perhaps' } },
  ])
  const keysOf = (text: string) => recordsOfCsv(text, fields).problems.map(({ key }) => key)
  expect(keysOf('"open')).toEqual(['csv'])
  expect(keysOf('')).toEqual(['noFields'])
  expect(keysOf('title\n')).toEqual(['noRecords'])
  expect(keysOf('count\n1\n')).toEqual(['missing'])
})

test('batches keep the order and the limits of a request', () => {
  const records = Array.from({ length: datasetLimits.records + 1 }, (_, n) => ({ n }))
  expect(batchesOf(records).map((batch) => batch.length)).toEqual([datasetLimits.records, 1])
  const long = { text: 'x'.repeat(datasetLimits.appendBytes / 8) }
  expect(batchesOf([long, long]).map((batch) => batch.length)).toEqual([1, 1])
})
