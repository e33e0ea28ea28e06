import type { Api, ApiError, ApiResult } from '../api.ts'
import type { RequiredOption, Type } from './entry.ts'
import type { Table } from './index.ts'

/** The types of the functions, which follow from the table. */

type Flat<T> = { [N in keyof T]: T[N] }
type TypeOf<T> = T extends Type<infer Value> ? Value : never

type OptionsOf<E> = E extends { options: infer O }
  ? Flat<
      { -readonly [N in keyof O as O[N] extends RequiredOption ? N : never]: TypeOf<O[N]> } & {
        -readonly [N in keyof O as O[N] extends RequiredOption ? never : N]?: TypeOf<O[N]> | undefined
      }
    >
  : object
type ResultOf<E> = E extends { result: infer R } ? TypeOf<R> : object
type TaskOf<E> = E extends { task: infer T } ? TypeOf<T> : undefined

type AsyncName = { [N in keyof Table]: Table[N] extends { kind: 'async' } ? N : never }[keyof Table]

/** The options of a function, without callbacks. */
export type Options<N extends AsyncName> = OptionsOf<Table[N]>
/** The result of a function, without `errMsg`. */
export type Result<N extends AsyncName> = ResultOf<Table[N]>

type FunctionOf<E> = E extends { kind: 'async' }
  ? Api<OptionsOf<E>, ResultOf<E>, TaskOf<E>, E extends { takesComponent: true } ? [component?: object | null] : []>
  : E extends { is: infer F }
    ? TypeOf<F>
    : never

/** Functions that see or change the calls of one function, or of all. */
export interface Interceptor<O = unknown, R = unknown> {
  /** Before the call; may change the options. Returns false to stop the call. */
  invoke?(options: O): unknown
  /** Called with the result of a call that has succeeded. */
  success?(result: ApiResult<R>): unknown
  /** Called with the error of a call that has failed. */
  fail?(error: ApiError): unknown
  /** Called after each call. */
  complete?(outcome: ApiResult<R> | ApiError): unknown
  /** Replaces the returned promise. */
  returnValue?(value: Promise<ApiResult<R>>): unknown
}

// biome-ignore lint/suspicious/noExplicitAny: options and results of any function
type AnyInterceptor = Interceptor<any, any>

interface Interceptors {
  /**
   * Adds an interceptor to a function.
   * @param name Name of a function such as `request`.
   * @param interceptor What is called before and after each call.
   */
  addInterceptor<N extends AsyncName>(name: N, interceptor: Interceptor<Options<N>, Result<N>>): void
  /** Without a name: for all functions that take options. */
  addInterceptor(interceptor: AnyInterceptor): void
  /**
   * Removes an interceptor, or all of the function.
   * @param name Name of a function such as `request`.
   * @param interceptor The interceptor to remove.
   */
  removeInterceptor<N extends AsyncName>(name: N, interceptor?: Interceptor<Options<N>, Result<N>>): void
  removeInterceptor(interceptor: AnyInterceptor): void
}

/** The type of `neu`. */
export type Neu = {
  [N in keyof Table as N extends keyof Interceptors ? never : N]: FunctionOf<Table[N]>
} & Interceptors

/** What `services.ts` has to implement: the functions that take options or a listener and are loaded with it. */
export type Services = {
  [N in AsyncName]: (options: Options<N>) => Result<N> | PromiseLike<Result<N>> | Promise<void>
} & {
  [N in keyof Table as Table[N] extends { kind: 'event' } ? N : never]?: FunctionOf<Table[N]>
}
