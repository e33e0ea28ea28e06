import { describe, expect, it } from 'vitest'
import { readSpecification, type SpecificationRow } from '../../test/specification.ts'
import { attributesOf } from './attributes.ts'
import { ecosystemKeys } from './ecosystem.ts'
import type { Row, TableId } from './rule.ts'
import { tables } from './tables.ts'

const specification = readSpecification()

/** Returns a row of the rule table as the specification writes it. */
function toSpecification(table: TableId, row: Row, hasRequired: boolean): SpecificationRow {
  return {
    table,
    section: tables[table].section,
    attribute: row.attribute,
    type: row.type,
    ...(hasRequired && { required: row.required ? 'yes' : 'no' }),
    ...(row.default !== undefined && { default: row.default }),
    ...(row.platform !== undefined && { platform: row.platform }),
    ...(row.since !== undefined && { since: row.since }),
  }
}

const keyOf = ({ table, attribute }: { table: string; attribute: string }) => `${table}.${attribute}`

describe('the rule table', () => {
  const specified = new Set(specification.map(keyOf))
  const claimed = (Object.keys(tables) as TableId[]).flatMap((table) =>
    tables[table].rows.filter(({ source }) => source === undefined).map((row: Row) => ({ table, row })),
  )

  it('is compared with all tables of the specification', () => {
    expect(specification).toHaveLength(187)
    expect(new Set(specification.map(({ table }) => table))).toEqual(new Set(claimed.map(({ table }) => table)))
  })

  it.each(specification)(
    'has $table.$attribute of pages-json §$section with the same type, default, platform and version',
    (row) => {
      const own = claimed.find(({ table, row: each }) => table === row.table && each.attribute === row.attribute)
      expect(own && toSpecification(own.table, own.row, row.required !== undefined)).toEqual(row)
    },
  )

  it('has no other attributes, unless their source is noted', () => {
    const keys = claimed.map(({ table, row }) => keyOf({ table, attribute: row.attribute }))
    expect(keys.filter((key) => !specified.has(key))).toEqual([])
    expect(claimed).toHaveLength(specification.length)
  })

  it('declares every default in the type of its attribute', () => {
    for (const table of Object.keys(tables) as TableId[]) {
      for (const { name, row, shapes, default: value } of attributesOf(table).values()) {
        if (value === undefined) continue
        const kinds = shapes.map(
          ({ is }) =>
            ({ text: 'string', false: 'boolean', map: 'object', list: 'object', null: 'object' })[is as string] ?? is,
        )
        expect(kinds, `${table}.${name}`).toContain(typeof value)
        if (shapes[0]?.is === 'text' && shapes[0].values && row.computed === undefined)
          expect(shapes[0].values).toContain(value)
      }
    }
  })

  it('explains each attribute', () => {
    for (const { row } of claimed) expect(row.description.length).toBeGreaterThan(4)
  })

  it('has no attribute that the list of ecosystem keys has too', () => {
    const shared = ecosystemKeys().filter(({ table, key }) => attributesOf(table).has(key))
    expect(shared).toEqual([])
  })
})
