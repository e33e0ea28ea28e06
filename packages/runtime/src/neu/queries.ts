import { nextTick } from 'vue'
import { currentApp, currentPage } from '../stack/app.ts'
import { allPages } from '../stack/stackState.ts'
import type { IntersectionOptions, Observer, SelectorQuery } from './measure.ts'

/** Returns a sub-window of an open page (pages-json §2.8). */
export function getSubNVueById(id: string): unknown {
  for (const page of allPages(currentApp().stackState).reverse()) {
    const window = page.controls?.subNVue(id)
    if (window) return window
  }
  return undefined
}

export function createSelectorQuery(): SelectorQuery {
  const page = currentPage()
  return deferred(({ selectorQuery }) => selectorQuery(page))
}

export function createIntersectionObserver(component?: object | null, options: IntersectionOptions = {}): Observer {
  const page = currentPage()
  return deferred(({ intersectionObserver }) => intersectionObserver(page, component ?? undefined, options))
}

type Call = [on: number, method: string, args: unknown[]]
type Methods = Record<string, (...args: unknown[]) => Methods>

/** Every method that these objects have. */
const methods = new Set(
  (
    'in select selectAll selectViewport exec boundingClientRect scrollOffset fields node context ' +
    'relativeTo relativeToViewport observe disconnect'
  ).split(' '),
)

/**
 * Returns a proxy for the object that `create` makes. It records method calls, and replays them in order when the
 * module is loaded and the page is rendered, which it is not yet in onLoad.
 */
function deferred<T extends object>(create: (measure: typeof import('./measure.ts')) => T): T {
  const calls: Call[] = []
  const results: Methods[] = []
  let count = 0
  const replay = async () => {
    const [measure] = await Promise.all([import('./measure.ts'), nextTick()])
    results[0] ??= create(measure) as unknown as Methods
    for (const [on, method, args] of calls.splice(0)) results.push(results[on]![method]!(...args))
  }
  const recorder = (at: number): T =>
    new Proxy({} as T, {
      get(_, method: string) {
        // `await`, JSON.stringify and Vue's reactivity look up other properties.
        if (!methods.has(method)) return undefined
        return (...args: unknown[]) => {
          if (calls.push([at, method, args]) === 1) void replay()
          return recorder(++count)
        }
      },
    })
  return recorder(0)
}
