import { ApiError, api } from './api.ts'
import { takesListener } from './takesListener.ts'

const verbs = new Set(
  (
    'add auth authorize batch bind can cancel check choose clear close compress config connect create crop disable ' +
    'edit enable exit face get has hide init install is join load login make navigate notify off on open pause play ' +
    'plugin post pre preload read remove report request require reserve restart revoke rewrite save seek select send ' +
    'set share show soter start stop subscribe un update write'
  ).split(' '),
)
const isFunctionName = (name: string) =>
  /^(share|report|vibrate)$/.test(name) || verbs.has(/^([a-z]+)[A-Z\d]/.exec(name)?.[1] ?? '')
const returnsObject = /^(create(?!BLE|Push)|require(?!Privacy))[A-Z]|^get(\w+(Manager|Adapter)|Performance)$/
const returnsValue = /Sync$/
const fallbacks = new Map<string, unknown>()

/**
 * Returns the function for a name that `neu` does not have: it does nothing, and fails with `<name>:fail not supported`
 * if it takes callbacks or returns a promise. Functions that return a value return an empty object. Undefined if no
 * function of the ecosystem has such a name.
 */
export function fallback(name: string | symbol): unknown {
  if (typeof name === 'symbol' || !isFunctionName(name)) return undefined
  if (!fallbacks.has(name)) fallbacks.set(name, create(name))
  return fallbacks.get(name)
}

function create(name: string): unknown {
  if (takesListener(name) || name.startsWith('report')) return () => undefined
  if (returnsValue.test(name)) return () => ({})
  if (returnsObject.test(name)) return () => unsupportedObject(name)
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
