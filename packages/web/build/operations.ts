import type { Operation } from '@souk/contract'
import type { Plugin } from 'vite'

const operationsId = 'virtual:souk-operations'
const openOperationsId = 'virtual:souk-open-operations'
const errorsId = 'virtual:souk-errors'

/**
 * Provides the contract data that an API client needs at run time as the module `virtual:souk-operations`: method,
 * path and body type of each operation. Importing the schemas would add TypeBox to the bundle. Two modules are for some
 * pages only: `virtual:souk-open-operations` exports `open`, `virtual:souk-errors` the registry messages of errors.
 */
export function operationsModule(
  operations: Record<string, Operation>,
  { statements = {}, open = {} }: { statements?: Record<string, string>; open?: Record<string, object> } = {},
): Plugin {
  const described = Object.values(operations).map(({ id, method, path, body }) => [
    id,
    { method, path, ...(body ? { body: body[0] } : {}) },
  ])
  const modules: Record<string, string> = {
    [operationsId]: exportsOf({ operations: Object.fromEntries(described) }),
    [openOperationsId]: exportsOf(open),
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
