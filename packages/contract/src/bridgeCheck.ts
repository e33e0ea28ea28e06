import { utf8Length } from './bridgeProtocol.ts'

/**
 * Validators for values from a mini app's frame, kept small because they are loaded with the first page that contains a
 * frame. A validator returns a copy that contains only known fields, or throws `Refused`.
 */
export type Check<T> = (value: unknown, at: string) => T

/** An invalid message from a frame. Its text may be shown to the mini app. */
export class Refused extends Error {
  constructor(at: string, wanted: string) {
    super(`${at} must be ${wanted}`)
    this.name = 'Refused'
  }
}

/** Accepts a string of at most `max` UTF-16 code units that matches the pattern. */
export function text(max: number, pattern?: RegExp, wanted = `a string that matches ${pattern}`): Check<string> {
  return (value, at) => {
    if (typeof value !== 'string') throw new Refused(at, 'a string')
    if (value.length > max) throw new Refused(at, `at most ${max} characters long`)
    if (pattern && !pattern.test(value)) throw new Refused(at, wanted)
    return value
  }
}

/**
 * The URL of an image, or an empty string. Other schemes are refused, so that the host fetches and runs nothing else.
 * `blob:` URLs of a frame with an opaque origin cannot be read by the host.
 */
export const imageAddress = text(
  16 * 1024 ** 2,
  /^(?:$|https?:\/\/|data:image\/)/i,
  'an absolute http or https URL or a data: image',
)

/** Accepts a string of at most `max` bytes in UTF-8. */
export function bytes(max: number): Check<string> {
  return (value, at) => {
    if (typeof value !== 'string') throw new Refused(at, 'a string')
    if (value.length > max || (value.length * 3 > max && utf8Length(value) > max))
      throw new Refused(at, `at most ${max} bytes long`)
    return value
  }
}

/** Accepts JSON of at most `max` bytes. */
export function json(max: number): Check<string> {
  return (value, at) => {
    const source = bytes(max)(value, at)
    try {
      JSON.parse(source)
    } catch {
      throw new Refused(at, 'JSON')
    }
    return source
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
    // Unlike map, Array.from also visits the holes of a sparse array.
    return Array.from(value, (each, index) => check(each, `${at}[${index}]`))
  }
}

type OptionalKeys<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? K : never }[keyof T]

/** Accepts an object with these keys; other keys are omitted from the copy. */
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

// biome-ignore lint/suspicious/noExplicitAny: checks of any type
type Checks = Record<string, Check<any>>
type Checked<C extends Checks> = { [K in keyof C]: ReturnType<C[K]> }
type Flat<T> = { [K in keyof T]: T[K] }

/** As `record`, for a type that follows from the checks. */
export const fields = <Required extends Checks, Optional extends Checks = Record<never, never>>(
  required: Required,
  optional?: Optional,
): Check<Flat<Checked<Required> & Partial<Checked<Optional>>>> => record(required as never, optional as never)

/** Accepts an object in which all keys are optional: the changed fields of another. */
export const changes = <C extends Checks>(checks: C): Check<Flat<Partial<Checked<C>>>> => fields({}, checks)
