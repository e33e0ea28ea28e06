import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

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
