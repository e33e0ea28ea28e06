import { readFile } from 'node:fs/promises'
import { normalizePath, type Plugin } from 'vite'
import { atLocation } from '../location.ts'
import type { MiniApp } from '../miniApp.ts'

/** Ends a build where the project imports what is not there, and says where: no release is written that lacks something. */
export function unresolved(app: MiniApp): Plugin {
  return {
    name: 'souk:unresolved',
    apply: 'build',
    resolveId: {
      // Nobody else has found it.
      order: 'post',
      filter: { id: /^(?:\.|@?[\w-])[^:]*$/ },
      async handler(source, importer) {
        const file = importer?.replace(/\?.*/s, '')
        if (!file?.startsWith(`${normalizePath(app.root)}/`) || file.includes('/node_modules/')) return
        const text = await readFile(file, 'utf8')
        const name = /^(?:@[^/]+\/)?[^/]+/.exec(source)![0]
        const message = source.startsWith('.')
          ? `There is no ${source} beside this file.`
          : `The package ${name} is not installed: npm install ${name}.`
        this.error(atLocation(file, text, Math.max(0, text.search(inQuotes(source))), message))
      },
    },
  }
}

const inQuotes = (text: string) => new RegExp(`["']${text.replace(/[^\w]/g, '\\$&')}["']`)
