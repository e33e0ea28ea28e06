import { attributesOf } from './attributes.ts'
import type { Shape, TableId } from './rule.ts'
import { tables } from './tables.ts'

const cache = new Map<TableId, ReadonlyMap<string, TableId>>()

/** The object that a key belongs in, when it stands in another one nearby; undefined where none nearby has it. */
export function tableOfMisplacedKey(table: TableId, key: string): TableId | undefined {
  const known = cache.get(table) ?? keysOfTablesNear(table)
  cache.set(table, known)
  return known.get(key)
}

/**
 * The keys of the objects near one, nearest first: those that it stands in for or may hold, then those that hold it. Words like "type" or
 * "color" stand in many objects, and are looked for one step away only.
 */
function keysOfTablesNear(table: TableId): ReadonlyMap<string, TableId> {
  const homes = new Map<string, TableId>()
  const add = (home: TableId, accepts: (key: string) => boolean = () => true) => {
    for (const key of attributesOf(home).keys()) if (!homes.has(key) && accepts(key)) homes.set(key, home)
  }
  const { fallsBackTo, except, inherits } = tables[table]
  if (fallsBackTo) add(fallsBackTo.table)
  for (const other of inherits ?? []) add(other, (key) => except?.includes(key) === true)
  for (const nextTo of [heldBy, holding]) {
    let near: TableId[] = [table]
    const seen = new Set(near)
    for (let step = 1; step <= 3; step += 1) {
      near = near.flatMap(nextTo).filter((each) => !seen.has(each))
      for (const each of near) {
        seen.add(each)
        add(each, (key) => step === 1 || /[A-Z]/.test(key))
      }
    }
  }
  return homes
}

const heldBy = (table: TableId): TableId[] =>
  [...attributesOf(table).values()].flatMap(({ shapes }) => insideOf(shapes))

/** Page style before the globalStyle that stands behind it. */
const holding = (table: TableId): TableId[] =>
  (Object.keys(tables) as TableId[])
    .filter((each) => heldBy(each).includes(table))
    .sort((a, b) => Number(a === 'globalStyle') - Number(b === 'globalStyle'))

function insideOf(shapes: readonly Shape[]): TableId[] {
  return shapes.flatMap((shape) => {
    if (shape.is === 'object') return [shape.of]
    return shape.is === 'list' ? insideOf([shape.of]) : []
  })
}
