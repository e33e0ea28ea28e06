import { type ESTree, parseSync } from 'vite'

/** Functions of Vue and of its compiler that only return a value. */
const inertFunctions =
  /^(?:_?export_sfc|defineComponent|markRaw|ref|shallowRef|reactive|shallowReactive|readonly|computed|_create\w+VNode|_create(?:Static|Text)\w*|_normalize\w+|Symbol)$/
const inertClasses = /^(?:Map|Set|WeakMap|WeakSet|RegExp)$/
const inertGlobals =
  /^(?:undefined|NaN|Infinity|String|Number|Boolean|Array|Object|Function|Date|Symbol|Promise|Map|Set)$/

/**
 * Checks if a module only defines things when it is evaluated, so that it can be evaluated before the app exists. Such
 * a module calls nothing, and reads no globals. Returns false if unsure.
 */
export function isInert(code: string): boolean {
  const { program, errors } = parseSync('module.js', code)
  return errors.length === 0 && program.body.every((node) => isInertStatement(node, declaredNames(program)))
}

type Names = ReadonlySet<string>

/** Returns the names that a module imports or declares. */
function declaredNames({ body }: ESTree.Program): Names {
  const names = body.flatMap((node): (string | undefined)[] => {
    if (node.type === 'ImportDeclaration') return node.specifiers.map(({ local }) => local.name)
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node
    if (declaration?.type === 'VariableDeclaration')
      return declaration.declarations.map(({ id }) => (id.type === 'Identifier' ? id.name : undefined))
    return declaration?.type === 'FunctionDeclaration' ? [declaration.id?.name] : []
  })
  return new Set(names.filter((name) => name !== undefined))
}

function isInertStatement(node: ESTree.Node, names: Names): boolean {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'FunctionDeclaration':
    case 'EmptyStatement':
      return true
    case 'ExportNamedDeclaration':
      return node.declaration === null || isInertStatement(node.declaration, names)
    case 'ExportDefaultDeclaration':
      return node.declaration.type === 'FunctionDeclaration' || isInertValue(node.declaration, names)
    case 'VariableDeclaration':
      return node.declarations.every(({ id, init }) => id.type === 'Identifier' && (!init || isInertValue(init, names)))
    case 'ExpressionStatement':
      return node.expression.type === 'Literal'
    default:
      return false
  }
}

function isInertValue(node: ESTree.Node, names: Names): boolean {
  const areInert = (nodes: readonly (ESTree.Node | null)[]) => nodes.every((each) => !each || isInertValue(each, names))
  switch (node.type) {
    case 'Literal':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return true
    case 'Identifier':
      return names.has(node.name) || inertGlobals.test(node.name)
    case 'TemplateLiteral':
      return areInert(node.expressions)
    case 'ParenthesizedExpression':
      return isInertValue(node.expression, names)
    case 'UnaryExpression':
      return node.operator !== 'delete' && isInertValue(node.argument, names)
    case 'BinaryExpression':
    case 'LogicalExpression':
      return areInert([node.left, node.right])
    case 'ConditionalExpression':
      return areInert([node.test, node.consequent, node.alternate])
    case 'ArrayExpression':
      return areInert(node.elements)
    case 'ObjectExpression':
      return node.properties.every(
        (each) =>
          each.type === 'Property' &&
          (!each.computed || isInertValue(each.key, names)) &&
          isInertValue(each.value, names),
      )
    case 'NewExpression':
      return node.callee.type === 'Identifier' && inertClasses.test(node.callee.name) && areInert(node.arguments)
    case 'CallExpression':
      return isInertCall(node.callee) && areInert(node.arguments)
    default:
      return false
  }
}

function isInertCall(callee: ESTree.Node): boolean {
  if (callee.type === 'Identifier') return inertFunctions.test(callee.name)
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Object' &&
    callee.property.type === 'Identifier' &&
    /^(?:assign|freeze)$/.test(callee.property.name)
  )
}
