import * as icons from '@mdi/js'
import type { Plugin } from 'vite'

const paths: ReadonlyMap<string, unknown> = new Map(Object.entries(icons))
const imports = /import\s*\{([^}]*)\}\s*from\s*['"]@mdi\/js['"];?/g

/**
 * Replaces imports from `@mdi/js` by constants, so that the first page does not load the icons of all pages. A chunk
 * for each icon would be a request for each.
 */
export function inlineIcons(): Plugin {
  return {
    name: 'souk-icons',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { code: '@mdi/js' },
      handler: (code) => ({
        code: code.replace(imports, (_, names: string) => names.split(',').map(constantOf).join('')),
        map: null,
      }),
    },
  }
}

/** Returns the declaration of an imported name, such as `mdiPlus` or `mdiPlus as add`. */
function constantOf(imported: string): string {
  const [name, local = name] = imported.trim().split(/\s+as\s+/)
  if (!name) return ''
  const path = paths.get(name)
  if (path === undefined) throw new Error(`@mdi/js has no icon ${name}`)
  return `const ${local} = ${JSON.stringify(path)};`
}
