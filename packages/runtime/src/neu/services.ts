import { check } from './check.ts'
import './objects.ts'
import { checkedOptions, services as functions } from './services.generated.ts'
import type { Services } from './table/types.ts'
import { takesListener } from './takesListener.ts'

export { scrollTo } from '../page/scrollTo.ts'
export { createNavigation } from '../stack/navigation.ts'
export { fallback } from './fallback.ts'
export { afterCall, beforeCall } from './intercepted.ts'

/** Functions that no first page needs: loaded after the first page, or when first called. */
export const services: Services = functions

/** Calls a function. Throws if there is none of this name, or if the options are invalid. */
export function serve(name: string, options: unknown): unknown {
  if (!Object.hasOwn(services, name)) throw new Error('not supported')
  if (!takesListener(name)) check(name, options, checkedOptions[name])
  return services[name as 'login'](options as object)
}
