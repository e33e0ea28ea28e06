/**
 * Every function of `neu` can be called in two styles: with success, fail and complete, which are called and nothing is returned; or without any of
 * them, for a promise.
 */
interface Callbacks<Result> {
  success?: (result: ApiResult<Result>) => void
  fail?: (error: ApiError) => void
  complete?: (outcome: ApiResult<Result> | ApiError) => void
}

/** A result as it is told: with `errMsg: '<function>:ok'`. */
type ApiResult<Result> = (Result extends object ? Result : unknown) & { errMsg: string }

/** What a function of `neu` rejects with, or calls `fail` with. Some have more than this: `statusCode`, `failCode` … */
export class ApiError extends Error {
  /** `<function>:fail <reason>`, as in `navigateTo:fail page "a/b" is not found`. */
  errMsg: string

  constructor(errMsg: string, details?: object) {
    super(errMsg)
    this.errMsg = errMsg
    Object.assign(this, details)
  }
}

type Options<O, R> = O & Callbacks<R>

/** With T, what can be done while it is under way. */
export interface Api<O, R, T = undefined> {
  (options: Options<O, R> & { success: unknown }): T
  (options: Options<O, R> & { fail: unknown }): T
  (options: Options<O, R> & { complete: unknown }): T
  (
    ...options: Record<never, never> extends O ? [options?: O] : [options: O]
  ): Promise<ApiResult<R>> & (T extends undefined ? unknown : T)
}

/**
 * A function of `neu` in both styles, from one that takes the options and gives the result or a promise of it, and fails with an error. A failure that says no `errMsg` of its own gets `<name>:fail <message>`.
 */
export function api<O extends object, R, T = undefined>(
  name: string,
  run: (options: O) => R | PromiseLike<R>,
): Api<O, R, T> {
  const call = (options: Options<O, R> = {} as Options<O, R>) => {
    let task: unknown
    const outcome = new Promise<R>((resolve) => {
      task = run(options)
      resolve(task as R)
    }).then(
      (result) => ({ errMsg: `${name}:ok`, ...result }) as ApiResult<R>,
      (error) => {
        throw failure(name, error)
      },
    )
    const { success, fail, complete } = (options ?? {}) as Callbacks<R>
    // What takes long gives something to watch it and to stop it with, in either style.
    const own = task instanceof Promise ? { ...task } : {}
    if (!success && !fail && !complete) return Object.assign(outcome, own)
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
    return 'abort' in own ? own : undefined
  }
  return call as Api<O, R, T>
}

/** A callback that throws stops no other one, and is reported as any error of the app is. */
function invoke<T>(callback: ((value: T) => void) | undefined, value: T): void {
  try {
    callback?.(value)
  } catch (error) {
    reportError(error)
  }
}

function failure(name: string, error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const { errMsg, message, ...details } = Object(error) as { errMsg?: string; message?: string }
  return new ApiError(errMsg ?? `${name}:fail ${message ?? error}`, typeof error === 'object' ? details : {})
}
