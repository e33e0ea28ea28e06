import { expect, test } from 'vitest'
import { pagesOf, projectOf } from '../../test/project.ts'
import { MiniApp } from '../miniApp.ts'
import { fileHasOptions, needsOptionsApi } from './optionsApi.ts'

const script = (text: string, attributes = '') =>
  `<template><view /></template>\n<script${attributes}>\n${text}\n</script>`

test.each([
  [script('const a = 1', ' setup'), false],
  [script(`export default { name: 'a', components: { B }, onLoad() {}, onShow: () => {} }`), false],
  [script('export default { setup() {}, props: { a: String }, emits: [] }', ' lang="ts"'), false],
  [script('export default defineComponent({ props: ["a"] })'), false],
  [script('export default ({ setup() {} })'), false],
  [script('export const helper = 1'), false],
  ['<template><view /></template>', false],
  [script('export default { data: () => ({ a: 1 }) }'), true],
  [script('export default { methods: { a() {} } }'), true],
  [script('export default { mixins: [a] }'), true],
  [script('export default { ...all }'), true],
  [script('export default { ["data"]: a }'), true],
  [script('export default options'), true],
  [script('export default defineComponent({ computed: {} })'), true],
  [script('defineOptions({ data() {} })', ' setup'), true],
  [script('', ' src="./a.js"'), true],
  [script('export default { data( }'), true],
  [`${script('const a = 1', ' setup')}<wxs module="tool" src="./tool.wxs" />`, true],
])('%s has options: %s', (text, has) => expect(fileHasOptions('a.vue', text)).toBe(has))

test.each([
  ['export default defineComponent({})', true],
  ["app.component('a', { data() {} })", true],
  ['app.mixin({ onLoad() {} })', true],
  ['export class A extends B {}', false],
  ['export const add = (a, b) => a + b', false],
])('the script %s may have options: %s', (text, has) => expect(fileHasOptions('a.ts', text)).toBe(has))

async function needs(files: Record<string, string | object>): Promise<boolean> {
  const app = new MiniApp({ platform: 'H5' })
  await app.open(await projectOf({ ...pagesOf(['pages/a/a']), ...files }))
  return needsOptionsApi(app)
}

test('a project needs the Options API if a component for its platform uses it', async () => {
  const data = 'export default { data: () => ({}) }'
  expect(await needs({})).toBe(false)
  expect(await needs({ 'components/b/b.vue': script(data) })).toBe(true)
  expect(await needs({ 'components/b/b.vue': script(`// #ifdef APP\n${data}\n// #endif`) })).toBe(false)
  expect(await needs({ 'node_modules/b/b.vue': script(data), 'dist/b.vue': script(data) })).toBe(false)
})

test('a project needs the Options API if it depends on a package for Vue', async () => {
  const installed = (more: object) => ({
    'package.json': { dependencies: { vue: '3.5.0', kit: '1.0.0' } },
    'node_modules/kit/package.json': { name: 'kit', version: '1.0.0', ...more },
  })
  expect(await needs(installed({}))).toBe(false)
  expect(await needs(installed({ peerDependencies: { vue: '^3' } }))).toBe(true)
  expect(await needs({ 'package.json': { dependencies: { gone: '1.0.0' } } })).toBe(true)
})
