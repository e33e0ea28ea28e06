import { csvCell, escapeFormulas, escapeJsonFormulas } from '@souk/contract'
import { saveFile } from './saveFile.ts'

/** Saves rows as a CSV file. */
export function downloadCsv(name: string, rows: readonly object[]): void {
  // Spreadsheets need the byte order mark to read UTF-8.
  saveFile(name, 'text/csv', `\uFEFF${csvOf(rows)}`)
}

/** Writes rows as CSV, with a column for each field of any row. Texts that would run as formulas get an apostrophe. */
export function csvOf(rows: readonly object[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) => names.map((name) => (row as Record<string, unknown>)[name]))
  return `${[names, ...lines].map((line) => line.map(cellOf).join(',')).join('\r\n')}\r\n`
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return csvCell(escapeFormulas(value))
  return csvCell(typeof value === 'object' ? escapeJsonFormulas(JSON.stringify(value)) : String(value))
}
