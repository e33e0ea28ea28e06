import { oneWordNames } from './functionNames.generated.ts'

/** Objects of other platforms. Code tests whether they exist, or asks for `toJSON` to convert a value. */
const objects: ReadonlySet<string> = new Set(['toJSON', 'webView', 'miniProgram'])

/**
 * Returns whether a property of `neu` with this name is a function, even if Souk does not have it. The functions of
 * the ecosystem have names of several words in camel case, or are in the table. Other words are names that libraries
 * test, such as `then`, or that projects add. What projects and plug-ins add begins with `$` or `_`.
 */
export const isFunctionName = (name: string | symbol): name is string =>
  typeof name === 'string' && (/^[a-z][a-z\d]*[A-Z]\w*$/.test(name) ? !objects.has(name) : oneWordNames.test(name))
