import { expect, test } from 'vitest'
import { compileWxs, withoutScriptModules } from './scriptModules.ts'

test('takes WXS and renderjs out of a component and keeps its lines', () => {
  const source = `<template><view /></template>
<script module="swipe" lang="wxs">
module.exports = {}
</script>
<script lang="renderjs" module="chart" src="./chart.js"></script>
<script>
export default {}
</script>`
  const { text, modules } = withoutScriptModules(source)
  expect(text.split('\n').map((line) => line.trim())).toEqual([
    '<template><view /></template>',
    ...['', '', '', ''],
    '<script>',
    'export default {}',
    '</script>',
  ])
  expect(modules).toMatchObject([
    { name: 'swipe', lang: 'wxs', src: undefined, code: '\nmodule.exports = {}\n' },
    { name: 'chart', lang: 'renderjs', src: './chart.js' },
  ])
})

test('reads <wxs> elements, and keeps the script after a self-closing module', () => {
  const source = `<wxs module="swipe">module.exports = { far: 1 > 0 }</wxs>
<wxs src="./tool.wxs" module="tool" />
<script module="chart" lang="renderjs" src="./chart.js" />
<script>
export default {}
</script>`
  const { text, modules } = withoutScriptModules(source)
  expect(text.trim()).toBe('<script>\nexport default {}\n</script>')
  expect(text.split('\n')).toHaveLength(6)
  expect(modules).toEqual([
    { name: 'swipe', lang: 'wxs', src: undefined, code: 'module.exports = { far: 1 > 0 }' },
    { name: 'tool', lang: 'wxs', src: './tool.wxs', code: '' },
    { name: 'chart', lang: 'renderjs', src: './chart.js', code: '' },
  ])
})

test('leaves other scripts alone', () => {
  const source = `<template><view>
<!-- <script module="b" lang="wxs"></script> --></view></template>
<script setup lang="ts">const wxs = '<wxs module="c" />'</script><script module="a" lang="ts"></script>`
  expect(withoutScriptModules(source)).toEqual({ text: source, modules: [] })
})

test('compiles WXS to a module with its exports, other files and built-in functions', async () => {
  const code = compileWxs(`var found = getRegExp('a+').exec('caat')[0]
module.exports = { found: found, year: getDate(2020, 0, 1).getFullYear() }`)
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { default: object }
  expect(module.default).toEqual({ found: 'aa', year: 2020 })
  expect(compileWxs("var tool = require('./tool.wxs')")).toContain('import _0 from "./tool.wxs"')
})
