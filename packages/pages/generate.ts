import { readFileSync } from 'node:fs'
import { drawingDefaults, drawingValues } from './src/rules/drawingDefaults.ts'
import { referencePage } from './src/rules/reference.ts'
import { schema } from './src/rules/schema.ts'
import { documentTypes } from './src/rules/types.ts'

/** Generates the committed files that are derived from the rule table: path from the root to contents. */
export default function generate(): Record<string, string> {
  return {
    'packages/pages/pages.schema.json': `${JSON.stringify(schema(), null, 2)}\n`,
    'packages/pages/src/document.generated.ts': documentTypes(),
    'packages/shell/src/defaults.generated.ts': drawingDefaults(),
    'packages/shell/src/values.generated.ts': drawingValues(),
    'docs/generated/pages-json.md': referencePage(specificationLinks()),
  }
}

/** Maps the sections of the specification to links from docs/generated. */
export function specificationLinks(): ReadonlyMap<string, string> {
  const text = readFileSync(new URL('../../docs/spec/pages-json.md', import.meta.url), 'utf8')
  const headings = text.matchAll(/^#+ (\d[\d.]*)(?<!\.) (.+)$/gm)
  return new Map(
    [...headings].map(([, section = '', title = '']) => {
      const anchor = `${section} ${title}`
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-')
      return [section, `../spec/pages-json.md#${anchor}`]
    }),
  )
}
