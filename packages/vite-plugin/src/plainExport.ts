import { parseSync } from 'vite'

/**
 * Replaces parentheses around what a component's script exports, as in `export default ({})`, by spaces. Vue's compiler
 * would remove only the first one.
 */
export function withPlainExport(source: string): string {
  // ReDoS: the developer's own files.
  return source.replace(/(?<=<script\b[^>]*>)[\s\S]*?(?=<\/script\s*>)/g, (script) =>
    /\bexport\s+default\s*\(/.test(script) ? plain(script) : script,
  )
}

function plain(script: string): string {
  const { program } = parseSync('script.ts', script)
  const exported = program.body.find((node) => node.type === 'ExportDefaultDeclaration')
  if (exported?.declaration.type !== 'ParenthesizedExpression') return script
  let inner = exported.declaration.expression
  while (inner.type === 'ParenthesizedExpression') inner = inner.expression
  const { start, end } = exported.declaration
  const before = script.slice(start, inner.start).replaceAll('(', ' ')
  const after = script.slice(inner.end, end).replaceAll(')', ' ')
  return script.slice(0, start) + before + script.slice(inner.start, inner.end) + after + script.slice(end)
}
