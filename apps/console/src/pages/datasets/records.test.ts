import { datasetLimits } from '@souk/contract'
import { expect, test } from 'vitest'
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
