import { referencePage } from './src/rules/reference.ts'
import { schema } from './src/rules/schema.ts'
import { documentTypes } from './src/rules/types.ts'

/** The committed files that follow from the rule table: path from the root to text. */
export default function generate(): Record<string, string> {
  return {
    'packages/pages/pages.schema.json': `${JSON.stringify(schema(), null, 2)}\n`,
    'packages/pages/src/document.generated.ts': documentTypes(),
    'docs/generated/pages-json.md': referencePage(),
  }
}
