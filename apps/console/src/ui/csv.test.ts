import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'
import { sheetOf } from './xlsx.ts'

test('quotes cells, joins the fields of all rows and disarms formulas', () => {
  const rows = [
    { name: 'a,"b"', amount: -5 },
    { name: '=1+1', list: [1, 2], note: null },
  ]
  expect(csvOf(rows)).toBe('name,amount,list,note\r\n"a,""b""",-5,,\r\n\'=1+1,,"[1,2]",\r\n')
})

test('quotes separators of other countries, and disarms formulas behind them', () => {
  expect(csvOf([{ note: 'tea;=1+1', place: '24.7,-46.6', tab: 'a\tb', list: [';=1'] }])).toBe(
    'note,place,tab,list\r\n"tea;\'=1+1","24.7,-46.6","a\tb","[""\\u003b=1""]"\r\n',
  )
})

const time = Date.UTC(2026, 10, 28, 22, 30, 15)

test('writes times in ISO 8601, and durations as numbers', () => {
  expect(csvOf([{ ctime: time, timeExpire: time, disabledAt: null, waitTime: 250, attemptCount: 3 }])).toBe(
    'ctime,timeExpire,disabledAt,waitTime,attemptCount\r\n2026-11-28T22:30:15.000Z,2026-11-28T22:30:15.000Z,,250,3\r\n',
  )
})

test('keeps texts of a workbook as texts, with times as dates and amounts as numbers', () => {
  const row = { order: '00123', id: '1234567890123456789', note: '1E5', formula: '=1+1', amount: 1250, ctime: time }
  const [header, cells] = sheetOf(
    [{ ...row, paid: true, payer: 10_006, text: 'a\u0001_x0041_', none: null }],
    'Asia/Riyadh',
  )
  expect(header![0]).toMatchObject({ value: 'order', type: String })
  expect(cells).toEqual([
    { value: '00123', type: String },
    { value: '1234567890123456789', type: String },
    { value: '1E5', type: String },
    { value: '=1+1', type: String },
    { value: 12.5, type: Number, format: '#,##0.00' },
    { value: new Date('2026-11-29T01:30:15Z'), type: Date, format: 'yyyy-mm-dd hh:mm:ss' },
    { value: true, type: Boolean },
    { value: 10_006, type: Number },
    { value: 'a_x005F_x0041_', type: String },
    null,
  ])
})
