import * as icons from '@mdi/js'
import type { Plugin } from 'vite'

const paths: ReadonlyMap<string, unknown> = new Map(Object.entries(icons))
const prefix = '\0icon:'
const imports = /import\s*\{([^}]*)\}\s*from\s*['"]@mdi\/js['"];?/g

/** Makes a module of each icon of `@mdi/js`, so that the first page does not load the icons of all pages. */
export function separateIcons(): Plugin {
  return {
    name: 'souk-icons',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { code: '@mdi/js' },
      handler: (code) => ({
        code: code.replace(imports, (_, names: string) =>
          names
            .split(',')
            .filter((name) => name.trim())
            .map((name) => `import { ${name.trim()} } from '${prefix.slice(1)}${name.trim().split(/\s/)[0]}';`)
            .join(''),
        ),
        map: null,
      }),
    },
    resolveId: { filter: { id: /^icon:mdi\w+$/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0icon:/ },
      handler(id) {
        const name = id.slice(prefix.length)
        const path = paths.get(name)
        if (path === undefined) throw new Error(`@mdi/js has no icon ${name}`)
        return `export const ${name} = ${JSON.stringify(path)}`
      },
    },
  }
}
