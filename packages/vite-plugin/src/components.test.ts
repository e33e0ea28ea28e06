import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Files, pagesOf, projectOf } from '../test/project.ts'
import { Components } from './components.ts'
import { MiniApp } from './miniApp.ts'

/** Returns a function that resolves a tag, with paths relative to the project root. */
async function finder(files: Files) {
  const folder = await projectOf(files)
  const app = new MiniApp({})
  await app.open(folder)
  const registry = new Components(app)
  return (tag: string, file = 'pages/a/a.vue') => registry.find(tag, join(folder, file))?.replace(`${folder}/`, '')
}

const one = (rest: object) => pagesOf(['pages/a/a', 'pages/b/b'], rest)

test('finds components/<name>/<name>.vue for every spelling of the tag', async () => {
  const find = await finder({
    ...one({}),
    'components/uni-badge/uni-badge.vue': '',
    'components/other/index.vue': '',
    'components/native/native.nvue': '',
    'uni_modules/kit/components/kit-list/kit-list.vue': '',
  })
  expect(find('uni-badge')).toBe('components/uni-badge/uni-badge.vue')
  expect(find('UniBadge')).toBe('components/uni-badge/uni-badge.vue')
  expect(find('uniBadge')).toBe('components/uni-badge/uni-badge.vue')
  expect(find('kit-list')).toBe('uni_modules/kit/components/kit-list/kit-list.vue')
  expect(find('other')).toBeUndefined()
  expect(find('native')).toBeUndefined()
})

test('does not scan for components if autoscan is false', async () => {
  const find = await finder({ ...one({ easycom: { autoscan: false } }), 'components/a-b/a-b.vue': '' })
  expect(find('a-b')).toBeUndefined()
})

test('applies easycom rules to .vue files in the project or in packages, after those in folders', async () => {
  const custom = {
    '^my-(.*)': '@/kit/$1/my-$1.vue',
    '^x-(\\w+)-(\\w+)$': 'x-kit/$2/$1.vue',
    '^n-(.*)': '@/native/$1.nvue',
    '^cu-(.*)': '@/kit/cu-$1',
    '^(': '@/broken.vue',
    '^my-own$': '@/kit/own.vue',
    '^Xtx(.*)': '@/components/Xtx$1.vue',
  }
  const find = await finder({
    ...one({ easycom: { custom } }),
    'components/my-a/my-a.vue': '',
    'components/my-own/my-own.vue': '',
    'components/b/b.vue': '',
    'components/XtxSwiper.vue': '',
    'kit/cu-bar.vue': '',
    'kit/own.vue': '',
    'kit/b/my-b.vue': '',
  })
  expect(find('my-a')).toBe('components/my-a/my-a.vue')
  expect(find('my-own')).toBe('kit/own.vue')
  expect(find('my-b')).toBe('kit/b/my-b.vue')
  expect(find('my-none')).toBeUndefined()
  expect(find('cu-bar')).toBe('kit/cu-bar.vue')
  expect(find('cu-none')).toBeUndefined()
  expect(find('x-one-two')).toBe('x-kit/two/one.vue')
  expect(find('n-a')).toBeUndefined()
  expect(find('XtxSwiper')).toBe('components/XtxSwiper.vue')
  expect(find('MyB')).toBe('kit/b/my-b.vue')
  expect(find('b')).toBe('components/b/b.vue')
})

test('applies usingComponents of globalStyle to all pages and that of a page to the page only', async () => {
  const find = await finder({
    'pages.json': {
      globalStyle: {
        usingComponents: {
          'my-all': '/kit/all',
          'wx-cell': '/wxcomponents/cell/index',
          'wx-row': 'wxcomponents/cell/index',
          missing: '/kit/missing',
        },
      },
      pages: [
        { path: 'pages/a/a', style: { usingComponents: { 'my-own': './own', 'my-all': '/kit/another.vue' } } },
        { path: 'pages/b/b' },
      ],
    },
    'pages/a/a.vue': '',
    'pages/b/b.vue': '',
    'pages/a/own.vue': '',
    'kit/all.vue': '',
    'kit/another.vue': '',
    'wxcomponents/cell/index.json': '{ "component": true }',
  })
  expect([find('wx-cell'), find('wx-row')]).toEqual([undefined, undefined])
  expect(find('missing')).toBeUndefined()
  expect([find('my-own'), find('my-all')]).toEqual(['pages/a/own.vue', 'kit/another.vue'])
  expect([find('my-own', 'pages/b/b.vue'), find('my-all', 'pages/b/b.vue')]).toEqual([undefined, 'kit/all.vue'])
})

test('finds the components in usingComponents that the checks accept', async () => {
  const usingComponents = {
    'in-folder': '/kit/folder',
    native: '@/kit/native',
    dotted: './kit/a.b',
    'of-package': 'kit/c',
  }
  const find = await finder({
    ...one({ globalStyle: { usingComponents } }),
    'kit/folder/index.vue': '',
    'kit/native.nvue': '',
    'kit/a.b.vue': '',
  })
  expect(Object.keys(usingComponents).map((tag) => find(tag))).toEqual([
    'kit/folder/index.vue',
    'kit/native.nvue',
    'kit/a.b.vue',
    'kit/c.vue',
  ])
})
