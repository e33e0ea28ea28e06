import type { Interceptor } from './interceptors.ts'

/** Lets interceptors change the options. Never resolves if one of them stops the call. */
export async function beforeCall(interceptors: Interceptor[], options: object): Promise<void> {
  for (const { invoke } of interceptors) {
    if ((await invoke?.(options as never)) === false) return new Promise(() => {})
  }
}

/** Lets interceptors see the outcome, or return another one. */
export async function afterCall<R>(interceptors: Interceptor[], outcome: Promise<R>): Promise<R> {
  const changed = async (kind: 'success' | 'fail' | 'complete', value: unknown) => {
    for (const interceptor of interceptors) value = (await interceptor[kind]?.(value as never)) ?? value
    return value
  }
  let result: unknown
  try {
    result = await outcome
  } catch (error) {
    throw await changed('complete', await changed('fail', error))
  }
  return (await changed('complete', await changed('success', result))) as R
}
