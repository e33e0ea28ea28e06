import { expect, it } from 'vitest'
import { isInert } from './inert.ts'

it.each([
  [
    'imports and functions',
    `import { ref } from 'vue'\nexport function f() { return getApp() }\nexport const g = () => uni.login()`,
  ],
  [
    'values',
    `const a = { b: [1, 'x', null, \`\${1 + 1}\`], c: String }\nlet d\nexport default a\nexport { d as e }\nexport * from './f.js'`,
  ],
  [
    'components',
    `import { createElementVNode as _createElementVNode } from 'vue'
import _export_sfc from '\\0plugin-vue:export-helper'
const _hoisted_1 = _createElementVNode('view', null, 'x', -1)
const _sfc_main = /*@__PURE__*/Object.assign({ name: 'a' }, { props: { a: { type: Array, default: () => [] } }, setup() { return uni } })
export default /*#__PURE__*/_export_sfc(_sfc_main, [['render', () => {}]])`,
  ],
  ['state', `import { ref } from 'vue'\nexport const count = ref(0)\nexport const all = new Map()`],
  ['directives', `'use strict'`],
])('knows that %s are inert', (_, code) => {
  expect(isInert(code)).toBe(true)
})

it.each([
  ['calls', `start()`],
  ['calls in values', `export default { app: getApp() }`],
  ['methods', `export const info = uni.getSystemInfoSync()`],
  ['globals', `export const api = uni`],
  ['properties, which can have getters', `import a from './a.js'\nexport const b = a.b`],
  ['assignments', `let a\na = 1`],
  ['assignments to globals', `window.shared = {}`],
  ['classes', `export class A { static b = f() }`],
  ['loops', `for (;;) {}`],
  ['await', `export const a = await 1`],
  ['spread', `import a from './a.js'\nexport const b = { ...a }`],
  ['constructors', `export const a = new Store()`],
  ['patterns', `import a from './a.js'\nexport const { b } = a`],
  ['arguments with effects', `import { ref } from 'vue'\nexport const a = ref(f())`],
  ['functions with the name of one of Vue', `import { ref } from './own.js'\nexport const a = ref(1)`],
  ['changes of imported objects', `import a from './a.js'\nexport default Object.assign(a, {})`],
  ['errors', `const`],
])('does not take %s for inert', (_, code) => {
  expect(isInert(code)).toBe(false)
})

it('takes no noticeable time for a module with thousands of icons', () => {
  const icons = Array.from({ length: 8_000 }, (_, index) => `export const icon${index} = 'M1 2'`)
  const start = process.cpuUsage()
  expect(isInert(icons.join('\n'))).toBe(true)
  expect(process.cpuUsage(start).user).toBeLessThan(3_000_000)
})
