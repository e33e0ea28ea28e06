import { type Platform, platforms } from '../diagnostic.ts'
import type { Json } from '../parse/nodes.ts'
import type { Row, Shape, TableId } from './rule.ts'
import { tables } from './tables.ts'

/** A row of the rule table with derived values. There is one object per table and attribute. */
export type Attribute = {
  readonly name: string
  readonly row: Row
  readonly table: TableId
  /** Section of the table that contains the row, which differs from the object's own table for inherited rows. */
  readonly section: string
  readonly shapes: readonly Shape[]
  readonly platforms: readonly Platform[]
  /** Minimum version per platform. */
  readonly since: Readonly<Partial<Record<Platform, string>>>
  /** Minimum version per platform for values that were added later (pages-json §2.7). */
  readonly otherValuesSince: Readonly<Partial<Record<Platform, string>>>
  /** Fixed default; undefined if there is none or it is computed. */
  readonly default: Json | undefined
}

/** Attributes without which there is no page or tab to show. A missing or wrong value of any other one is ignored. */
const essential: ReadonlySet<string> = new Set([
  'top.pages',
  'top.subPackages',
  'page.path',
  'subPackage.root',
  'subPackage.pages',
  'tabBar.list',
  'tab.pagePath',
])

export const isEssential = ({ table, name }: Attribute): boolean => essential.has(`${table}.${name}`)

/** Returns what a value means: pages-json calls some defaults by a name, such as `none` (pages-json §2.6.2). */
export function meaningOf({ row, default: fallback }: Attribute, value: Json): Json {
  return value === row.default ? (fallback ?? value) : value
}

const cache = new Map<TableId, ReadonlyMap<string, Attribute>>()

/** Returns the attributes of an object by name: its own rows, then those that its table inherits. */
export function attributesOf(table: TableId): ReadonlyMap<string, Attribute> {
  const cached = cache.get(table)
  if (cached) return cached
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

function attributeOf(row: Row, table: TableId): Attribute {
  return {
    name: row.attribute,
    row,
    table,
    section: tables[table].section,
    shapes: Array.isArray(row.shape) ? row.shape : [row.shape as Shape],
    platforms: platformsOf(row),
    since: sinceOf(row),
    otherValuesSince: versionsIn(row.platform?.startsWith('Other') ? row.platform : ''),
    default: row.value !== undefined ? row.value : row.computed || row.default === undefined ? undefined : row.default,
  }
}

/** Returns the platforms of a cell; an empty one means all. That of borderStyle is for other colors only. */
function platformsOf({ platform, worksOn }: Row): readonly Platform[] {
  if (worksOn) return worksOn
  if (platform === undefined || platform.startsWith('Other')) return platforms
  const named = platform.split(', ').map((part) => part.replace(/ [\d.]+\+$/, ''))
  return platforms.filter((name) => named.includes(name))
}

/** Parses "App 2.6.3+", "App 2.3.4+, H5 3.0.0+", or a bare "2.6.6", which applies to App (pages-json §2.6). */
function sinceOf({ platform, since, minVersions }: Row): Attribute['since'] {
  if (minVersions) return minVersions
  if (since && /^[\d.]+$/.test(since)) return { App: since }
  return versionsIn(since ?? (platform?.startsWith('Other') ? '' : (platform ?? '')))
}

function versionsIn(cell: string): Attribute['since'] {
  return Object.fromEntries([...cell.matchAll(/(App|H5) ([\d.]+)\+/g)].map(([, name, version]) => [name, version]))
}

/** Compares dotted versions: negative if `a` is older. Anything that is not a number counts as 0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map((part) => Number.parseInt(part, 10) || 0))
  for (let index = 0; index < Math.max(left!.length, right!.length); index += 1) {
    const difference = (left![index] ?? 0) - (right![index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
