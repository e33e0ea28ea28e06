import { namespacePattern } from './namespaces.ts'
import { answerNames, objectNames, serviceNames, startNames, storageNames, systemNames } from './neuNames.generated.ts'

const withoutLoading = new Set([...serviceNames, ...startNames])
const wordOf = (names: readonly string[]) =>
  // ReDoS: words only.
  new RegExp(`(?<![\\w$])(?:${names.join('|').replaceAll('$', '\\$')})(?![\\w$])`)
/** Names of objects that are also words of other code. */
const commonWords: readonly string[] = ['env', 'host']

/** The modules that add functions to `neu`, with the functions that a file mentions under any name of `neu`. */
const modules = [
  ['neu/storage', wordOf(storageNames)],
  ['neu/system', wordOf([...systemNames, ...answerNames])],
  ['neu/objects', wordOf(objectNames.filter((name) => !commonWords.includes(name)))],
] as const

const loaded = new Set([...withoutLoading, ...storageNames, ...systemNames, ...objectNames])
// ReDoS: the developer's own files.
const property = new RegExp(`(?<![\\w$'"\`/@-])${namespacePattern}\\s*(?:\\?\\.|\\.)\\s*([\\w$]+)`, 'g')
/** Matches a use of `neu` other than `neu.name`. The words are also in quotes, paths, class names and keys. */
// ReDoS: the developer's own files.
const otherUse = new RegExp(
  `(?<!typeof |[\\w$'"\`/@-])${namespacePattern}(?![\\w$]|\\s*(?:\\?\\.|\\.)\\s*[\\w$]|['"\`/-]|\\s*:)`,
)

/** Quickly finds files for which `neuModules` may return something. */
// ReDoS: words only.
export const mayNeedNeu = new RegExp(
  `\\b${namespacePattern}\\b|${[...storageNames, ...systemNames, ...answerNames, ...objectNames].filter((name) => !commonWords.includes(name)).join('|')}`,
)

/**
 * Returns the modules of the runtime that must be loaded before a file runs, because it uses their functions: all of
 * them if it uses `neu` in another way than `neu.name`, or a function that only the complete `neu` knows to be missing.
 */
export function neuModules(code: string): string[] {
  const text = withoutImports(withoutComments(code))
  const names = [...text.matchAll(property)].map(([, name]) => name!)
  if (otherUse.test(text) || names.some((name) => !loaded.has(name))) return ['neu']
  return modules.flatMap(([module, mentioned]) =>
    mentioned.test(text) || (module === 'neu/objects' && names.some((name) => commonWords.includes(name)))
      ? [module]
      : [],
  )
}

/** Removes imports of `neu` under its own name. */
const withoutImports = (code: string) => code.replace(/\bimport\s*\{(?:(?!\bas\b)[^{}])*\}/g, '')

/** Removes comments that fill whole lines. Others could be parts of texts. */
const withoutComments = (code: string) =>
  // ReDoS: the developer's own files.
  code.replace(/^[ \t]*(?:\/\/.*|\/\*[\s\S]*?\*\/)/gm, '')
