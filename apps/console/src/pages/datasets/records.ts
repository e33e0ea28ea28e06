import { datasetLimits, type FieldType } from '@souk/contract'
import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { timeAt } from '../../i18n/days.ts'

/** A field of a dataset, as far as an import needs it. */
export interface ImportField {
  name: string
  type: FieldType
  required: boolean
}

/** A reason why a file cannot be imported: a key of the texts under `problems`, with the values that it names. */
export interface ImportProblem {
  /** Line of the file, from 1; undefined if the problem concerns all of it. */
  line?: number
  key: 'csv' | 'missing' | Exclude<FieldType, 'string'> | 'noFields' | 'noRecords'
  values: Record<string, string>
}

export interface ImportedFile {
  records: Record<string, unknown>[]
  /** Names of columns that are not fields. */
  ignored: string[]
  /** The first problems; with any, nothing is imported. */
  problems: ImportProblem[]
}

const maxProblems = 10

/** Reads the records of a CSV file whose first line has the names of fields. Empty cells have no value. */
export function recordsOfCsv(text: string, fields: readonly ImportField[]): ImportedFile {
  let lines: { record: string[]; info: { lines: number } }[]
  try {
    lines = parse(text, { bom: true, info: true, skip_empty_lines: true, trim: true }) as unknown as typeof lines
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { records: [], ignored: [], problems: [{ key: 'csv', values: { detail: error.message } }] }
  }
  const header = lines[0]?.record ?? []
  const columns = header.map((name) => fields.find((field) => field.name === name))
  const ignored = header.filter((_, index) => !columns[index])
  const present = columns.filter((field) => field !== undefined)
  if (present.length === 0) return { records: [], ignored, problems: [{ key: 'noFields', values: {} }] }
  const absent = fields.filter((field) => field.required && !present.includes(field))
  const problems: ImportProblem[] = absent.map(({ name }) => ({ key: 'missing', values: { field: name } }))
  const records: Record<string, unknown>[] = []
  for (const { record: cells, info } of lines.slice(1)) {
    if (problems.length >= maxProblems) break
    const record: Record<string, unknown> = {}
    for (const [index, field] of columns.entries()) {
      const cell = cells[index] ?? ''
      if (!field) continue
      if (cell === '') {
        if (field.required) problems.push({ line: info.lines, key: 'missing', values: { field: field.name } })
        continue
      }
      const value = readCell(cell, field.type)
      if (value !== undefined) record[field.name] = value
      else {
        const key = field.type as Exclude<FieldType, 'string'>
        problems.push({ line: info.lines, key, values: { field: field.name, value: cell.slice(0, 40) } })
      }
    }
    records.push(record)
  }
  if (records.length === 0 && problems.length === 0) problems.push({ key: 'noRecords', values: {} })
  return { records, ignored, problems }
}

/** Returns the text from which `readCell` reads a value; an empty one if there is no value. */
export function cellOf(value: unknown, type: FieldType): string {
  if (value === null || value === undefined) return ''
  if (type === 'json') return JSON.stringify(value)
  const time = type === 'time' ? new Date(Number(value)) : undefined
  return time && !Number.isNaN(time.getTime()) ? time.toISOString() : String(value)
}

/** Returns the value of a cell; undefined if the field cannot have it. */
export function readCell(cell: string, type: FieldType): unknown {
  if (type === 'string') return cell
  if (type === 'boolean') return /^true$/i.test(cell) ? true : /^false$/i.test(cell) ? false : undefined
  if (type === 'json') {
    try {
      return JSON.parse(cell)
    } catch {
      return undefined
    }
  }
  const number = type === 'time' && !/^-?\d+$/.test(cell) ? readTime(cell) : Number(cell)
  if (type === 'number') return Number.isFinite(number) ? number : undefined
  return Number.isSafeInteger(number) ? number : undefined
}

/**
 * Reads a time in ISO 8601; NaN if it is none. Times without a zone are in the one that the console shows times in, and
 * a date alone is UTC, as in filters.
 */
function readTime(cell: string): number {
  const found = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/i.exec(cell)
  const [, date = '', clock, zone] = found ?? []
  const midnight = Date.parse(date)
  // `Date.parse` reads 2030-02-31 as the third of March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) return Number.NaN
  if (clock === undefined) return midnight
  return zone === undefined ? timeAt(`${date}T${clock}`) : Date.parse(`${date}T${clock}${zone}`)
}

/** Splits records into batches that fit into a request. */
export function batchesOf(records: readonly Record<string, unknown>[]): Record<string, unknown>[][] {
  const maxBytes = datasetLimits.appendBytes / 2
  const batches: Record<string, unknown>[][] = []
  let bytes = 0
  for (const record of records) {
    // UTF-8 takes at most three bytes per UTF-16 unit.
    const size = JSON.stringify(record).length * 3
    const last = batches.at(-1)
    if (last && last.length < datasetLimits.records && bytes + size <= maxBytes) {
      last.push(record)
      bytes += size
    } else {
      batches.push([record])
      bytes = size
    }
  }
  return batches
}
