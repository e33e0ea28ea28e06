import { expect, test } from 'vitest'
import { fileWith, sampleOf } from '../../test/fileWith.ts'
import { readPages } from '../config.ts'
import { propertyOf } from '../parse/nodes.ts'
import { parse } from '../parse/parse.ts'
import { attributesOf } from '../rules/attributes.ts'
import { pathTo, takes } from '../rules/misplacedKeys.ts'
import type { TableId } from '../rules/rule.ts'
import { tables } from '../rules/tables.ts'
import { check } from './check.ts'

const allTables = (Object.keys(tables) as TableId[]).filter((table) => table === 'top' || pathTo('top', table))
const nameOf = (table: TableId) => (table === 'top' ? 'the file' : tables[table].title.replaceAll('`', ''))
const everyKey = [...new Set(allTables.flatMap((table) => [...attributesOf(table).keys()]))]

/** Returns whether a misplaced key with this value would count at the place that a message names. */
function isRightPlace(table: TableId, key: string, value: string, place: string, section: string): boolean {
  const node = propertyOf(parse(`{"k": ${value}}`).root, 'k')!.value
  return allTables.some((home) => {
    const path = pathTo(table, home)
    const names = [nameOf(home), ...(path ? [[nameOf(table), ...path].join('.')] : [])]
    const attribute = attributesOf(home).get(key)
    return names.includes(place) && tables[home].section === section && attribute && takes(attribute, node)
  })
}

test('a misplaced key is sent to a place that takes it, from every object and for every key', () => {
  let count = 0
  const wrong: string[] = []
  for (const table of allTables) {
    for (const key of everyKey) {
      if (attributesOf(table).has(key)) continue
      for (const value of new Set(
        allTables.flatMap((each) =>
          (attributesOf(each).get(key)?.shapes ?? []).map((shape) => JSON.stringify(sampleOf(shape))),
        ),
      )) {
        const text = fileWith(table, { [key]: JSON.parse(value) })
        const found = check(readPages(text)).find((each) => each.code === 'key-misplaced')
        if (found === undefined) continue
        count += 1
        const [, place = '', section = ''] = /belongs in (.+) \(pages-json .([\d.]+)\)/.exec(found.message) ?? []
        if (!isRightPlace(table, key, value, place, section))
          wrong.push(`${table} ${key}: ${value} → ${place} (${section})`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(count).toBeGreaterThan(500)
})

test('the style of pull-to-refresh on H5 may be named, and is a circle whatever is written', () => {
  const found = (style: string) =>
    check(readPages(fileWith('h5PullToRefresh', { style }))).map(({ code, message }) => [code, message])
  const required = found('circle')
  expect(required.filter(([code]) => code !== 'key-required')).toEqual([])
  expect(found('default')).toContainEqual([
    'value-unknown',
    expect.stringContaining('takes "circle" (pages-json §2.10)'),
  ])
})

/** Returns every condition of the rule table. */
const conditions = allTables.flatMap((table) =>
  [...attributesOf(table).values()].flatMap((attribute) => {
    const { onlyIf } = attribute.row
    return onlyIf ? [{ table, attribute, onlyIf, name: `${table}.${attribute.name}` }] : []
  }),
)

test.each(conditions)('$name has a finding where its condition does not hold, also for its default', (each) => {
  const { table, attribute, onlyIf } = each
  const owner = onlyIf.of === 'self' ? table : allTables.find((outer) => pathTo(outer, table)?.length === 1)!
  const condition = attributesOf(owner).get(onlyIf.key)!
  const [shape] = condition.shapes
  const others =
    shape!.is === 'boolean' ? [true, false] : shape!.is === 'text' && shape!.values ? shape!.values : ['popup', 'bar']
  const written = [attribute.default, sampleOf(attribute.shapes[0]!)].filter((value) => value !== undefined)
  for (const value of written) {
    for (const other of others) {
      const own = { [attribute.name]: value, ...(onlyIf.of === 'self' && { [onlyIf.key]: other }) }
      const text = fileWith(table, own, onlyIf.of === 'parent' ? { [onlyIf.key]: other } : {})
      const found = check(readPages(text)).filter(
        ({ code, message }) => code === 'key-no-effect' && message.startsWith(`"${attribute.name}" has no effect`),
      )
      // On H5 the indicator is a circle, so that its color counts there (pages-json §2.10).
      const isNothing = value === 'none' || value === '0px'
      const isOnH5 = table === 'pullToRefresh' && onlyIf.values.includes('circle')
      const expected = onlyIf.values.includes(other) || isNothing || isOnH5 ? 0 : 1
      expect([value, other, found.length]).toEqual([value, other, expected])
    }
  }
})
