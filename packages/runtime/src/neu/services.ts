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
export const createNavigation: LoadNavigation = async (...it) => create(...it, getWindowInfo, startSharing)

/** Loads what shares the page on top, and lets it do so. */
export function startSharing(options: ShareOptions): void {
  import('./sharing.ts').then(({ sharePage }) => sharePage(options), reportError)
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
