import { generatorAdvice, pagesGenerator } from '@souk/project'
import { normalizePath, type Plugin } from 'vite'
import { babelParse, walkIdentifiers } from 'vue/compiler-sfc'
import { atLocation } from '../../location.ts'
import type { MiniApp } from '../../miniApp.ts'

/**
 * Fails on `definePage()` if no plug-in of the project has removed it: the page would throw a ReferenceError, and stay
 * blank, although the build succeeds.
 */
export function pageMacros(app: MiniApp): Plugin {
  return {
    name: 'souk:page-macros',
    transform: {
      order: 'post',
      filter: { id: /\.[nu]?vue(?:$|\?)/, code: /\bdefinePage\s*\(/ },
      handler(code, id) {
        const [file] = id.split('?') as [string]
        const path = file.slice(normalizePath(app.root).length + 1)
        if (!file.startsWith(`${normalizePath(app.root)}/`) || path.includes('node_modules/') || !callsMacro(code))
          return
        const text = app.files.read(path) ?? ''
        const generator = pagesGenerator(app.folder)
        const message = `definePage() is a macro of ${generator.plugin}, which does not run in this build. The page would stop with an error. ${generatorAdvice(generator)} Without it, write the settings into pages.json, and remove the call.`
        this.error(atLocation(file, text, Math.max(0, text.search(/\bdefinePage\s*\(/)), message))
      },
    },
  }
}

/** Returns whether a module calls `definePage` without importing or declaring it. */
function callsMacro(code: string): boolean {
  const { program } = babelParse(code, { sourceType: 'module' })
  const declared = new Set<string>()
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') for (const { local } of node.specifiers) declared.add(local.name)
    else if (node.type === 'FunctionDeclaration' && node.id) declared.add(node.id.name)
  }
  let isCalled = false
  walkIdentifiers(program, ({ name }, parent, _parents, isReference, isLocal) => {
    if (name === 'definePage' && isReference && !isLocal && parent?.type === 'CallExpression') isCalled = true
  })
  return isCalled && !declared.has('definePage')
}
