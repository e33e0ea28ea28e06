import { expect, test } from 'vitest'
import { withPlainExport } from './plainExport.ts'

test.each([
  ['export default ({ data() {} })', 'export default  { data() {} } '],
  ['export default ((({ a: (1) })))\nlater()', 'export default    { a: (1) }   \nlater()'],
  ['export default (\n  defineComponent({})\n) as Options', 'export default (\n  defineComponent({})\n) as Options'],
  ['export default (\n  defineComponent({})\n);', 'export default  \n  defineComponent({})\n ;'],
  ['export default { a: (1) }', 'export default { a: (1) }'],
  ['export default (a) => a', 'export default (a) => a'],
  ['export default ({', 'export default ({'],
])('the script %s is compiled as %s', (script, compiled) => {
  const around = (text: string) => `<template>(1)</template>\n<script lang="ts">${text}</script>\n<style></style>`
  expect(withPlainExport(around(script))).toBe(around(compiled))
})
