import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type DocumentRow, readDocument } from '../../test/documentRows.ts'
import documentRows from '../../test/fixtures/documentRows.json' with { type: 'json' }
import { attributesOf } from './attributes.ts'
import { ecosystemKeys } from './ecosystem.ts'
import type { Row, TableId } from './rule.ts'
import { tables } from './tables.ts'

const document = new URL('../../../../../shared/spec/pages-json.md', import.meta.url)

/** A row of the rule table as the document has it. */
function asDocument(table: TableId, row: Row, hasRequired: boolean): DocumentRow {
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
  const inDocument = new Map((documentRows as DocumentRow[]).map((row) => [keyOf(row), row]))
  const claimed = (Object.keys(tables) as TableId[]).flatMap((table) =>
    tables[table].rows.filter(({ source }) => source === undefined).map((row: Row) => ({ table, row })),
  )

  it.runIf(existsSync(document))('is tested against the rows of the document as it stands', () => {
    expect(readDocument(readFileSync(document, 'utf8'))).toEqual(documentRows)
  })

  it.each(documentRows as DocumentRow[])(
    'has $table.$attribute of §$section with the same type, default, platform and version',
    (row) => {
      const own = claimed.find(({ table, row: each }) => table === row.table && each.attribute === row.attribute)
      expect(own && asDocument(own.table, own.row, row.required !== undefined)).toEqual(row)
    },
  )

  it('claims nothing else to be in the document', () => {
    expect(
      claimed.map(({ table, row }) => keyOf({ table, attribute: row.attribute })).filter((key) => !inDocument.has(key)),
    ).toEqual([])
    expect(claimed).toHaveLength(documentRows.length)
  })

  it('gives every default as a value of its own type', () => {
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

  it('says in own words what each attribute does', () => {
    for (const { row } of claimed) expect(row.description.length).toBeGreaterThan(4)
  })

  it('shares no key with the list of the ecosystem, but for those that globalStyle passes on', () => {
    const shared = ecosystemKeys().filter(({ table, key }) => attributesOf(table).has(key))
    expect(shared).toEqual([])
  })
})
