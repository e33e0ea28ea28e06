import MagicString from 'magic-string'
import type { Plugin } from 'vite'
import { isSoukFile } from '../packages.ts'

const names: ReadonlySet<string> = new Set(['h', 'createVNode', 'cloneVNode'])
const name = /\b(?:h|createVNode|cloneVNode)\b/

/** Lets render functions use rpx: what they import from Vue to create elements comes from the runtime. */
export function renderFunctions(): Plugin {
  return {
    name: 'souk:render-functions',
    // After JSX and templates are compiled.
    enforce: 'post',
    transform: {
      filter: { id: { exclude: /\/node_modules\/(?:@?vue\/|\.vite\/)/ }, code: /\bfrom\s*["']vue["']/ },
      handler(code, id) {
        if (isSoukFile(id) || !name.test(code)) return undefined
        const isJsx = /\.[jt]sx$/.test(id)
        const text = new MagicString(code)
        for (const node of this.parse(code).body) {
          if (node.type !== 'ImportDeclaration' || node.source.value !== 'vue') continue
          // Compiled templates convert lengths themselves. Their names begin with `_`, as those of compiled JSX do.
          const isReplaced = (specifier: (typeof node.specifiers)[number]) =>
            specifier.type === 'ImportSpecifier' &&
            names.has(nameOf(specifier.imported)) &&
            (isJsx || !specifier.local.name.startsWith('_'))
          for (const specifier of node.specifiers.filter(isReplaced)) {
            const { start, end } = specifier
            // Vue's own function is still imported, and unused.
            text.overwrite(start, end, `h as __souk_unused_${start}`)
            text.appendLeft(node.start, `import { ${code.slice(start, end)} } from '@souk/runtime/renderFunctions'; `)
          }
        }
        return text.hasChanged() ? { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) } : undefined
      },
    },
  }
}

const nameOf = (imported: { name: string } | { value: unknown }): string =>
  'name' in imported ? imported.name : String(imported.value)
