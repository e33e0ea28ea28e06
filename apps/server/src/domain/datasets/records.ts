import { datasetLimits, type FieldType, SoukError } from '@souk/contract'
import { closest } from '@souk/pages'
import type { DeclaredField } from './ownSource.ts'

/** Deeper JSON is refused: nobody means it, and databases have an end too. */
const DEEPEST = 32
/** So many mistakes are told at once. */
const TOLD = 20

interface Mistake {
  /** Which record, from 0. */
  record: number
  field?: string
  reason: string
}

/**
 * Records as they are stored: JSON with a value for each field of the schema that has one.
 * @throws SoukError `parameter_invalid` that names the records and fields that do not fit
 */
export function validateRecords(
  fields: readonly DeclaredField[],
  records: readonly Readonly<Record<string, unknown>>[],
): string[] {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const mistakes: Mistake[] = []
  const checked = records.map((given, record) => {
    const kept: [string, unknown][] = []
    for (const [name, value] of Object.entries(given)) {
      const field = byName.get(name)
      if (!field) {
        const meant = closest(name, byName.keys())
        const reason = `is no field of this dataset${meant ? `; did you mean ${meant}?` : ''}`
        mistakes.push({ record, field: name.slice(0, 64), reason })
      } else if (value !== null) {
        const allowed = mustBe(field.type, value)
        if (allowed) mistakes.push({ record, field: name, reason: `must be ${allowed}` })
        kept.push([name, value])
      }
    }
    for (const { name, required } of fields) {
      if (required && (given[name] === undefined || given[name] === null)) {
        mistakes.push({ record, field: name, reason: 'is required' })
      }
    }
    // Built anew, so that a field called like something of every object is a field like any other.
    const json = `{${kept.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`
    if (Buffer.byteLength(json) > datasetLimits.recordBytes) {
      mistakes.push({ record, reason: `is larger than ${datasetLimits.recordBytes} bytes` })
    }
    return json
  })
  if (mistakes.length === 0) return checked
  const told = mistakes.slice(0, TOLD)
  const sentences = told
    .slice(0, 3)
    .map(({ record, field, reason }) => `records[${record}]${field ? `.${field}` : ''} ${reason}.`)
  throw new SoukError(
    'parameter_invalid',
    `${sentences.join(' ')}${mistakes.length > 3 ? ` And ${mistakes.length - 3} more.` : ''}`,
    {
      data: { parameters: ['records'], mistakes: told },
    },
  )
}

/** What a value of this type has to be, where it is not; after the words “must be”. */
function mustBe(type: FieldType, value: unknown): string | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' && isText(value) ? undefined : 'a text, without the character U+0000'
    case 'integer':
      return Number.isSafeInteger(value) ? undefined : 'a whole number up to 2^53 - 1 either way'
    case 'time':
      return Number.isSafeInteger(value) ? undefined : 'a Unix time in milliseconds'
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? undefined : 'a number'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'json':
      return isJson(value, 0) ? undefined : `JSON of at most ${DEEPEST} levels, without the character U+0000`
  }
}

function isText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function isJson(value: unknown, depth: number): boolean {
  if (depth > DEEPEST) return false
  if (typeof value === 'string') return isText(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, each]) => isText(name) && isJson(each, depth + 1))
}
