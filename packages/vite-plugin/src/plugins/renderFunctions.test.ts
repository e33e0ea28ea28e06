import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { renderFunctions } from './renderFunctions.ts'

const { transform } = renderFunctions()
const { handler, filter } = transform as unknown as {
  handler(this: { parse: typeof parseAst }, code: string, id: string): { code: string } | undefined
  filter: { code: RegExp }
}

/** Returns which names of a module come from the runtime, as `imported as local`. */
function fromRuntime(code: string, id = '/app/a.js'): string[] {
  if (!filter.code.test(code)) return []
  const result = handler.call({ parse: parseAst }, code, id)?.code ?? code
  // It is still a module, without a name twice.
  parseAst(result)
  return [...result.matchAll(/import \{ ([^}]*) \} from '@souk\/runtime\/renderFunctions'/g)].map(([, names]) => names!)
}

test.each([
  ["import { h } from 'vue'", ['h']],
  ['import { ref, h as create, createVNode } from "vue"', ['h as create', 'createVNode']],
  ["import{h,ref}from'vue';const a=h('view')", ['h']],
  ["import { cloneVNode } from 'vue'\nimport { h } from 'vue'", ['cloneVNode', 'h']],
  ["import { ref } from 'vue'\nconst h = ref(1)", []],
  ["import { h } from './own.js'\nimport { ref } from 'vue'", []],
  ["import { createElementVNode as _createElementVNode, createVNode as _createVNode } from 'vue'", []],
])('%s', (code, expected) => expect(fromRuntime(code)).toEqual(expected))

test('compiled JSX uses names of the compiler', () => {
  const code = "import { createVNode as _createVNode } from 'vue'"
  for (const id of ['/app/a.jsx', '/app/a.tsx', '/app/a.vue?vue&type=script&lang.tsx'])
    expect(fromRuntime(code, id)).toEqual(['createVNode as _createVNode'])
})
