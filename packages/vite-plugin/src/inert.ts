import { type ESTree, parseSync } from 'vite'

/** Functions of Vue that only return a value. */
const inertFunctions =
  /^(?:defineComponent|markRaw|ref|shallowRef|reactive|shallowReactive|readonly|computed|create(?:Element|Static|Text|Comment)?VNode)$/
/** The module whose function completes a component of Vue's compiler. */
const exportHelper = /\bplugin-vue:export-helper$/
const inertClasses = /^(?:Map|Set|WeakMap|WeakSet|RegExp)$/
const inertGlobals =
  /^(?:undefined|NaN|Infinity|String|Number|Boolean|Array|Object|Function|Date|Symbol|Promise|Map|Set)$/

/**
 * Checks if a module only defines things when it is evaluated, so that it can be evaluated before the app exists. Such
 * a module calls nothing, and reads no globals. Returns false if unsure.
 */
export function isInert(code: string): boolean {
  const { program, errors } = parseSync('module.js', code)
  if (errors.length > 0) return false
  const names = declaredNames(program)
  return program.body.every((node) => isInertStatement(node, names))
}

/** Names of a module, and whether calls of them are inert. */
type Names = ReadonlyMap<string, boolean>

/** Returns the names that a module imports or declares. */
function declaredNames({ body }: ESTree.Program): Names {
  return new Map(
    body.flatMap((node): [string, boolean][] => {
      if (node.type === 'ImportDeclaration') return importedNames(node)
      const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node
      if (declaration?.type === 'VariableDeclaration')
        return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [[id.name, false]] : []))
      return declaration?.type === 'FunctionDeclaration' && declaration.id ? [[declaration.id.name, false]] : []
    }),
  )
}

const importedNames = ({ source, specifiers }: ESTree.ImportDeclaration): [string, boolean][] =>
  specifiers.map((each) => {
    const isOfVue =
      source.value === 'vue' &&
      each.type === 'ImportSpecifier' &&
      each.imported.type === 'Identifier' &&
      inertFunctions.test(each.imported.name)
    return [each.local.name, isOfVue || exportHelper.test(source.value)]
  })

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
      return isInertCall(node, names) && areInert(node.arguments)
    default:
      return false
  }
}

function isInertCall({ callee, arguments: [first] }: ESTree.CallExpression, names: Names): boolean {
  if (callee.type === 'Identifier') return names.get(callee.name) ?? callee.name === 'Symbol'
  // Vue's compiler merges the options of a component.
  return (
    first?.type === 'ObjectExpression' &&
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Object' &&
    callee.property.type === 'Identifier' &&
    /^(?:assign|freeze)$/.test(callee.property.name)
  )
}
