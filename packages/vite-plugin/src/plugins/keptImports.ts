import type { Plugin } from 'vite'
import { keptImports as importsOf } from '../keptImports.ts'
import type { MiniApp } from '../miniApp.ts'
import { isSoukFile } from '../packages.ts'

/** Keeps the imports of TypeScript files that the project's tsconfig.json keeps. `vue` does so for components. */
export function keptImports(app: MiniApp): Plugin {
  return {
    name: 'souk:kept-imports',
    enforce: 'pre',
    configResolved({ tsconfig }) {
      app.tsconfig = tsconfig
    },
    transform: {
      filter: { id: /\.(?:[cm]?ts|tsx)(?:$|\?)/, code: /\bimport\b/ },
      handler(code, id) {
        const [file] = id.split('?') as [string]
        // Queries of components end with `lang.ts`.
        if (!/\.(?:[cm]?ts|tsx)$/.test(file) || file.includes('/node_modules/') || isSoukFile(file)) return undefined
        const imports = importsOf(code, file.endsWith('x') ? 'tsx' : 'ts', file, app.tsconfig)
        return imports === '' ? undefined : { code: imports + code, map: null }
      },
    },
  }
}
