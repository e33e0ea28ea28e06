import { openapi } from './src/openapi.ts'
import { errorsPage, eventsPage, referencePage, sandboxPage } from './src/reference.ts'

/** Returns the committed files that are generated from the contract, as text by path from the root. */
export default function generate(): Record<string, string> {
  return {
    'packages/contract/openapi.json': `${JSON.stringify(openapi(), null, 2)}\n`,
    'docs/generated/reference.md': referencePage(),
    'docs/generated/errors.md': errorsPage(),
    'docs/generated/events.md': eventsPage(),
    'docs/generated/sandbox.md': sandboxPage(),
  }
}
