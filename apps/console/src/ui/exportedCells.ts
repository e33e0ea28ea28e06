/** Names of fields that have a time in ms, such as `ctime`, `timeExpire`, `disabledAt` and `pausedUntil`. */
const timeName = /(time|Time|Expire|At|Until|Since|Attempt)$/
/** Smaller numbers are durations: this is 1973 as a time in ms. */
const firstTime = 1e11

/** Returns a table of rows, with a column for each field of any row. Times are dates. */
export function cellsOf(rows: readonly object[]): { names: string[]; lines: unknown[][] } {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) => names.map((name) => exportedValue(name, (row as Record<string, unknown>)[name])))
  return { names, lines }
}

function exportedValue(name: string, value: unknown): unknown {
  const isTime = typeof value === 'number' && value >= firstTime && timeName.test(name)
  return isTime ? new Date(value) : value
}
