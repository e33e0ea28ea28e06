import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { readPages } from '../config.ts'
import { type Node, toJson } from '../parse/nodes.ts'
import { parse } from '../parse/parse.ts'
import { attributesOf } from '../rules/attributes.ts'
import type { Shape, TableId } from '../rules/rule.ts'
import { schema } from '../rules/schema.ts'
import { shapeOf } from '../rules/shape.ts'
import { tables } from '../rules/tables.ts'
import { check } from './check.ts'

const text = readFileSync(new URL('../../test/fixtures/everything.jsonc', import.meta.url), 'utf8')

/** Lists the attributes that a value uses, as table.attribute. */
function usesOf(node: Node, shape: Shape): string[] {
  if (shape.is === 'list' && node.kind === 'list') return node.items.flatMap((item) => usesOf(item, shape.of))
  if (shape.is !== 'object' || node.kind !== 'object') return []
  return node.properties.flatMap(({ key, value }) => {
    const attribute = attributesOf(shape.of).get(key.value)
    const inner = attribute && shapeOf(attribute.shapes, value)
    return attribute
      ? [`${shape.of}.${key.value}`, `${attribute.table}.${key.value}`, ...(inner ? usesOf(value, inner) : [])]
      : []
  })
}

describe('a file with every attribute', () => {
  const { root } = parse(text)

  it('uses every row of the rule table', () => {
    const used = new Set(usesOf(root!, { is: 'object', of: 'top' }))
    const rows = (Object.keys(tables) as TableId[]).flatMap((table) =>
      tables[table].rows.map(({ attribute }) => `${table}.${attribute}`),
    )
    expect(rows.filter((row) => !used.has(row))).toEqual([])
  })

  it('has no diagnostics except a hint about precedence', () => {
    const found = check(readPages(text)).map(({ code, severity }) => `${severity} ${code}`)
    expect(found).toEqual(['hint tab-icon-font'])
  })

  it('is valid against the JSON Schema, which rejects other types', () => {
    const validate = new Ajv({ strict: true, allErrors: true }).compile(schema())
    validate(toJson(root!))
    expect(validate.errors).toBe(null)
    for (const wrong of [
      {},
      { pages: {} },
      { pages: [{ path: 1 }] },
      { pages: [], globalStyle: { navigationBarTextStyle: 'red' } },
    ]) {
      expect(validate(wrong)).toBe(false)
    }
  })

  it('causes warnings only about attributes newer than the target version', () => {
    const old = check(readPages(text), { targets: { App: '2.3.0', H5: '1.0.0', 'Mini App': '1.0.0' } })
    expect(new Set(old.map(({ code }) => code))).toEqual(new Set(['tab-icon-font', 'key-too-new']))
    expect(new Set(old.flatMap(({ platforms }) => platforms))).toEqual(new Set(['H5', 'App']))
    const recent = check(readPages(text), { targets: { App: '3.4.4', H5: '3.2.10' } })
    expect(recent.map(({ code }) => code)).toEqual(['tab-icon-font'])
  })
})
