import type { Plugin } from 'vite'

/** Names of assigned constants, by the id of their module. */
export type AssignedConstants = ReadonlyMap<string, ReadonlySet<string>>

interface BuildErrors {
  errors?: readonly { code?: string; id?: string; message: string }[]
}

/** Returns the constants whose assignment has made a build fail; undefined if there are other errors. */
export function assignedConstants(error: unknown): AssignedConstants | undefined {
  const { errors = [] } = error as BuildErrors
  const found = new Map<string, Set<string>>()
  for (const { code, id, message } of errors) {
    const name = /\bconst variable `([^`]+)`/.exec(message)?.[1]
    if (code !== 'ILLEGAL_REASSIGNMENT' || id === undefined || name === undefined) return undefined
    found.set(id, (found.get(id) ?? new Set()).add(name))
  }
  return found.size > 0 ? found : undefined
}

/**
 * Declares assigned constants as variables, with a warning. uni-app builds such code, which only fails if it is
 * reached.
 */
export function variables(constants: AssignedConstants): Plugin {
  return {
    name: 'souk:variables',
    enforce: 'post',
    transform(code, id) {
      let text = code
      for (const name of constants.get(id) ?? []) {
        this.warn(`${name} is a constant, but assigned. The build declares it as a variable. Declare it with let.`)
        // Of the same length, so that the source map stays valid. ReDoS: names are written in the developer's own files.
        text = text.replace(new RegExp(`\\bconst(?=\\s+${name.replaceAll('$', '\\$')}(?![\\w$]))`, 'g'), 'let  ')
      }
      return text === code ? undefined : { code: text, map: null }
    },
  }
}
