import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { attributesOf, type Node, type Shape, type TableId, tables } from '../../packages/pages/src/index.ts'
import { parse } from '../../packages/pages/src/parse/parse.ts'
import { shapeOf } from '../../packages/pages/src/rules/shape.ts'

const playground = join(import.meta.dirname, '../../playground')

/** Lists every attribute of a value and of the values inside it, such as `pageStyle.titleImage`. */
function attributesIn(value: Node, shapes: readonly Shape[]): string[] {
  const shape = shapeOf(shapes, value)
  if (shape?.is === 'list' && value.kind === 'list')
    return value.items.flatMap((item) => attributesIn(item, [shape.of]))
  if (shape?.is !== 'object' || value.kind !== 'object') return []
  return value.properties.flatMap(({ key, value }) => {
    const attribute = attributesOf(shape.of).get(key.value)
    return attribute ? [`${shape.of}.${key.value}`, ...attributesIn(value, attribute.shapes)] : []
  })
}

test('the playground uses every attribute of pages.json', () => {
  const files = readdirSync(playground)
    .map((name) => join(playground, name, 'pages.json'))
    .filter((file) => existsSync(file))
  const shown = new Set(
    files.flatMap((file) => attributesIn(parse(readFileSync(file, 'utf8')).root!, [{ is: 'object', of: 'top' }])),
  )
  const all = (Object.keys(tables) as TableId[]).flatMap((table) =>
    tables[table].rows.map(({ attribute }) => `${table}.${attribute}`),
  )
  // The name of a subpackage has no effect.
  expect(all.filter((attribute) => !shown.has(attribute))).toEqual(['subPackage.name'])
})
