import { ApiError } from '@souk/shell/apiError'
import { interceptorsOf } from './interceptors.ts'

export { ApiError }

/**
 * Every function of `neu` has two call styles: with success, fail or complete, which are called and nothing is
 * returned; or without them, returning a promise.
 */
interface Callbacks<Result> {
  success?: (result: ApiResult<Result>) => void
  fail?: (error: ApiError) => void
  complete?: (outcome: ApiResult<Result> | ApiError) => void
}

/** A result as callers get it: with `errMsg: '<function>:ok'`. */
export type ApiResult<Result> = (Result extends object ? Result : unknown) & { errMsg: string }

type Options<O, R> = O & Callbacks<R>

/** T is the task that controls the running call, M are arguments after the options. */
export interface Api<O, R, T = undefined, M extends unknown[] = []> {
  (options: Options<O, R> & { success: unknown }, ...more: M): T
  (options: Options<O, R> & { fail: unknown }, ...more: M): T
  (options: Options<O, R> & { complete: unknown }, ...more: M): T
  (
    ...options: Record<never, never> extends O ? [options?: O, ...M] : [options: O, ...M]
  ): Promise<ApiResult<R>> & (T extends undefined ? unknown : T)
}

/**
 * Creates a function of `neu` with both call styles from one that takes the options, and an argument that may follow
 * them, and returns a result or a promise. An error without `errMsg` gets `<name>:fail <message>`.
 */
export function api<O extends object, R, T = undefined>(
  name: string,
  run: (options: O, more?: unknown) => R | PromiseLike<R>,
): Api<O, R, T> {
  const call = (options: Options<O, R> = {} as Options<O, R>, more?: unknown) => {
    let task: unknown
    const outcome = new Promise<R>((resolve) => {
      task = run(options, more)
      resolve(task as R)
    }).then(
      (result) => ({ errMsg: `${name}:ok`, ...result }) as ApiResult<R>,
      (error) => {
        throw failure(name, error)
      },
    )
    const { success, fail, complete } = (options ?? {}) as Callbacks<R>
    // Long-running calls return a task in both styles.
    const own = task instanceof Promise ? { ...task } : {}
    if (!success && !fail && !complete) {
      let returned: unknown = Object.assign(outcome, own)
      for (const { returnValue } of interceptorsOf(name)) returned = returnValue?.(returned as never) ?? returned
      return returned
    }
    outcome.then(
      (result) => {
        invoke(success, result)
        invoke(complete, result)
      },
      (error: ApiError) => {
        invoke(fail, error)
        invoke(complete, error)
      },
    )
    return Object.keys(own).length > 0 ? own : undefined
  }
  return call as Api<O, R, T>
}

/** Calls a callback. If it throws, the error is reported and the other callbacks still run. */
function invoke<T>(callback: ((value: T) => void) | undefined, value: T): void {
  try {
    callback?.(value)
  } catch (error) {
    reportError(error)
  }
}

function failure(name: string, error: unknown): ApiError {
  const { errMsg, message, ...details } = Object(error) as { errMsg?: string; message?: string }
  // A method of the host may have another name than the function that calls it.
  const own = errMsg?.replace(/^\w+(?=:fail)/, name)
  const text = own ?? `${name}:fail ${message ?? error}`.trimEnd()
  const more = typeof error === 'object' ? details : {}
  // In uni-app failures are plain objects. Apps show their `message` if they have one, otherwise their own text.
  if (__SOUK_UNI_APP__) return { errMsg: text, ...more } as ApiError
  if (error instanceof ApiError && own === errMsg) return error
  return new ApiError(text, more)
}
