type Target = Record<string | symbol, unknown>
type Step = (results: Target[]) => void

/** The object behind each placeholder, once it is created. */
const created = new WeakMap<object, unknown>()

/** Properties that `await`, JSON.stringify and Vue look up on any object. */
export const isForeign = (name: string | symbol) => typeof name === 'symbol' || /^(then|toJSON|__v_\w+)$/.test(name)

/**
 * Returns a placeholder for an object whose module is still loading. It records method calls and assignments, replays
 * them in order when `load` resolves, and from then on acts as the object. A method that was called early returns a
 * placeholder for its result, unless `early` has it. Replaced methods and defined properties stay in the placeholder,
 * because a library may call the original from its replacement.
 */
export function deferredObject<T extends object>(
  load: Promise<T>,
  early: Record<string, (...args: never[]) => unknown> = {},
): T {
  const steps: Step[] = []
  const results: Target[] = []
  let count = 0
  load.then(
    (target) => {
      results[0] = target as Target
      for (const step of steps.splice(0)) {
        try {
          step(results)
        } catch (error) {
          // The call fails for itself, as it would later.
          reportError(error)
        }
      }
    },
    (error) => reportError(error),
  )
  const placeholder = (at: number): Target => {
    const proxy: Target = new Proxy({} as Target, {
      get(own, name) {
        if (isForeign(name)) return undefined
        if (Object.hasOwn(own, name)) return own[name]
        const target = results[at]
        if (target) {
          const value = target[name]
          return typeof value === 'function' ? value.bind(target) : value
        }
        if (typeof name === 'string' && Object.hasOwn(early, name)) return early[name]
        return (...args: unknown[]) => {
          const loaded = results[at]
          if (loaded) return (loaded[name] as (...args: unknown[]) => unknown)(...args.map(resolved))
          const result = ++count
          steps.push(() => {
            const called = (results[at]![name] as (...args: unknown[]) => unknown)(...args.map(resolved))
            results[result] = called as Target
            created.set(child, called)
          })
          const child = placeholder(result)
          return child
        }
      },
      set(own, name, value) {
        if (typeof value === 'function' || Object.hasOwn(own, name)) return Reflect.set(own, name, value)
        const assign = () => {
          results[at]![name] = resolved(value)
        }
        if (results[at]) assign()
        else steps.push(assign)
        return true
      },
    })
    return proxy
  }
  return placeholder(0) as T
}

/** Replaces a placeholder by the object behind it. */
const resolved = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (created.get(value) ?? value) : value
