import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { resolveTsconfig, TsconfigCache } from 'rolldown/experimental'
import { parseSync } from 'vite'

/** Which imports TypeScript keeps although their names are unused or types; never those of `import type`. */
type Kept = 'all' | 'values' | 'none'

/**
 * Returns side-effect imports, on one line, of the modules whose imports TypeScript's settings keep. The compilers of
 * Vite and Vue drop an import without a used value, except in .ts files of `verbatimModuleSyntax` in `include`.
 *
 * @param code in the language
 * @param file absolute path of the file or component that contains it
 * @param tsconfig path of the only tsconfig.json; without it, the nearest one of the file
 */
export function keptImports(code: string, lang: 'ts' | 'tsx', file: string, tsconfig?: string): string {
  const kept = keptBy(file, tsconfig)
  if (kept === 'none') return ''
  const { body } = parseSync(`module.${lang}`, code).program
  const sources = body.flatMap((node) => {
    if (node.type !== 'ImportDeclaration' || node.importKind === 'type') return []
    const isValue = node.specifiers.length === 0 || node.specifiers.some((each) => !isTypeOnly(each))
    return kept === 'all' || isValue ? [node.source.value] : []
  })
  return sources.map((source) => `import ${JSON.stringify(source)};`).join('')
}

const isTypeOnly = (specifier: { type: string; importKind?: string | undefined }) => specifier.importKind === 'type'

function keptBy(file: string, tsconfig: string | undefined): Kept {
  const options = compilerOptionsOf(file, tsconfig)
  const { importsNotUsedAsValues = 'remove' } = options
  if (options.verbatimModuleSyntax || importsNotUsedAsValues !== 'remove') return 'all'
  return options.preserveValueImports ? 'values' : 'none'
}

/**
 * Returns the compiler options for a file. The nearest tsconfig.json applies to files outside of its `include`, too,
 * which rarely names components; but `include` chooses among references.
 */
function compilerOptionsOf(file: string, tsconfig: string | undefined) {
  const nearest = tsconfig ?? nearestTsconfig(dirname(file))
  const found =
    (tsconfig === undefined ? resolveTsconfig(file) : null) ??
    (nearest === undefined ? null : resolveTsconfig(file, new TsconfigCache(nearest)))
  return found?.tsconfig.compilerOptions ?? {}
}

function nearestTsconfig(folder: string): string | undefined {
  const file = join(folder, 'tsconfig.json')
  if (existsSync(file)) return file
  const above = dirname(folder)
  return above === folder ? undefined : nearestTsconfig(above)
}
