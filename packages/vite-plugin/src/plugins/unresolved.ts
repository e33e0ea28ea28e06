import { readFile } from 'node:fs/promises'
import { normalizePath, type Plugin } from 'vite'
import { atLocation } from '../location.ts'
import { bundledPackages } from '../migrate/ecosystem.ts'
import type { MiniApp } from '../miniApp.ts'

/** Fails the build on unresolved imports of the project and reports their location. */
export function unresolved(app: MiniApp): Plugin {
  return {
    name: 'souk:unresolved',
    apply: 'build',
    resolveId: {
      // No other plug-in has resolved it.
      order: 'post',
      filter: { id: /^(?:\.|@?[\w-])[^:]*$/ },
      async handler(source, importer) {
        const file = importer?.replace(/\?.*/s, '')
        if (!file?.startsWith(`${normalizePath(app.root)}/`) || file.includes('/node_modules/')) return
        const text = await readFile(file, 'utf8')
        const name = /^(?:@[^/]+\/)?[^/]+/.exec(source)![0]
        const message = source.startsWith('.')
          ? `Cannot find ${source}.`
          : `The package ${name} is not installed${Object.hasOwn(bundledPackages, name) ? ", because uni-app's IDE brings it along" : ''}. Add it with: npm install ${name}`
        this.error(atLocation(file, text, Math.max(0, text.search(inQuotes(source))), message))
      },
    },
  }
}

// ReDoS: the text is escaped, so that nothing in it repeats.
const inQuotes = (text: string) => new RegExp(`["']${text.replace(/[^\w]/g, '\\$&')}["']`)
