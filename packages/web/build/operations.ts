import type { Operation } from '@souk/contract'
import type { Plugin } from 'vite'

const name = 'virtual:souk-operations'

/**
 * What an API client needs to know of the contract at run time, as plain data in `virtual:souk-operations`: of `operations` method,
 * path and kind of body; and `more` as it is. The schemas themselves would bring TypeBox into the page, and the types need no
 * run time.
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
