import type { ESTree } from 'vite'

/** Returns the options object of a component, with or without parentheses or a `defineComponent` call around it. */
export function componentOptions(expression: ESTree.Node): ESTree.ObjectExpression | undefined {
  if (expression.type === 'ParenthesizedExpression') return componentOptions(expression.expression)
  const isCall =
    expression.type === 'CallExpression' &&
    expression.callee.type === 'Identifier' &&
    expression.callee.name === 'defineComponent'
  const options = isCall ? expression.arguments[0] : expression
  return options?.type === 'ObjectExpression' ? options : undefined
}
