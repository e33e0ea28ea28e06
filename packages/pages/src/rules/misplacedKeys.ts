import type { Node } from '../parse/nodes.ts'
import { type Attribute, attributesOf } from './attributes.ts'
import type { Shape, TableId } from './rule.ts'
import { shapeOf } from './shape.ts'
import { tables } from './tables.ts'

const cache = new Map<TableId, ReadonlyMap<string, readonly TableId[]>>()

/**
 * Returns the table that a misplaced key belongs to: the nearest one where the key takes the value, or, for a key of
 * several words, any such table, or else the nearest one that has it. Undefined if no table near the given one has it.
 */
export function tableOfMisplacedKey(table: TableId, key: string, value: Node): TableId | undefined {
  const nearbyKeys = cache.get(table) ?? keysOfTablesNear(table)
  cache.set(table, nearbyKeys)
  const homes = nearbyKeys.get(key) ?? []
  const takesIt = (home: TableId) => {
    const attribute = attributesOf(home).get(key)
    return attribute !== undefined && takes(attribute, value)
  }
  const home = homes.find(takesIt)
  if (home !== undefined || homes.length === 0 || !isDistinct(key)) return home
  return (Object.keys(tables) as TableId[]).find(takesIt) ?? homes[0]
}

/** Returns whether an attribute takes a value; a missing one is still to be written. */
export function takes({ shapes }: Attribute, value: Node): boolean {
  const shape = shapeOf(shapes, value)
  if (shape?.is !== 'text' || value.kind !== 'string') return shape !== undefined || value.kind === 'missing'
  return shape.values === undefined || shape.open === true || shape.values.includes(value.value)
}

const isDistinct = (key: string): boolean => /[A-Z]/.test(key)

/**
 * Collects the keys of the tables near one, nearest first: tables that it overrides or may contain, then tables that
 * contain it. Short keys such as `type` and `color` occur in many tables and are only collected from adjacent ones.
 */
function keysOfTablesNear(table: TableId): ReadonlyMap<string, readonly TableId[]> {
  const homes = new Map<string, TableId[]>()
  const add = (home: TableId, accepts: (key: string) => boolean = () => true) => {
    for (const key of attributesOf(home).keys()) if (accepts(key)) homes.set(key, [...(homes.get(key) ?? []), home])
  }
  const { fallsBackTo, except, inherits } = tables[table]
  if (fallsBackTo) add(fallsBackTo.table)
  for (const other of inherits ?? []) add(other, (key) => except?.includes(key) === true)
  for (const nextTo of [childrenOf, parentsOf]) {
    let near: TableId[] = [table]
    const seen = new Set(near)
    for (let step = 1; step <= 3; step += 1) {
      near = near.flatMap(nextTo).filter((each) => !seen.has(each))
      for (const each of near) {
        seen.add(each)
        add(each, (key) => step === 1 || isDistinct(key))
      }
    }
  }
  return homes
}

/** Returns the keys that lead from an object to one of another table inside it; undefined if it contains none. */
export function pathTo(from: TableId, to: TableId): readonly string[] | undefined {
  let paths: { table: TableId; keys: readonly string[] }[] = [{ table: from, keys: [] }]
  const seen = new Set([from])
  while (paths.length > 0) {
    paths = paths.flatMap(({ table, keys }) =>
      [...attributesOf(table).values()].flatMap(({ name, shapes }) =>
        tablesIn(shapes).map((inner) => ({ table: inner, keys: [...keys, name] })),
      ),
    )
    paths = paths.filter(({ table }) => !seen.has(table))
    const found = paths.find(({ table }) => table === to)
    if (found) return found.keys
    for (const { table } of paths) seen.add(table)
  }
  return undefined
}

const childrenOf = (table: TableId): TableId[] =>
  [...attributesOf(table).values()].flatMap(({ shapes }) => tablesIn(shapes))

/** Lists pageStyle before globalStyle, which it overrides. */
const parentsOf = (table: TableId): TableId[] =>
  (Object.keys(tables) as TableId[])
    .filter((each) => childrenOf(each).includes(table))
    .sort((a, b) => Number(a === 'globalStyle') - Number(b === 'globalStyle'))

function tablesIn(shapes: readonly Shape[]): TableId[] {
  return shapes.flatMap((shape) => {
    if (shape.is === 'object') return [shape.of]
    return shape.is === 'list' ? tablesIn([shape.of]) : []
  })
}
