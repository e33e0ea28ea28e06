import { saveFile } from './saveFile.ts'

/** Saves rows as a CSV file. */
export function downloadCsv(name: string, rows: readonly object[]): void {
  // Spreadsheets need the byte order mark to read UTF-8.
  saveFile(name, 'text/csv', `\uFEFF${csvOf(rows)}`)
}

/** Writes rows as CSV, with a column for each field of any row. Texts that look like formulas get an apostrophe. */
export function csvOf(rows: readonly object[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) => names.map((name) => (row as Record<string, unknown>)[name]))
  return `${[names, ...lines].map((line) => line.map(cellOf).join(',')).join('\r\n')}\r\n`
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
