import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { babelParse, walkIdentifiers } from 'vue/compiler-sfc'
import { atLocation } from '../../location.ts'
import type { MiniApp } from '../../miniApp.ts'
import { bundledPackages } from '../migrate/ecosystem.ts'

/** An import of a package, or of a file of a package, that is not installed. */
interface MissingPackage {
  readonly importer: string
  readonly source: string
  /** Whether the importer, as it is written, imports it without names. */
  readonly isBare: boolean
  /** Returns a message about it with its location. */
  at(message: string): string
}

/**
 * Fails the build on unresolved imports of the project and reports their location. Leaves out an import of a package
 * with a warning if no imported name is used: editors leave such imports behind, and uni-app builds with them.
 */
export function unresolved(app: MiniApp): Plugin {
  const missing: MissingPackage[] = []
  return {
    name: 'souk:unresolved',
    apply: 'build',
    buildStart() {
      missing.length = 0
    },
    resolveId: {
      // No other plug-in has resolved it.
      order: 'post',
      filter: { id: /^(?:\.|@?[\w-])[^:]*$/ },
      async handler(source, importer, { kind }) {
        if (kind === 'require-call') return
        const file = importer?.replace(/\?.*/s, '')
        if (!importer || !file?.startsWith(`${normalizePath(app.root)}/`) || file.includes('/node_modules/')) return
        const text = await readFile(file, 'utf8')
        const at = (message: string) => atLocation(file, text, Math.max(0, text.search(inQuotes(source))), message)
        if (source.startsWith('.')) this.error(at(`Cannot find ${source}.`))
        // ReDoS: spaces in the developer's own file.
        const isBare = new RegExp(`\\bimport\\s*${inQuotes(source).source}`).test(text)
        missing.push({ importer, source, isBare, at })
        return { id: source, external: true, moduleSideEffects: false }
      },
    },
    // The compiled code of an importer is only known now.
    buildEnd() {
      const errors: string[] = []
      for (const { importer, source, isBare, at } of missing) {
        const { problem, advice } = describe(source, app)
        if (isBare || usesImport(this.getModuleInfo(importer)?.code ?? '', source))
          errors.push(at(`${problem}. ${advice}`))
        else this.warn(at(`${problem}, but nothing imported from it is used. ${advice}`))
      }
      if (errors.length > 0) this.error(errors.join('\n'))
    },
  }
}

function describe(source: string, { folder }: MiniApp): { problem: string; advice: string } {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(source)![0]
  if (existsSync(join(folder, 'node_modules', name)))
    return {
      problem: `The installed package ${name} has no ${source}`,
      advice: 'Install the version that the project is written for.',
    }
  const why = Object.hasOwn(bundledPackages, name) ? ", because uni-app's IDE brings it along" : ''
  return { problem: `The package ${name} is not installed${why}`, advice: `Add it with: npm install ${name}` }
}

/** Checks if a compiled module uses a name that it imports from the source, or gets it without an import. */
function usesImport(code: string, source: string): boolean {
  const { program } = babelParse(code, { sourceType: 'module' })
  const names = new Set<string>()
  let isImported = false
  for (const node of program.body) {
    if (node.type !== 'ImportDeclaration' || node.source.value !== source) continue
    isImported = true
    for (const { local } of node.specifiers) names.add(local.name)
  }
  let isUsed = !isImported
  walkIdentifiers(program, ({ name }, parent, _parents, isReference, isLocal) => {
    if (isReference && !isLocal && names.has(name) && !parent?.type.startsWith('Import')) isUsed = true
  })
  return isUsed
}

// ReDoS: the text is escaped, so that nothing in it repeats.
const inQuotes = (text: string) => new RegExp(`["']${text.replace(/[^\w]/g, '\\$&')}["']`)
