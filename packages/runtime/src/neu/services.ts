import type { LoadNavigation } from '../stack/app.ts'
import type { ShareOptions } from '../stack/hooks.ts'
import { createNavigation as create } from '../stack/navigation.ts'
import { check } from './check.ts'
import './objects.ts'
import { checkedOptions, services as functions, takesComponent } from './services.generated.ts'
import { getWindowInfo } from './system.ts'
import type { Services } from './table/types.ts'
import { takesListener } from './takesListener.ts'

export { scrollTo } from '../page/scrollTo.ts'
export { fallback } from './fallback.ts'
export { afterCall, beforeCall } from './intercepted.ts'

/** Functions that no first page needs: loaded after the first page, or when first called. */
export const services: Services = functions

/** Creates the navigation of the app, which no first page needs either. */
export const createNavigation: LoadNavigation = async (...it) => create(...it, getWindowInfo, sharePage)

/** Shares the page on top as a card. The user may close the sheet of the host. */
export function sharePage(options: ShareOptions): void {
  import('./sharing.ts')
    .then((sharing) => sharing.sharePage(options))
    .catch((error: Error) => console.warn(error.message))
}

/**
 * Calls a function. Some take a component after the options and get it as one of them. Throws if there is no function
 * of this name, or if the options are invalid.
 */
export function serve(name: string, options: unknown, component?: unknown): unknown {
  if (!Object.hasOwn(services, name)) throw new Error('not supported')
  if (!takesListener(name)) check(name, options, checkedOptions[name])
  const own = component && takesComponent.has(name) ? { ...(options as object), component } : options
  return services[name as 'login'](own as object)
}
