import { partitionedTables } from '../../../kernel/db/partitions.ts'
import { entries, type Figures, type Manifest, type Table } from './format.ts'

/**
 * Reads what a backup says about itself. The file can come from someone else, and its names become part of SQL, so that
 * every field has to have its form. Errors name the field, its value and what is allowed.
 */
type Parse<T> = (value: unknown, field: string) => T

/** Latest time that a `Date` can have, ms. */
const lastTime = 8.64e15
const maxItems = 10_000
/** Longest name in PostgreSQL, bytes. */
const maxName = 63

/**
 * @param names words that the migrations of the backup contain; only these can be names of tables and columns
 * @throws RangeError
 */
export function parseManifest(value: unknown, names: ReadonlySet<string>): Manifest {
  const { objects, ...manifest } = object({
    format: wholeNumber(1),
    souk: text(/^[\w.+-]{1,64}$/, 'a version'),
    time: wholeNumber(0, lastTime),
    environment: oneOf('sandbox', 'live'),
    migrations: parseMigrations,
    tables: list(parseTable(names), ({ name }) => name),
    objects: optional(object({ count: wholeNumber(0), size: wholeNumber(0) })),
  })(value, '')
  return { ...manifest, ...(objects && { objects }) }
}

/** Reads the fields that say whether this version can read the rest. @throws RangeError */
export const parseVersion = (value: unknown) =>
  object({
    format: wholeNumber(1),
    souk: text(/^[\w.+-]{1,64}$/, 'a version'),
    migrations: parseMigrations,
  })(value, '')

const parseMigrations = list(
  object({
    name: text(/^\d{4}_\w{1,100}\.sql$/, 'the name of a migration'),
    checksum: text(/^[0-9a-f]{64}$/, 'a SHA-256'),
  }),
  ({ name }) => name,
)

/**
 * @param names as for `parseManifest`
 * @throws RangeError
 */
export function parseFigures(value: unknown, { tables }: Manifest, names: ReadonlySet<string>): Figures {
  const sources = new Set([...tables.map(({ name }) => name), entries.jobs])
  return object({
    rows: record((name) => sources.has(name), wholeNumber(0), [...sources]),
    sequences: record((name) => isSequence(name, names), text(/^-?\d{1,19}$/, 'a number as text')),
    ledger: list(
      object({
        currency: text(/^\w{1,20}$/, 'a currency'),
        owner: text(/^[\w-]{1,100}$/, 'a kind of account'),
        balance: text(/^-?\d{1,30}$/, 'an amount in cents as text'),
      }),
      ({ currency, owner }) => `${currency} ${owner}`,
      0,
    ),
    audit: object({ head: text(/^([0-9a-f]{64})?$/, 'a SHA-256 or nothing'), broken: wholeNumber(0) }),
  })(value, '')
}

function parseTable(names: ReadonlySet<string>): Parse<Table> {
  return (value, field) => {
    const parseName = nameIn(names)
    const table = object({ name: parseName, columns: list(parseName, (name) => name), partitions: pass })(value, field)
    const { name, columns } = table
    if (table.partitions === undefined) return { name, columns }
    const partitions = list(parsePartition(name), (partition) => partition.name)(
      table.partitions,
      `${field}.partitions`,
    )
    return { name, columns, partitions }
  }
}

/** The bound of a partition as PostgreSQL prints it. */
const bound = text(
  /^(DEFAULT|FOR VALUES FROM \((MINVALUE|'[0-9a-f-]{1,36}')\) TO \('[0-9a-f-]{1,36}'\))$/,
  'the bound of a partition',
)

function parsePartition(parent: string): Parse<{ name: string; bound: string }> {
  return (value, field) => {
    const table = Object.values(partitionedTables).find(({ name }) => name === parent)
    if (!table) throw wrong(field, value, `nothing, since ${parent} is not partitioned`)
    // The first partition of a table was the table itself once.
    const period = table.period === 'day' ? String.raw`\d{4}_\d\d_\d\d` : String.raw`\d{4}_\d\d`
    // ReDoS: the prefix is written in the source.
    const pattern = new RegExp(`^${table.prefix}(_(first|default|${period}))?$`)
    const name = text(pattern, `the name of a partition of ${parent}`)
    return object({ name, bound })(value, field)
  }
}

function nameIn(names: ReadonlySet<string>): Parse<string> {
  return (value, field) => {
    if (typeof value === 'string' && value.length <= maxName && names.has(value)) return value
    throw wrong(field, value, 'a name in the schema of its version')
  }
}

function wholeNumber(from: number, to = Number.MAX_SAFE_INTEGER): Parse<number> {
  return (value, field) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to) return value
    throw wrong(field, value, `a whole number from ${from} to ${to}`)
  }
}

function text(pattern: RegExp, allowed: string): Parse<string> {
  return (value, field) => {
    if (typeof value === 'string' && pattern.test(value)) return value
    throw wrong(field, value, allowed)
  }
}

function oneOf<const T extends string>(...values: T[]): Parse<T> {
  return (value, field) => {
    if (values.includes(value as T)) return value as T
    throw wrong(field, value, values.join(' or '))
  }
}

const pass: Parse<unknown> = (value) => value

function optional<T>(parse: Parse<T>): Parse<T | undefined> {
  return (value, field) => (value === undefined ? undefined : parse(value, field))
}

/** Returns the known properties of an object; others are from newer versions of the same format. */
function object<T extends object>(properties: { [Name in keyof T]: Parse<T[Name]> }): Parse<T> {
  return (value, field) => {
    if (!isObject(value)) throw wrong(field, value, 'an object')
    const found = Object.keys(properties).map((name) => {
      const property = Object.hasOwn(value, name) ? value[name] : undefined
      return [name, properties[name as keyof T](property, field ? `${field}.${name}` : name)]
    })
    return Object.fromEntries(found) as T
  }
}

/** @param idOf returns what differs between the items */
function list<T>(parse: Parse<T>, idOf: (item: T) => string, min = 1): Parse<T[]> {
  return (value, field) => {
    if (!Array.isArray(value)) throw wrong(field, value, 'a list')
    if (value.length < min || value.length > maxItems) {
      throw wrong(`the length of ${field}`, value.length, `a number from ${min} to ${maxItems}`)
    }
    const items = value.map((item: unknown, index) => parse(item, `${field}[${index}]`))
    const ids = new Set<string>()
    for (const [index, item] of items.entries()) {
      if (ids.has(idOf(item))) throw wrong(`${field}[${index}]`, idOf(item), 'there only once')
      ids.add(idOf(item))
    }
    return items
  }
}

/** Returns a record with names that `isAllowed` accepts, and all of `required`. */
function record<T>(
  isAllowed: (name: string) => boolean,
  parse: Parse<T>,
  required: readonly string[] = [],
): Parse<Record<string, T>> {
  return (value, field) => {
    if (!isObject(value)) throw wrong(field, value, 'an object')
    const unknown = Object.keys(value).find((name) => !isAllowed(name))
    if (unknown !== undefined) throw wrong(`a name in ${field}`, unknown, 'a name in the schema of its version')
    const found = new Set([...required, ...Object.keys(value)])
    return Object.fromEntries([...found].map((name) => [name, parse(value[name], `${field}.${name}`)]))
  }
}

/** Returns whether a sequence was created by name, or by a column that numbers its rows. */
function isSequence(name: string, names: ReadonlySet<string>): boolean {
  if (name.length > maxName) return false
  if (names.has(name)) return true
  if (!name.endsWith('_seq')) return false
  const parts = name.split('_').slice(0, -1)
  return parts.some((_, at) => names.has(parts.slice(0, at).join('_')) && names.has(parts.slice(at).join('_')))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Longest value that a message repeats, characters. */
const maxShown = 100

function wrong(field: string, value: unknown, allowed: string): RangeError {
  const json = value === undefined ? 'missing' : JSON.stringify(value)
  const shown = json.length > maxShown ? `${json.slice(0, maxShown)}…` : json
  return new RangeError(`${field || 'its content'} is ${shown}, but must be ${allowed}`)
}
