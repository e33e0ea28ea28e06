import { setImmediate as nextTurn } from 'node:timers/promises'
import { datasetLimits, type FieldType, SoukError } from '@souk/contract'
import { closest } from '@souk/pages'
import type { DeclaredField } from './ownSource.ts'

/** Maximum nesting of JSON values. */
const maxDepth = 32
/** Maximum number of mistakes in one error. */
const maxReported = 20

/** Characters that are checked before other requests have their turn. */
const slice = 256 * 1024

interface Mistake {
  /** Index of the record. */
  record: number
  field?: string
  reason: string
}

/**
 * Returns the records as JSON with the non-null fields of the schema.
 * @param parameter the parameter that has the records; `nameOf` names one of them
 * @throws SoukError `parameter_invalid` with the invalid records and fields
 */
export async function validateRecords(
  fields: readonly DeclaredField[],
  records: readonly Readonly<Record<string, unknown>>[],
  { parameter, nameOf }: { parameter: string; nameOf: (record: number) => string } = {
    parameter: 'records',
    nameOf: (record) => `records[${record}]`,
  },
): Promise<string[]> {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const mistakes: Mistake[] = []
  const checked: string[] = []
  let left = slice
  for (const [record, given] of records.entries()) {
    const entries: [string, unknown][] = []
    for (const [name, value] of Object.entries(given)) {
      const field = byName.get(name)
      if (!field) {
        const suggestion = closest(name, byName.keys())
        const reason = `is not a field of this dataset${suggestion ? `; did you mean ${suggestion}?` : ''}`
        mistakes.push({ record, field: name.slice(0, 64), reason })
      } else if (value !== null) {
        const allowed = mustBe(field.type, value)
        if (allowed) mistakes.push({ record, field: name, reason: `must be ${allowed}` })
        entries.push([name, value])
      }
    }
    for (const { name, required } of fields) {
      // A field can have the name of a property that every object inherits, such as constructor.
      if (required && (!Object.hasOwn(given, name) || given[name] === null)) {
        mistakes.push({ record, field: name, reason: 'is required' })
      }
    }
    // Built by hand, so that field names such as __proto__ need no special care.
    const json = `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`
    if (Buffer.byteLength(json) > datasetLimits.recordBytes) {
      mistakes.push({ record, reason: `is larger than ${datasetLimits.recordBytes} bytes` })
    }
    checked.push(json)
    left -= json.length
    if (left > 0) continue
    left = slice
    await nextTurn()
  }
  if (mistakes.length === 0) return checked
  const reported = mistakes.slice(0, maxReported)
  const sentences = reported
    .slice(0, 3)
    .map(({ record, field, reason }) => `${nameOf(record)}${field ? `.${field}` : ''} ${reason}.`)
  throw new SoukError(
    'parameter_invalid',
    `${sentences.join(' ')}${mistakes.length > 3 ? ` And ${mistakes.length - 3} more.` : ''}`,
    {
      data: { parameters: [parameter], mistakes: reported },
    },
  )
}

/** Returns the requirement that a value violates, to follow the words “must be”. */
function mustBe(type: FieldType, value: unknown): string | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' && isText(value) ? undefined : 'a string without the character U+0000'
    case 'integer':
      return Number.isSafeInteger(value) ? undefined : 'an integer between -(2^53 - 1) and 2^53 - 1'
    case 'time':
      return Number.isSafeInteger(value) ? undefined : 'a Unix time in milliseconds'
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? undefined : 'a number'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'json':
      return isJson(value, 0) ? undefined : `JSON with at most ${maxDepth} levels and without the character U+0000`
  }
}

function isText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function isJson(value: unknown, depth: number): boolean {
  if (depth > maxDepth) return false
  if (typeof value === 'string') return isText(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, each]) => isText(name) && isJson(each, depth + 1))
}
