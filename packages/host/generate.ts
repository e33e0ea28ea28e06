import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

const file = 'packages/contract/src/embed.ts'

/**
 * Copies the protocol from the contract, without the validators for the page's side, so that pages that embed mini apps
 * install no other package.
 */
export default function generate(): Record<string, string> {
  const source = readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
  const { body } = parseSync(file, source).program
  const statements = body.map((node, index) => ({
    node,
    // Includes the comment before the statement.
    text: source.slice(body[index - 1]?.end ?? 0, node.end),
  }))
  const copied = statements
    .filter(({ node, text }) => node.type === 'ExportNamedDeclaration' && !text.includes('Check<'))
    .map(({ text }) => text)
  return {
    'packages/host/src/protocol.generated.ts': `// Generated from ${file} by \`npm run generate\`.${copied.join('')}\n`,
  }
}
