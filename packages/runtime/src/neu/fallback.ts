import { ApiError, api } from './api.ts'
import { isFunctionName } from './isFunctionName.ts'
import { kindByForm } from './kindByForm.ts'
import { kindsOfMissing } from './kindsOfMissing.generated.ts'

const fallbacks = new Map<string, unknown>()

/**
 * Returns the function for a name that `neu` does not have: it does nothing, and fails with `<name>:fail not supported`
 * if it takes callbacks or returns a promise. Functions that return a value return an empty object. Undefined if the
 * name is not that of a function.
 */
export function fallback(name: string | symbol): unknown {
  if (!isFunctionName(name)) return undefined
  if (!fallbacks.has(name)) fallbacks.set(name, create(name))
  return fallbacks.get(name)
}

function create(name: string): unknown {
  const kind = kindsOfMissing[name] ?? kindByForm(name)
  if (kind === 'event') return () => undefined
  if (kind === 'sync') return () => ({})
  if (kind === 'object') return () => unsupportedObject(name)
  return api(name, () => Promise.reject(new Error('not supported')))
}

type Options = { fail?: unknown; complete?: unknown } | ((error: ApiError) => void)

/** Returns an object that has every method. Each fails, and its promise does not need to be handled. */
function unsupportedObject(name: string): object {
  return new Proxy(
    {},
    {
      get: (_, method) =>
        typeof method === 'symbol' || /^(then|toJSON|__v_\w+)$/.test(method)
          ? undefined
          : (options?: Options) => {
              const error = new ApiError(`${name}:fail not supported`)
              // Advertisements and recorders report errors to a listener, which is often added before the first call.
              if (method === 'onError' && typeof options === 'function') queueMicrotask(() => options(error))
              const { fail, complete } = Object(options) as { fail?: unknown; complete?: unknown }
              for (const callback of [fail, complete]) if (typeof callback === 'function') callback(error)
              const failed = Promise.reject(error)
              failed.catch(() => {})
              return failed
            },
    },
  )
}
