import { readFileSync } from 'node:fs'
import { expect, it, test } from 'vitest'
import { fileWith, sampleOf } from '../../test/fileWith.ts'
import { readPages } from '../config.ts'
import { type Platform, platforms } from '../diagnostic.ts'
import type { Json } from '../parse/nodes.ts'
import { resolve } from '../resolve/resolve.ts'
import { type Attribute, attributesOf } from '../rules/attributes.ts'
import { isPlatformKey } from '../rules/honored.ts'
import { pathTo } from '../rules/misplacedKeys.ts'
import type { Shape, TableId } from '../rules/rule.ts'
import { tables } from '../rules/tables.ts'
import { check } from './check.ts'

const everything = readFileSync(new URL('../../test/fixtures/everything.jsonc', import.meta.url), 'utf8')

/** Returns the keys that a build for a platform reports. */
const dropped = (text: string, build: Platform): string[] =>
  check(readPages(text), { build })
    .filter(({ code }) => code === 'key-platform')
    .map(({ offset, length }) => JSON.parse(text.slice(offset, offset + length)))

/** Returns the attributes from the top to an object of a table. */
function attributesTo(table: TableId): Attribute[] {
  let from: TableId = 'top'
  const inner = (shape: Shape): TableId[] =>
    shape.is === 'object' ? [shape.of] : shape.is === 'list' ? inner(shape.of) : []
  return (pathTo('top', table) ?? []).map((key) => {
    const attribute = attributesOf(from).get(key)!
    from = attribute.shapes.flatMap(inner)[0]!
    return attribute
  })
}

/** Returns a value that is not the default. */
function valueFor({ shapes, default: initial }: Attribute): Json {
  const [shape] = shapes
  if (shape?.is === 'boolean') return initial !== true
  return (shape?.is === 'text' && shape.values?.find((value) => value !== initial)) || sampleOf(shape!)
}

const allAttributes = (Object.keys(tables) as TableId[]).flatMap((table) =>
  [...attributesOf(table).values()].map((attribute) => ({ table, attribute, name: `${table}.${attribute.name}` })),
)

test('a build reports blocks of pages.json that only other builds have', () => {
  const text = `{
  "pages": [
    // #ifdef APP-PLUS
    { "path": "pages/login/login" },
    // #endif
    { "path": "pages/index/index" }
  ]
}`
  const found = (build?: Platform) => check(readPages(text), build ? { build } : {})
  expect(found('H5')).toMatchObject([
    {
      code: 'conditional-dropped',
      severity: 'warning',
      platforms: ['H5'],
      message:
        'The block of #ifdef APP-PLUS is not in a build for H5, which has no branch of its own: it is kept by App only.',
    },
  ])
  expect([...found('App'), ...found()]).toEqual([])
})

test.each(platforms)('a build for %s reports each attribute that it drops, and no other', (build) => {
  for (const { table, attribute, name } of allAttributes) {
    const text = fileWith(table, { [attribute.name]: valueFor(attribute) })
    const first = [...attributesTo(table), attribute].find((each) => !each.platforms.includes(build))
    const expected = first && !isPlatformKey(first.name) ? [first.name] : []
    expect([name, dropped(text, build)]).toEqual([name, expected])
  }
})

test.each(platforms)('what a build for %s reports changes nothing in it', (build) => {
  const whole = resolve(readPages(everything), { platform: build })
  const found = check(readPages(everything), { build }).filter(({ code }) => code === 'key-platform')
  expect(found.length).toBeGreaterThan(3)
  for (const { offset, length, message, platforms: affected } of found) {
    expect(affected).toEqual([build])
    expect(message).toMatch(new RegExp(` has no effect on ${build}: it works on .+ \\(pages-json .+\\)\\.$`))
    const without = `${everything.slice(0, offset)}"without"${everything.slice(offset + length)}`
    expect(plain(resolve(readPages(without), { platform: build }))).toEqual(plain(whole))
  }
})

const plain = ({ pages, tabBar, windows }: ReturnType<typeof resolve>) => ({
  pages: pages.map(({ path, style }) => ({ path, style })),
  tabBar,
  windows,
})

it('reports nothing that is for another platform by its place, nor values that change nothing', () => {
  const style = {
    h5: { titleNView: { titleText: 'T' }, titlePenetrate: 'YES' },
    'app-plus': { bounce: 'none' },
    titlePenetrate: 'NO',
    leftWindow: true,
  }
  const text = JSON.stringify({ pages: [{ path: 'pages/a/a', style }] })
  for (const build of platforms) expect(dropped(text, build)).toEqual([])
  const guarded = `{"pages": [{"path": "pages/a/a", "style": {
    // #ifdef H5
    "titlePenetrate": "YES",
    // #endif
  }}]}`
  for (const build of platforms) expect(dropped(guarded, build)).toEqual([])
})

it('reports values that count on other platforms', () => {
  const text = fileWith('tabBar', { borderStyle: '#FF0000' })
  expect(platforms.map((build) => dropped(text, build))).toEqual([[], [], ['borderStyle']])
  expect(dropped(fileWith('tabBar', { borderStyle: 'white' }), 'Mini App')).toEqual([])
})

it('reports nothing of the kind without a build', () => {
  expect(check(readPages(everything)).filter(({ code }) => code === 'key-platform')).toEqual([])
})
