import { utf8Length } from './bridgeProtocol.ts'

/**
 * Checks of values that come from a mini app's frame. Small on purpose, for they are loaded with the first page that holds a frame. A check
 * gives a copy with what it knows and nothing else, or throws `Refused`.
 */
export type Check<T> = (value: unknown, at: string) => T

/** A message from a frame that is not what it should be; the text is fit to be told to the mini app. */
export class Refused extends Error {
  constructor(at: string, wanted: string) {
    super(`${at} must be ${wanted}`)
    this.name = 'Refused'
  }
}

/** A text of at most `max` UTF-16 units that matches the pattern. */
export function text(max: number, pattern?: RegExp, wanted = `a text that matches ${pattern}`): Check<string> {
  return (value, at) => {
    if (typeof value !== 'string') throw new Refused(at, 'a text')
    if (value.length > max) throw new Refused(at, `at most ${max} characters long`)
    if (pattern && !pattern.test(value)) throw new Refused(at, wanted)
    return value
  }
}

/** A text of at most `max` bytes as UTF-8. */
export function bytes(max: number): Check<string> {
  return (value, at) => {
    if (typeof value !== 'string') throw new Refused(at, 'a text')
    if (value.length > max || (value.length * 3 > max && utf8Length(value) > max))
      throw new Refused(at, `at most ${max} bytes long`)
    return value
  }
}

export function number(min: number, max: number): Check<number> {
  return (value, at) => {
    if (typeof value !== 'number' || !(value >= min && value <= max))
      throw new Refused(at, `a number from ${min} to ${max}`)
    return value
  }
}

export function integer(min: number, max: number): Check<number> {
  return (value, at) => {
    if (!Number.isInteger(value)) throw new Refused(at, 'an integer')
    return number(min, max)(value, at)
  }
}

export const boolean: Check<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw new Refused(at, 'true or false')
  return value
}

export function oneOf<const T extends string>(...allowed: T[]): Check<T> {
  return (value, at) => {
    if (!allowed.includes(value as T)) throw new Refused(at, `one of ${allowed.join(', ')}`)
    return value as T
  }
}

export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value, at) => (value === null ? null : check(value, at))
}

export function list<T>(check: Check<T>, max: number): Check<T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw new Refused(at, 'a list')
    if (value.length > max) throw new Refused(at, `a list of at most ${max}`)
    // Array.from meets the gaps of a list too.
    return Array.from(value, (each, index) => check(each, `${at}[${index}]`))
  }
}

type OptionalKeys<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? K : never }[keyof T]

/** An object with these keys; any others are left out of the copy. */
export function record<T>(
  required: { [K in Exclude<keyof T, OptionalKeys<T>>]: Check<T[K]> },
  optional?: { [K in OptionalKeys<T>]-?: Check<T[K]> },
): Check<T> {
  const checks = Object.entries({ ...required, ...optional }) as [string, Check<unknown>][]
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Refused(at || 'parameters', 'an object')
    const copy: Record<string, unknown> = {}
    for (const [key, check] of checks) {
      const each: unknown = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
      if (each === undefined && !(key in required)) continue
      copy[key] = check(each, at ? `${at}.${key}` : key)
    }
    return copy as T
  }
}

/** Like `record` with every key optional: what has changed of a T. */
export function changes<T>(checks: { [K in keyof T]-?: Check<T[K]> }): Check<Partial<T>> {
  return record<Partial<T>>({} as never, checks as never)
}
