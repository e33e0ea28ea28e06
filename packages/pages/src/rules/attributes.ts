import { type Platform, platforms } from '../diagnostic.ts'
import type { Json } from '../parse/nodes.ts'
import type { Row, Shape, TableId } from './rule.ts'
import { tables } from './tables.ts'

/** A row with what follows from it; one object per table and attribute. */
export type Attribute = {
  readonly name: string
  readonly row: Row
  readonly table: TableId
  /** Of the table that the row stands in, which is another one where a table is "like" it. */
  readonly section: string
  readonly shapes: readonly Shape[]
  /** Where it works. */
  readonly platforms: readonly Platform[]
  /** The version from which on it works, per platform; none where there is no gate. */
  readonly since: Readonly<Partial<Record<Platform, string>>>
  /** The same for values outside the usual ones, which came later (§2.7). */
  readonly otherValuesSince: Readonly<Partial<Record<Platform, string>>>
  /** What holds where nobody sets it; undefined where the document gives nothing, or something computed. */
  readonly default: Json | undefined
}

const cache = new Map<TableId, ReadonlyMap<string, Attribute>>()

/** The attributes of an object of the file, by name: its own rows, then those of the tables that it is like. */
export function attributesOf(table: TableId): ReadonlyMap<string, Attribute> {
  const known = cache.get(table)
  if (known) return known
  const attributes = new Map<string, Attribute>()
  for (const row of tables[table].rows) attributes.set(row.attribute, attributeOf(row, table))
  for (const other of tables[table].inherits ?? []) {
    for (const [name, attribute] of attributesOf(other)) {
      if (!attributes.has(name) && !tables[table].except?.includes(name)) attributes.set(name, attribute)
    }
  }
  cache.set(table, attributes)
  return attributes
}

/** The attribute that a key of an object stands for: `subpackages` is the ecosystem's spelling of `subPackages`. */
export function attributeFor(table: TableId, key: string): Attribute | undefined {
  return attributesOf(table).get(table === 'top' && key === 'subpackages' ? 'subPackages' : key)
}

function attributeOf(row: Row, table: TableId): Attribute {
  return {
    name: row.attribute,
    row,
    table,
    section: tables[table].section,
    shapes: Array.isArray(row.shape) ? row.shape : [row.shape as Shape],
    platforms: platformsOf(row),
    since: sinceOf(row),
    otherValuesSince: gatesIn(row.platform?.startsWith('Other') ? row.platform : ''),
    default: row.value !== undefined ? row.value : row.computed || row.default === undefined ? undefined : row.default,
  }
}

/** An empty cell is no restriction; the borderStyle row restricts only other colours than black and white. */
function platformsOf({ platform, worksOn }: Row): readonly Platform[] {
  if (worksOn) return worksOn
  if (platform === undefined || platform.startsWith('Other')) return platforms
  const named = platform.split(', ').map((part) => part.replace(/ [\d.]+\+$/, ''))
  return platforms.filter((name) => named.includes(name))
}

/** "App 2.6.3+", "App 2.3.4+, H5 3.0.0+", or a bare "2.6.6", which speaks of App (§2.6). */
function sinceOf({ platform, since, minVersions }: Row): Attribute['since'] {
  if (minVersions) return minVersions
  if (since && /^[\d.]+$/.test(since)) return { App: since }
  return gatesIn(since ?? (platform?.startsWith('Other') ? '' : (platform ?? '')))
}

function gatesIn(cell: string): Attribute['since'] {
  return Object.fromEntries([...cell.matchAll(/(App|H5) ([\d.]+)\+/g)].map(([, name, version]) => [name, version]))
}

/** Compares dotted numbers: negative where `a` is older. What is no number counts as 0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map((part) => Number.parseInt(part, 10) || 0))
  for (let index = 0; index < Math.max(left!.length, right!.length); index += 1) {
    const difference = (left![index] ?? 0) - (right![index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
