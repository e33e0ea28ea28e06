/** Functions that see or change the calls of one function of `neu`, or of all. */
export interface Interceptor {
  /** Before the call; may change the options. Returns false to stop the call. */
  invoke?: (options: never) => unknown
  success?: (result: never) => unknown
  fail?: (error: never) => unknown
  complete?: (outcome: never) => unknown
  /** Replaces the returned promise. */
  returnValue?: (value: never) => unknown
}

type Interceptors = (name: string | Interceptor, interceptor?: Interceptor) => void

let added: { name: string | undefined; interceptor: Interceptor }[] = []

/** Adds an interceptor to a function, or without a name to all functions that take options. */
export const addInterceptor: Interceptors = (name, interceptor) => {
  if (typeof name === 'object') added.push({ name: undefined, interceptor: name })
  else if (interceptor) added.push({ name, interceptor })
}

/** Removes an interceptor, or all of a function. */
export const removeInterceptor: Interceptors = (name, interceptor) => {
  const [of, removed] = typeof name === 'object' ? [undefined, name] : [name, interceptor]
  added = added.filter((each) => each.name !== of || (removed !== undefined && each.interceptor !== removed))
}

/** Returns the interceptors of a function, in the order in which they were added. */
export function interceptorsOf(name: string): Interceptor[] {
  return added.filter((each) => each.name === undefined || each.name === name).map(({ interceptor }) => interceptor)
}
