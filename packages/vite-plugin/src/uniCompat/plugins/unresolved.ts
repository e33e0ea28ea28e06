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
        const file = ownFile(importer, app)
        if (importer === undefined || file === undefined) return
        const found = await locateImport(file, importer, source)
        if (source.startsWith('.')) this.error(found.at(`Cannot find ${source}.`))
        missing.push(found)
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
        else this.warn(at(unused(source, app)))
      }
      if (errors.length > 0) this.error(errors.join('\n'))
    },
  }
}

/** Leaves out the same imports on the development server, where Vite reports the others when they are loaded. */
export function unresolvedInDevelopment(app: MiniApp): Plugin {
  return {
    name: 'souk:unresolved-in-development',
    apply: 'serve',
    transform: {
      filter: { code: /\bimport\b/ },
      async handler(code, id) {
        const file = ownFile(id, app)
        if (file === undefined) return
        let rest = code
        for (const source of new Set([...code.matchAll(packageImports)].map(([, source]) => source!))) {
          if (await this.resolve(source, id)) continue
          const { isBare, at } = await locateImport(file, id, source)
          if (isBare || usesImport(rest.replace(offered, 'get $1() {}'), source) || templateUses(rest, source)) continue
          this.warn(at(unused(source, app)))
          rest = withoutImport(rest, source)
        }
        return rest === code ? undefined : { code: rest, map: null }
      },
    },
  }
}

const packageImports = /\b(?:from|import)\s{0,9}["'](@?[\w-][^"':\n]{0,200})["']/g

/** How components of the development server offer what they import to their template, which reads it from `$setup`. */
const offered = /\bget ([\w$]+)\(\) \{ return \1 \}/g

const templateUses = (code: string, source: string): boolean =>
  importsOf(code, source).some(({ names }) =>
    // Names that begin like another one count as used: Vite reports the import then.
    names.some((name) => code.includes(`$setup["${name}"]`) || code.includes(`$setup.${name}`)),
  )

/** Declares what is imported from the source instead, on the same line. */
function withoutImport(code: string, source: string): string {
  let rest = code
  for (const { start, end, names } of importsOf(code, source).reverse())
    rest = `${rest.slice(0, start)}${names.length > 0 ? `let ${names.join(', ')};` : ''}${rest.slice(end)}`
  return rest
}

/** Returns the path of the project's file that a module is, or is a part of. */
function ownFile(id: string | undefined, app: MiniApp): string | undefined {
  const file = id?.replace(/\?.*/s, '')
  return file?.startsWith(`${normalizePath(app.root)}/`) && !file.includes('/node_modules/') ? file : undefined
}

async function locateImport(file: string, importer: string, source: string): Promise<MissingPackage> {
  const text = await readFile(file, 'utf8')
  return {
    importer,
    source,
    // ReDoS: spaces in the developer's own file.
    isBare: new RegExp(`\\bimport\\s*${inQuotes(source).source}`).test(text),
    at: (message) => atLocation(file, text, Math.max(0, text.search(inQuotes(source))), message),
  }
}

function unused(source: string, app: MiniApp): string {
  const { problem, advice } = describe(source, app)
  return `${problem}, but nothing imported from it is used. ${advice}`
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

/** Returns the imports of a source in a compiled module, and the names that they declare. */
function importsOf(code: string, source: string): { start: number; end: number; names: string[] }[] {
  return babelParse(code, { sourceType: 'module' }).program.body.flatMap((node) =>
    node.type === 'ImportDeclaration' && node.source.value === source
      ? [{ start: node.start!, end: node.end!, names: node.specifiers.map(({ local }) => local.name) }]
      : [],
  )
}

/** Checks if a compiled module uses a name that it imports from the source, or gets it without an import. */
function usesImport(code: string, source: string): boolean {
  const { program } = babelParse(code, { sourceType: 'module' })
  const imports = importsOf(code, source)
  const names = new Set(imports.flatMap((each) => each.names))
  let isUsed = imports.length === 0
  walkIdentifiers(program, ({ name }, parent, _parents, isReference, isLocal) => {
    if (isReference && !isLocal && names.has(name) && !parent?.type.startsWith('Import')) isUsed = true
  })
  return isUsed
}

// ReDoS: the text is escaped, so that nothing in it repeats.
const inQuotes = (text: string) => new RegExp(`["']${text.replace(/[^\w]/g, '\\$&')}["']`)
