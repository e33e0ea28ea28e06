import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
/** The compiler API is that of the TypeScript 6 of apps/console. */
const ts = createRequire(join(root, 'apps/console/package.json'))('typescript')

test('everything that the package exports has a comment, as have its fields and methods', () => {
  const entry = join(import.meta.dirname, 'index.ts')
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    customConditions: ['souk-source'],
    strict: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ['node'],
  })
  const checker = program.getTypeChecker()
  type Node = { getSourceFile(): { fileName: string }; modifiers?: { kind: number }[] }
  type Symbol = { name: string; flags: number; declarations?: Node[]; exports?: Map<string, Symbol> }
  const isAlias = ({ flags }: Symbol) => (flags & ts.SymbolFlags.Alias) !== 0
  const isOwn = ({ declarations = [] }: Symbol) =>
    declarations.some((one) => one.getSourceFile().fileName.startsWith(join(root, 'packages')))
  const isPublic = ({ name, declarations = [] }: Symbol) =>
    // The texts of `failReasonTypes` are their own description.
    !/^(#|__|prototype$|\d)/.test(name) &&
    !declarations.some(({ modifiers = [] }) => modifiers.some(({ kind }) => hidden.includes(kind)))
  const hidden = [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.OverrideKeyword]
  const hasComment = (symbol: Symbol & { getDocumentationComment(checker: unknown): unknown[] }) =>
    symbol.getDocumentationComment(checker).length > 0

  const missing: string[] = []
  let seen = 0
  const see = (symbol: Parameters<typeof hasComment>[0], name: string) => {
    seen++
    if (!hasComment(symbol)) missing.push(name)
  }
  for (const exported of checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)))) {
    const symbol = isAlias(exported) ? checker.getAliasedSymbol(exported) : exported
    see(symbol, symbol.name)
    const types = [
      ...(symbol.flags & ts.SymbolFlags.Type ? [checker.getDeclaredTypeOfSymbol(symbol)] : []),
      ...(symbol.flags & ts.SymbolFlags.Variable ? [checker.getTypeOfSymbol(symbol)] : []),
    ]
    for (const property of types.flatMap((type) => type.getProperties())) {
      if (isOwn(property) && isPublic(property)) see(property, `${symbol.name}.${property.name}`)
    }
  }
  expect(seen).toBeGreaterThan(400)
  expect(missing).toEqual([])
})
