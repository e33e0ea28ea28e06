// Finds statements that are built from a name or a value without quoting it. In `sql` templates the driver passes
// values as parameters; any other text with SQL must quote what it contains. A template whose parts all come from the
// source can be exempt: `// SQL: <reason>` above it, or above the statement that it is part of.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'vite'

export const sources = 'apps/server/src/**/*.ts'

/** Functions that return text that is safe in a statement. */
const quoting = new Set(['quoteIdentifier', 'quoteIdentifiers', 'quoteLiteral'])
/** How a statement begins. */
export const statement =
  /^\s*(?:select|insert into|update|delete from|merge into|truncate|alter|create|drop|lock table|copy|grant|revoke|set local|with|do \$)\s/
const maxDepth = 8

/** Returns a message for each part of a statement that is not quoted. */
export function findUnquoted(file, content) {
  const { program } = parseSync(file, content)
  let scope
  const lines = content.split('\n')
  const lineOf = ({ start }) => content.slice(0, start).split('\n').length
  const isExempt = (node) => {
    const line = lineOf(node)
    return lines.slice(Math.max(0, line - 4), line).some((each) => /^\s*(?:\/\/|\*|\/\*\*) .*\bSQL: ./.test(each))
  }
  const messages = []
  const check = (node, text, parts) => {
    if (!statement.test(text) || isExempt(node)) return
    scope ??= readScope(file, program)
    for (const part of parts.filter((each) => !isSafe(each, scope))) {
      const found = content.slice(part.start, part.end)
      messages.push(`${file}:${lineOf(part)}: ${found} is part of a statement, and not quoted`)
    }
  }
  const tagged = new Set()
  new Visitor({ TaggedTemplateExpression: ({ quasi }) => tagged.add(quasi) }).visit(program)
  new Visitor({
    TemplateLiteral: (node) => {
      if (!tagged.has(node)) check(node, node.quasis[0].value.cooked, node.expressions)
    },
    BinaryExpression: (node) => {
      const { operator, left, right } = node
      if (operator === '+' && left.type === 'Literal' && typeof left.value === 'string')
        check(node, left.value, [right])
    },
  }).visit(program)
  return messages
}

/** Returns the constants of a file and those that it imports, by name, and the names that have other values too. */
function readScope(file, program) {
  const constants = new Map()
  const others = new Set()
  const bind = (pattern) => {
    if (pattern?.type === 'Identifier') others.add(pattern.name)
    if (pattern?.type === 'ObjectPattern') for (const each of pattern.properties) bind(each.value ?? each.argument)
    if (pattern?.type === 'ArrayPattern') pattern.elements.forEach(bind)
    if (pattern?.type === 'AssignmentPattern') bind(pattern.left)
  }
  const bindAll = ({ params }) => params.forEach(bind)
  new Visitor({
    VariableDeclaration: ({ kind, declarations }) => {
      for (const { id, init } of declarations) {
        if (kind === 'const' && id.type === 'Identifier' && init) {
          constants.set(id.name, [...(constants.get(id.name) ?? []), init])
        } else bind(id)
      }
    },
    ImportDeclaration: ({ source, specifiers }) => {
      const path = join(dirname(file), source.value)
      if (!source.value.startsWith('.') || !existsSync(path)) return
      const exported = exportsOf(path)
      for (const { imported, local } of specifiers) {
        const init = exported.get(imported?.name)
        if (init) constants.set(local.name, [init])
      }
    },
    FunctionDeclaration: bindAll,
    FunctionExpression: bindAll,
    ArrowFunctionExpression: bindAll,
  }).visit(program)
  return { constants, others }
}

function exportsOf(path) {
  const declared = parseSync(path, readFileSync(path, 'utf8')).program.body.flatMap(({ type, declaration }) =>
    type === 'ExportNamedDeclaration' && declaration?.kind === 'const' ? declaration.declarations : [],
  )
  return new Map(declared.map(({ id, init }) => [id.name, init]))
}

function isSafe(node, scope, depth = 0) {
  const isPartSafe = (part) => isSafe(part, scope, depth + 1)
  if (depth > maxDepth) return false
  switch (node.type) {
    case 'Literal':
      return true
    case 'TemplateLiteral':
      return node.expressions.every(isPartSafe)
    case 'ConditionalExpression':
      return isPartSafe(node.consequent) && isPartSafe(node.alternate)
    case 'BinaryExpression':
      // Numbers that are calculated are safe.
      return node.operator !== '+' || (isPartSafe(node.left) && isPartSafe(node.right))
    case 'Identifier':
      return !scope.others.has(node.name) && (scope.constants.get(node.name)?.every(isPartSafe) ?? false)
    case 'CallExpression':
      return quoting.has(node.callee.name)
    case 'TSAsExpression':
      return isPartSafe(node.expression)
    default:
      return false
  }
}

/** Returns the `execute` of a migration that insert text into a statement other than by `%I`, `%L` or as a number. */
export function findUnquotedInMigration(file, content) {
  const dynamic = content.matchAll(/\bexecute\s+(?!function\b|procedure\b)([^;]*);/gi)
  const isQuoted = (expression) =>
    /^format\(/i.test(expression) &&
    !expression.includes('||') &&
    (!/%(?:\d+\$)?-?\d*s/.test(expression) || expression.endsWith('::bigint)'))
  return Array.from(dynamic, ([, expression]) => expression.replaceAll(/\s+/g, ' '))
    .filter((expression) => !isQuoted(expression))
    .map((expression) => `${file}: execute ${expression}`)
}
