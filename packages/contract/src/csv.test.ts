import { expect, test } from 'vitest'
import { csvCell, escapeFormulas } from './csv.ts'

/** Texts and how they are escaped. The server's export passes the same table (`platformExport.test.ts`). */
const escaped: [text: string, escaped: string][] = [
  ['plain', 'plain'],
  ['', ''],
  ['=1+1', "'=1+1"],
  ['－1', "'－1"],
  ["'a", "''a"],
  ['\t=1', "'\t'=1"],
  ['tea;=1+1', "tea;'=1+1"],
  ['tea\t@SUM(A1)', "tea\t'@SUM(A1)"],
  ['tea\r\n-1;+1', "tea\r\n'-1;'+1"],
  ["tea;'=1", "tea;''=1"],
  [';;=1', ";;'=1"],
  ['tea,=1; 1=1', 'tea,=1; 1=1'],
]

test.each(escaped)('%j becomes %j, which can be undone', (text, expected) => {
  expect(escapeFormulas(text)).toBe(expected)
  expect(expected.replace(/(^|[;\t\r\n])'/g, '$1')).toBe(text)
})

/** Splits a line as a spreadsheet does whose separator is not the comma: quotes count at the start of a cell only. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  for (let at = 0; at <= line.length; ) {
    const quoted = /^"(?:[^"]|"")*"/.exec(line.slice(at))?.[0] ?? ''
    const rest = line.slice(at + quoted.length)
    const end = rest.search(new RegExp(`[${separator}\r\n]`))
    cells.push(quoted.replace(/^"|"$/g, '').replaceAll('""', '"') + (end === -1 ? rest : rest.slice(0, end)))
    if (end === -1) break
    at += quoted.length + end + 1
  }
  return cells
}

test.each([',', ';', '\t'])('no cell is a formula in a spreadsheet whose separator is %j', (separator) => {
  for (const [text] of escaped) {
    for (const place of [0, 1]) {
      const cells = ['plain', 'plain'].with(place, escapeFormulas(text))
      const read = cellsOf(cells.map(csvCell).join(','), separator)
      expect(
        read.filter((cell) => /^[\s"]*[=+\-@＝＋－＠]/.test(cell)),
        text,
      ).toEqual([])
    }
  }
})

test.each(['a,b', 'a;b', 'a\tb', 'a\nb', 'a\rb'])('quotes %j', (text) => {
  expect(csvCell(text)).toBe(`"${text}"`)
})
test('doubles quotes, and leaves other texts as they are', () => {
  expect(csvCell('a "b"')).toBe('"a ""b"""')
  expect(csvCell('a b')).toBe('a b')
})
