import { platforms } from '@souk/pages'
import * as ecosystem from './ecosystem.ts'
import { apis, exportedNames, moreUniAppNames } from './runtime.generated.ts'
import type { Support } from './tagSupport.ts'

const functions: ReadonlyMap<string, Support> = new Map(apis.map(({ name, ...support }) => [name, support]))

/** Returns the support of a function of `uni`; undefined if neither Souk nor uni-app has a function of this name. */
export function functionSupport(name: string): Support | undefined {
  return functions.get(name) ?? (ecosystem.functions.has(name) ? { missing: platforms } : undefined)
}

/** Names that a project can import from `@dcloudio/uni-app`, and its counterparts of other frameworks. */
export const exportedFromUniApp: ReadonlySet<string> = new Set([...exportedNames, ...moreUniAppNames])

const calledHooks: ReadonlySet<string> = new Set(exportedNames)

/** Hooks that only hosts of mini programs call. */
const hostHooks = /^on(?:Share\w+|AddToFavorites|CopyUrl|Init|SaveExitState)$/

/** Returns the platforms that do not call a hook; undefined if uni-app has no hook of this name. */
export function hookSupport(name: string): Support | undefined {
  if (!ecosystem.hooks.has(name)) return undefined
  // Functions that only @dcloudio/uni-app exports are never called.
  if (calledHooks.has(name)) return { missing: [] }
  return { missing: hostHooks.test(name) ? ['Mini App'] : platforms }
}
