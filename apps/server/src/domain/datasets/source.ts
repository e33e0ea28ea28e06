import type { FieldType } from '@souk/contract'

/** The types as which values that a caller gives are handed to PostgreSQL. */
export type BoundType = 'text' | 'uuid' | 'bigint' | 'numeric' | 'boolean'

/** One field of a dataset, with the SQL that reads it. All SQL here is written in this folder; no value is ever part of it. */
export interface SourceField {
  name: string
  type: FieldType
  required: boolean
  description: string | null
  generated: boolean
  /** What stands in a JSON record. */
  json: string
  /** The value as text. */
  text: string
  /** What filters compare, and the type of what it is compared with; undefined where they cannot. */
  compared: { sql: string; type: BoundType } | undefined
  /** Whether somebody outside of the platform chose the text, so that a spreadsheet may not take it for a formula. */
  chosen: boolean
}

/** A part of what the records of a dataset are ordered by, newest first. It never changes while the record lives. */
export interface KeyPart {
  sql: string
  type: 'bigint' | 'uuid' | 'text'
}

/** Where the records of a dataset are, and which of them are its own. */
export interface Source {
  from: string
  /** Narrows `from` to one mini app, or to one dataset. */
  scope: { sql: string; type: 'text' | 'uuid' }
  key: readonly KeyPart[]
  fields: readonly SourceField[]
}

type Options = { required?: boolean; description?: string }
const parts = (name: string, type: FieldType, { required = true, description }: Options) => ({
  name,
  type,
  required,
  description: description ?? null,
  generated: true,
  chosen: false,
})

/** An identifier of 32 hexadecimal digits in a uuid column. */
export function uuidField(name: string, sql: string, options: Options = {}): SourceField {
  const text = `replace(${sql}::text, '-', '')`
  return { ...parts(name, 'string', options), json: text, text, compared: { sql, type: 'uuid' } }
}

/** A text that Souk made, or that has passed a pattern in which no formula is possible. */
export function wordField(name: string, sql: string, options: Options = {}): SourceField {
  return { ...parts(name, 'string', options), json: sql, text: sql, compared: { sql, type: 'text' } }
}

/** A text that somebody chose freely. */
export function textField(name: string, sql: string, options: Options = {}): SourceField {
  return { ...wordField(name, sql, options), chosen: true }
}

export function integerField(name: string, sql: string, options: Options = {}): SourceField {
  return { ...parts(name, 'integer', options), json: sql, text: `${sql}::text`, compared: { sql, type: 'bigint' } }
}

export function timeField(name: string, sql: string, options: Options = {}): SourceField {
  return { ...integerField(name, sql, options), type: 'time' }
}

export function booleanField(name: string, sql: string, options: Options = {}): SourceField {
  return { ...parts(name, 'boolean', options), json: sql, text: `${sql}::text`, compared: { sql, type: 'boolean' } }
}
