import { stripVTControlCharacters } from 'node:util'
import type { Plugin } from 'vite'

interface BuildErrors {
  errors?: readonly { code?: string; id?: string; message: string }[]
}

/** Mistakes with which uni-app builds a project, and which only matter if the code is reached. */
export class Mistakes {
  /** Names of assigned constants, by the id of their module. */
  readonly constants = new Map<string, Set<string>>()
  /** Messages about imported names that the module does not export. */
  readonly exports = new Set<string>()

  /** Adds the mistakes that have made a build fail. Returns false if there are other errors, or no new ones. */
  add(error: unknown): boolean {
    const { errors = [] } = error as BuildErrors
    let isNew = false
    for (const { code, id, message } of errors) {
      const name = /\bconst variable `([^`]+)`/.exec(message)?.[1]
      if (code === 'MISSING_EXPORT') {
        isNew ||= this.exports.size === 0
        this.exports.add(stripVTControlCharacters(message))
      } else if (code === 'ILLEGAL_REASSIGNMENT' && id !== undefined && name !== undefined) {
        const names = this.constants.get(id) ?? new Set()
        isNew ||= !names.has(name)
        this.constants.set(id, names.add(name))
      } else return false
    }
    return isNew
  }
}

/** Builds in spite of mistakes, with warnings: assigned constants become variables, missing exports undefined. */
export function withMistakes({ constants, exports }: Mistakes): Plugin {
  return {
    name: 'souk:mistakes',
    enforce: 'post',
    config: () => (exports.size > 0 ? { build: { rolldownOptions: { shimMissingExports: true } } } : {}),
    buildStart() {
      for (const message of exports) this.warn(`${message}\nIt is undefined in the build.`)
    },
    transform(code, id) {
      let text = code
      for (const name of constants.get(id) ?? []) {
        this.warn(`${name} is a constant, but assigned. The build declares it as a variable. Declare it with let.`)
        // The text keeps its length, so the source map stays valid.
        // ReDoS: names in the developer's own files.
        text = text.replace(new RegExp(`\\bconst(?=\\s+${name.replaceAll('$', '\\$')}(?![\\w$]))`, 'g'), 'let  ')
      }
      return text === code ? undefined : { code: text, map: null }
    },
  }
}
