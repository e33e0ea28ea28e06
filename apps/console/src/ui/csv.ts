import { csvCell, escapeFormulas, escapeJsonFormulas } from '@souk/contract'
import { cellsOf } from './exportedCells.ts'
import { saveFile } from './saveFile.ts'

/** Saves rows as a CSV file. */
export function downloadCsv(name: string, rows: readonly object[]): void {
  // Spreadsheets need the byte order mark to read UTF-8.
  saveFile(name, new Blob([`\uFEFF${csvOf(rows)}`], { type: 'text/csv' }))
}

/**
 * Writes rows as CSV, with a column for each field of any row. Times are in ISO 8601, and amounts in cents. Texts that
 * would run as formulas get an apostrophe.
 */
export function csvOf(rows: readonly object[]): string {
  const { names, lines } = cellsOf(rows)
  return `${[names, ...lines].map((line) => line.map(cellOf).join(',')).join('\r\n')}\r\n`
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string') return csvCell(escapeFormulas(value))
  return csvCell(typeof value === 'object' ? escapeJsonFormulas(JSON.stringify(value)) : String(value))
}
