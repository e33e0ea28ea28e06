/** Saves rows as a CSV file (RFC 4180) with the names of their fields as header; times are in ISO 8601. */
export function downloadCsv(name: string, rows: readonly ({ start: number } & Record<string, number | null>)[]): void {
  const fields = Object.keys(rows[0] ?? { start: 0 })
  const lines = rows.map((row) =>
    fields.map((field) => (field === 'start' ? new Date(row.start).toISOString() : (row[field] ?? ''))),
  )
  const content = [fields, ...lines].map((line) => `${line.join(',')}\r\n`).join('')
  const url = URL.createObjectURL(new Blob([content], { type: 'text/csv' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}
