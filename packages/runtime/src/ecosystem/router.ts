/*
 * `$router`, for H5 builds that mention it: the parts of vue-router's router that uni-app's H5 builds have and that
 * mini apps can use. Pages keep their own scroll positions, and routes cannot be added.
 */
import { computed, nextTick, watch } from 'vue'
import { neu } from '../neu/start.ts'
import { callListeners } from '../page/callListeners.ts'
import type { ScrollTarget } from '../page/renderedPage.ts'
import { type Address, formatUrl, parseUrl } from '../stack/address.ts'
import type { RunningApp } from '../stack/app.ts'
import { whenCreated } from '../stack/created.ts'
import { type Route, routeOf, routeTo } from '../stack/route.ts'

type Query = Record<string, string | number | null | undefined>
type Location = string | { path?: string; query?: Query; replace?: boolean }
/**
 * The failure of a navigation, with vue-router's numbers: a guard aborted it (4), a newer one canceled it (8), or the
 * page is already on top (16).
 */
export type NavigationFailure = Error & { type: 4 | 8 | 16; to: Route; from: Route }
type Answer = boolean | Location | Error | undefined
/** Answers by `next` if it takes that, otherwise by what it returns. */
type Guard = (to: Route, from: Route, next: (answer?: Answer) => void) => unknown
type AfterHook = (to: Route, from: Route, failure?: NavigationFailure) => void
type ErrorListener = (error: unknown, to: Route, from: Route) => void
interface Position {
  left?: number
  top?: number
  /** Selector of the element to show. */
  el?: string
}
type ScrollBehavior = (to: Route, from: Route, saved: Position | null) => unknown

const maxRedirects = 30

/** Creates `$router`. Its guards are asked before each navigation, also by `neu`, the bars and the browser. */
export function createRouter(app: RunningApp) {
  const { launch } = app.config
  const guards: Guard[] = []
  const resolveGuards: Guard[] = []
  const afterHooks: AfterHook[] = []
  const errorListeners: ErrorListener[] = []
  const options: { scrollBehavior: ScrollBehavior; [option: string]: unknown } = {
    strict: false,
    scrollBehavior: (_, __, saved) => saved,
  }
  const currentRoute = computed(() => routeOf(app.top, launch))
  const handled = new WeakSet<object>()
  /** Ends the wait for the answer of a guard. */
  let cancel: (() => void) | undefined

  const addressOf = (location: Location): Address => {
    if (typeof location === 'string') return at(parseUrl(location, app.top?.path))
    const { path, query = {} } = location
    if (path === undefined) throw new Error('$router: a location needs a path, because routes have no names')
    const parsed = at(parseUrl(path, app.top?.path))
    const given = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]))
    return { path: parsed.path, query: { ...parsed.query, ...Object.fromEntries(given) } }
  }
  const at = ({ path, query }: Address): Address => ({ path: path || launch, query })
  const routeAt = (address: Address): Route => routeTo(address, app.isTab(address.path), launch)

  function failureOf(type: NavigationFailure['type'], to: Route, from: Route): NavigationFailure {
    const navigation = `from "${from.fullPath}" to "${to.fullPath}"`
    const message = {
      4: `Navigation aborted ${navigation} via a navigation guard.`,
      8: `Navigation cancelled ${navigation} with a new navigation.`,
      16: `Avoided redundant navigation to current location: "${from.fullPath}".`,
    }[type]
    return Object.assign(new Error(message), { type, to, from })
  }

  /** Resolves with the answer of a guard: that of `next`, or what it returns if it does not take `next`. */
  function ask(guard: Guard, to: Route, from: Route): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      cancel = () => reject(failureOf(8, to, from))
      const returned = guard(to, from, resolve)
      if (guard.length < 3) resolve(returned as Answer | Promise<Answer>)
      else Promise.resolve(returned).catch(reject)
    }).finally(() => {
      cancel = undefined
    })
  }

  function callHooks(to: Route, from: Route, failure?: NavigationFailure): void {
    for (const hook of [...afterHooks]) hook(to, from, failure)
  }

  function markHandled(error: unknown): void {
    if (error instanceof Object) handled.add(error)
  }

  async function admit(address: Address): Promise<Address> {
    const from = currentRoute.value
    let target = address
    let redirects = 0
    const passed = async (to: Route): Promise<boolean> => {
      for (const guard of [...guards, ...resolveGuards]) {
        const answer = await ask(guard, to, from)
        if (answer === false) throw failureOf(4, to, from)
        if (answer instanceof Error) throw answer
        if (!isLocation(answer)) continue
        target = addressOf(answer)
        if (++redirects > maxRedirects)
          throw new Error(`$router: guards redirect without end, last to ${formatUrl(target)}`)
        return false
      }
      return true
    }
    try {
      while (!(await passed(routeAt(target)))) {}
      return target
    } catch (error) {
      markHandled(error)
      const to = routeAt(target)
      if (isFailure(error)) callHooks(to, from, error)
      else if (errorListeners.length > 0) callListeners(errorListeners, error, to, from)
      else reportError(error)
      throw error
    }
  }

  app.guards = {
    admit,
    stay(address) {
      const { value: current } = currentRoute
      const to = routeAt(address)
      callHooks(to, current, failureOf(16, to, current))
    },
    fail(address, error) {
      if (errorListeners.length === 0) return
      callListeners(errorListeners, error, routeAt(address), currentRoute.value)
      markHandled(error)
    },
    hasHandled: (error) => handled.has(error as object),
    cancel: () => cancel?.(),
  }

  const seen = new WeakSet<object>()
  let from = currentRoute.value
  watch(
    () => app.top,
    async (top) => {
      if (!top) return
      const [to, last] = [currentRoute.value, from]
      from = to
      callHooks(to, last)
      const saved = seen.has(top) ? { left: 0, top: top.scrollTop } : null
      seen.add(top)
      const position = (await options.scrollBehavior(to, last, saved)) as Position | false | null | undefined
      if (!position || position === saved) return
      await nextTick()
      const { el, top: scrollTop = 0 } = position
      const target: ScrollTarget = el ? { selector: el, offsetTop: scrollTop } : { scrollTop }
      if (app.top === top) neu.pageScrollTo({ ...target, duration: 0 }).catch(() => {})
    },
    { flush: 'sync' },
  )

  /** Resolves with the failure if a guard stops the navigation. */
  async function open(location: Location, isReplacing: boolean): Promise<NavigationFailure | undefined> {
    const address = addressOf(location)
    const method = app.isTab(address.path) ? 'switchTab' : isReplacing ? 'redirectTo' : 'navigateTo'
    try {
      const navigation = await app.navigation()
      await navigation[method]({ url: formatUrl(address) })
      return undefined
    } catch (error) {
      if (isFailure(error)) return error
      throw error
    }
  }

  return {
    options,
    currentRoute,
    push: (to: Location) => open(to, typeof to === 'object' && to.replace === true),
    replace: (to: Location) => open(to, true),
    go: (delta: number) => history.go(delta),
    back: () => history.back(),
    forward: () => history.forward(),
    resolve(to: Location) {
      const route = routeAt(addressOf(to))
      return { ...route, href: `#${route.fullPath}` }
    },
    hasRoute: () => false,
    beforeEach: (guard: Guard) => added(guards, guard),
    beforeResolve: (guard: Guard) => added(resolveGuards, guard),
    afterEach: (hook: AfterHook) => added(afterHooks, hook),
    onError: (listener: ErrorListener) => added(errorListeners, listener),
    isReady: () =>
      new Promise<void>((resolve) => {
        const stop = watch(
          () => app.top,
          (top) => {
            if (!top) return
            resolve()
            void nextTick(() => stop())
          },
          { immediate: true },
        )
      }),
  }
}

const isFailure = (error: unknown): error is NavigationFailure => error instanceof Error && 'type' in error

/** As in vue-router, other answers let the navigation pass. */
const isLocation = (answer: unknown): answer is Location =>
  typeof answer === 'string' || (typeof answer === 'object' && answer !== null)

/** Adds to the list. Returns a function that removes it. */
function added<T>(list: T[], item: T): () => void {
  list.push(item)
  return () => {
    const index = list.indexOf(item)
    if (index >= 0) list.splice(index, 1)
  }
}

whenCreated((app, vue) => {
  // The project may use vue-router itself.
  vue.config.globalProperties.$router ??= createRouter(app)
})
