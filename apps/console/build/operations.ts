import { consoleOperations, errors, type Operation, openOperations } from '@souk/contract'
import type { Plugin } from 'vite'

const name = 'virtual:souk-operations'

/**
 * What the API client needs to know of the contract's operations at run time (method, path, kind of body), as plain data:
 * the schemas themselves would bring TypeBox into the page, and the types need no run time.
 */
export function soukOperations(): Plugin {
  return {
    name: 'souk-operations',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? moduleText() : undefined),
  }
}

function moduleText(): string {
  const all: Record<string, Operation> = consoleOperations
  const known = Object.values(all)
    .filter(({ stream }) => !stream)
    .map(({ id, method, path, body }) => [id, { method, path, ...(body ? { body: body[0] } : {}) }])
  return [
    `export const operations = ${JSON.stringify(Object.fromEntries(known))}`,
    `export const openParameters = ${JSON.stringify(namesOf(openOperations))}`,
    `export const statements = ${JSON.stringify(Object.fromEntries(Object.entries(errors).map(([code, { msg }]) => [code, msg])))}`,
  ].join('\n')
}

/** The names of the parameters of each operation. */
function namesOf(all: Record<string, Operation>): Record<string, string[]> {
  return Object.fromEntries(Object.values(all).map(({ id, parameters }) => [id, Object.keys(parameters.properties)]))
}
