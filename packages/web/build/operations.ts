import type { Operation } from '@souk/contract'
import type { Plugin } from 'vite'

const operationsId = 'virtual:souk-operations'
const errorsId = 'virtual:souk-errors'

/**
 * Provides the contract data that an API client needs at run time as the module `virtual:souk-operations`: method, path
 * and body type of each operation, and `more` unchanged. Importing the schemas would add TypeBox to the bundle. The
 * registry messages of errors are in `virtual:souk-errors`, which is only loaded to show an error.
 */
export function operationsModule(
  operations: Record<string, Operation>,
  {
    statements = {},
    ...more
  }: { statements?: Record<string, string>; openParameters?: object; openRequests?: object } = {},
): Plugin {
  const described = Object.values(operations).map(({ id, method, path, body }) => [
    id,
    { method, path, ...(body ? { body: body[0] } : {}) },
  ])
  const modules: Record<string, string> = {
    [operationsId]: exportsOf({ operations: Object.fromEntries(described), ...more }),
    [errorsId]: exportsOf({ statements }),
  }
  return {
    name: 'souk-operations',
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    load: (id) => modules[id.slice(1)],
  }
}

function exportsOf(values: Record<string, object>): string {
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
    .join('')
}
