import type { Operation } from '@souk/contract'
import type { Plugin } from 'vite'

const name = 'virtual:souk-operations'

/**
 * Provides the contract data that an API client needs at run time as the module `virtual:souk-operations`: method, path
 * and body type of each operation, and `more` unchanged. Importing the schemas would add TypeBox to the bundle.
 */
export function operationsModule(operations: Record<string, Operation>, more: Record<string, object> = {}): Plugin {
  const described = Object.values(operations).map(({ id, method, path, body }) => [
    id,
    { method, path, ...(body ? { body: body[0] } : {}) },
  ])
  const text = Object.entries({ operations: Object.fromEntries(described), ...more })
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
    .join('')
  return {
    name: 'souk-operations',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? text : undefined),
  }
}
