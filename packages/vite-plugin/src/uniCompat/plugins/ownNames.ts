import MagicString from 'magic-string'
import type { Plugin } from 'vite'
import { babelParse } from 'vue/compiler-sfc'
import { namespacePattern, namespaces } from '../../namespaces.ts'
import { isSoukFile } from '../../packages.ts'
import { functionSupport } from '../migrate/support.ts'
import { identifier, type SyntaxNode, walk } from '../migrate/walk.ts'

/** Matches a property that has the name of a function: others are undefined unless they are set. */
// ReDoS: the developer's own files.
const property = new RegExp(`(?<![\\w$.])${namespacePattern}\\??\\.([a-z][a-z\\d]*[A-Z]\\w*)`, 'g')

/**
 * Lets code that tests for a property which projects and libraries set on `uni`, such as `uni.upuiParams`, find it
 * missing before it is set. Otherwise each name of this form is a function, so that calls of functions which the
 * ecosystem adds fail as the others do.
 */
export function ownNames(): Plugin {
  return {
    name: 'souk:own-names',
    transform: {
      filter: { id: /\.(?:[nu]?vue|uts|[cm]?[jt]sx?)(?:$|\?)/, code: property },
      handler(code, id) {
        if (isSoukFile(id) || /[?&]type=style\b/.test(id)) return undefined
        const isOwn = (name: string) => functionSupport(name) === undefined
        if (![...code.matchAll(property)].some(([, name]) => isOwn(name!))) return undefined
        const text = new MagicString(code)
        for (const { start, end, object, name } of readProperties(code))
          if (isOwn(name)) text.update(start, end, `('${name}' in ${object} ? ${object}.${name} : undefined)`)
        return text.hasChanged() ? { code: text.toString(), map: text.generateMap({ hires: 'boundary' }) } : undefined
      },
    },
  }
}

interface Property {
  readonly start: number
  readonly end: number
  readonly object: string
  readonly name: string
}

/** Returns the properties of namespaces that a module reads without calling or changing them. */
function readProperties(code: string): Property[] {
  const found: Property[] = []
  const { program } = babelParse(code, { sourceType: 'module', plugins: ['typescript', 'jsx'] })
  walk(program as unknown as SyntaxNode, (node, parent) => {
    if (!/^(?:Optional)?MemberExpression$/.test(node.type) || node.computed) return
    const [object, name] = [identifier(node.object), identifier(node.property)]
    if (object === undefined || name === undefined || !namespaces.includes(object)) return
    const isCalled = parent?.type === 'CallExpression' && parent.callee === node
    const isChanged =
      (parent?.type === 'AssignmentExpression' && parent.left === node) ||
      parent?.type === 'UpdateExpression' ||
      (parent?.type === 'UnaryExpression' && parent.operator === 'delete') ||
      parent?.type.endsWith('Pattern')
    const isFunctionName = /^[a-z][a-z\d]*[A-Z]/.test(name)
    if (isFunctionName && !isCalled && !isChanged) found.push({ start: node.start, end: node.end, object, name })
  })
  return found
}
