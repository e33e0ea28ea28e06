// The verbs of stores in ARCHITECTURE.md: the name of each query that a store exports begins with one of them.
import { parseSync } from 'vite'

export const stores = 'apps/server/src/**/{store,*.store}.ts'

const verbs = ['find', 'list', 'count', 'exists', 'insert', 'update', 'upsert', 'delete', 'lock', 'claim']
const verb = /^(?:find|list|count|exists|insert|update|upsert|delete|lock|claim)(?![a-z])/

/** Returns a message for each exported query of a store that begins with another verb. */
export function findOtherVerbs(file, content) {
  return parseSync(file, content)
    .program.body.filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap(({ declaration }) => queriesOf(declaration))
    .filter((name) => !verb.test(name))
    .map((name) => `${file}: ${name} has to begin with ${verbs.slice(0, -1).join(', ')} or ${verbs.at(-1)}`)
}

/** Functions that are not asynchronous return parts of SQL, not rows. */
function queriesOf(declaration) {
  if (declaration?.type === 'FunctionDeclaration') return isQuery(declaration) ? [declaration.id.name] : []
  if (declaration?.type !== 'VariableDeclaration') return []
  return declaration.declarations.filter(({ init }) => isQuery(init)).map(({ id }) => id.name)
}

function isQuery(value) {
  // A function that wraps a query, such as one that records a span.
  if (value?.type === 'CallExpression') return value.arguments.some(isQuery)
  return value?.async === true || ['Promise', 'Rows'].includes(value?.returnType?.typeAnnotation.typeName?.name)
}
