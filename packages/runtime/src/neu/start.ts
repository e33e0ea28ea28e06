import { answers } from './answers.ts'
import { api } from './api.ts'
import { $emit, $off, $on, $once } from './events.ts'
import { taskNames } from './functionNames.generated.ts'
import { functions, lookUp, provide } from './functions.ts'
import { addInterceptor, interceptorsOf, removeInterceptor } from './interceptors.ts'
import { isFunctionName } from './isFunctionName.ts'
import { loadServices, services } from './lazyServices.ts'
import type { RequestTask } from './table/network.ts'
import type { Neu } from './table/types.ts'
import { takesListener } from './takesListener.ts'

export type { Neu } from './table/types.ts'

const atStart = { addInterceptor, removeInterceptor, $on, $once, $off, $emit }

const created = new Map<string, unknown>()

/** Returns the function of `services.ts` with this name, which loads them if necessary. */
export function later(name: string): unknown {
  if (!created.has(name)) created.set(name, create(name))
  return created.get(name)
}

function create(name: string): unknown {
  const serve = (from: typeof import('./services.ts'), options: unknown, component?: unknown) =>
    from.serve(name, options, component) as RequestTask
  if (takesListener(name)) {
    return (listener: unknown) => {
      if (services) serve(services, listener)
      else void loadServices().then((loaded) => serve(loaded, listener))
    }
  }
  return api(name, (options, component): object => {
    const interceptors = interceptorsOf(name)
    if (services && interceptors.length === 0) return serve(services, options, component)
    const answer = answers[name]
    if (answer && interceptors.length === 0) return answer()
    // Wrapped in an array, because a promise would be awaited.
    const run = () => loadServices().then((loaded) => [serve(loaded, options, component)] as const)
    const intercept = interceptors.length > 0 ? loadServices() : undefined
    const served = intercept ? intercept.then((it) => it.beforeCall(interceptors, options)).then(run) : run()
    const finished = served.then(([result]) => result as unknown)
    const outcome = intercept ? intercept.then((it) => it.afterCall(interceptors, finished)) : finished
    return taskNames.test(name) ? Object.assign(outcome, task(name, served)) : outcome
  })
}

const requestMethods = 'abort onHeadersReceived offHeadersReceived onProgressUpdate offProgressUpdate'
const socketMethods = 'send close onOpen onMessage onError onClose'

/** Returns a task that controls a request or connection even before the services are loaded. */
function task(name: string, served: Promise<readonly [unknown]>): object {
  const methods = (name === 'connectSocket' ? socketMethods : requestMethods).split(' ')
  return Object.fromEntries(
    methods.map((method) => [
      method,
      (argument: unknown) =>
        void served
          .then(([task]) => (task as Record<string, (argument: unknown) => void>)[method]!(argument))
          .catch(() => {}),
    ]),
  )
}

/**
 * The API of mini apps, with the names of the ecosystem; `uni` and `wx` are aliases. Functions that take options have
 * two call styles: with `success`, `fail` or `complete`, or without, returning a promise. Functions that navigate or
 * measure work from onLaunch on.
 *
 * Releases start with this part. Before a module that mentions another function runs, the build loads it, or all
 * (`index.ts`) if the module uses `neu` in another way than `neu.name`.
 */
export const neu: Neu = functions as unknown as Neu

provide(atStart)

function missing(name: string | symbol): unknown {
  if (services && !Object.hasOwn(services.services, name)) return services.fallback(name)
  return isFunctionName(name) ? later(name) : undefined
}
lookUp(missing)

/**
 * `neu` under the name of another platform. It is a function, because libraries such as ECharts take an object of this
 * name for a sign that there is no document.
 */
export const wx: Neu = new Proxy((() => {}) as unknown as Neu, {
  get: (_, name) => Reflect.get(neu, name),
  set: (_, name, value) => Reflect.set(neu, name, value),
  has: (_, name) => Reflect.has(neu, name),
})
