import writeXlsx, { type Cell } from 'write-excel-file/browser'
import { cellsOf } from './exportedCells.ts'
import { saveFile } from './saveFile.ts'

/** The longest text of a cell. */
const maxText = 32_767

/** Saves rows as a workbook. With `inCents`, the default, fields named amount are in cents. */
export async function downloadXlsx(
  name: string,
  rows: readonly object[],
  timeZone: string,
  options?: { inCents: boolean },
): Promise<void> {
  saveFile(name, await writeXlsx(sheetOf(rows, timeZone, options), { stickyRowsCount: 1 }).toBlob())
}

/**
 * Returns the cells of a sheet, with a column for each field of any row. Texts stay texts, also those that look like
 * numbers or formulas; times are dates in the time zone, since workbooks know none; amounts are in units of the
 * currency.
 */
export function sheetOf(rows: readonly object[], timeZone: string, { inCents } = { inCents: true }): Cell[][] {
  const { names, lines } = cellsOf(rows)
  const toWallClock = wallClockOf(timeZone)
  const cellOf = (value: unknown, index: number): Cell => {
    if (value === null || value === undefined || value === '') return null
    if (value instanceof Date) return { value: toWallClock(value), type: Date, format: 'yyyy-mm-dd hh:mm:ss' }
    if (typeof value === 'boolean') return { value, type: Boolean }
    if (typeof value !== 'number') return textCell(typeof value === 'string' ? value : JSON.stringify(value))
    if (inCents && /amount$/i.test(names[index]!)) return { value: value / 100, type: Number, format: '#,##0.00' }
    return { value, type: Number }
  }
  const header = names.map((value): Cell => ({ value, type: String, fontWeight: 'bold' }))
  return [header, ...lines.map((line) => line.map(cellOf))]
}

/** Control characters are not allowed in workbooks, and `_x0041_` would be read as the character of that code. */
function textCell(text: string): Cell {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed.
  const value = text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '').replace(/_x[\dA-F]{4}_/gi, '_x005F$&')
  return { value: value.slice(0, maxText), type: String }
}

/** Returns a function that moves a time, so that its UTC is what clocks in the time zone show. */
function wallClockOf(timeZone: string): (time: Date) => Date {
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (time) => new Date(`${format.format(time).replace(' ', 'T')}Z`)
}
