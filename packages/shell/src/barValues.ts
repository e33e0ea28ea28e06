import { type Check, color, imageAddress, list, number, Refused, text } from '@souk/contract/bridge'
import { minute } from '@souk/contract/time'

/** Checks of the values in models of bars. */

/** Replaces an invalid value by an empty string. */
export function lenient(check: Check<string>): Check<string> {
  return (value, at) => {
    try {
      return check(value, at)
    } catch {
      return ''
    }
  }
}

/** Replaces an unknown keyword by the first allowed one. */
export function keyword<const T extends string>(allowed: readonly [T, ...T[]]): Check<T> {
  return (value) => (allowed.includes(value as T) ? (value as T) : allowed[0])
}

/**
 * Text to display, cut to what a bar can show, because pages.json has no limit. Real files often have a number instead
 * of a string.
 */
export const label: Check<string> = (value, at) =>
  text(Number.POSITIVE_INFINITY)(typeof value === 'number' ? String(value) : (value ?? ''), at).slice(0, 1000)

export const colorValue: Check<string> = lenient(color)
export const imageValue: Check<string> = lenient(imageAddress)
export const fontValue: Check<string> = lenient(text(1024 ** 2, /^(?:$|https?:\/\/|data:)/i))

/**
 * Accepts `auto`, an empty string, or a length in px or rpx of at most `max` px on a 375 px screen, so that a bar
 * cannot cover the screen.
 */
export function lengthUpTo(max: number): Check<string> {
  return lenient((value, at) => {
    const found = /^(?:([\d.]+)px|calc\(([\d.]+) \* var\(--rpx\)\)|auto|)$/.exec(text(100)(value, at))
    const [, px, rpx = '0'] = found ?? []
    const size = px === undefined ? Number(rpx) / 2 : Number(px)
    if (!found || !(size <= max)) throw new Refused(at, 'a length')
    return found[0]
  })
}

/** A gradient, or an image as url(). */
export const backgroundValue: Check<string> = lenient((value, at) => {
  const all = text(16 * 1024 ** 2)(value, at)
  const [, address] = /^url\("([^"\\]*)"\)$/.exec(all) ?? []
  if (address === undefined) return text(500, /^(?!.*url)[\w-]*gradient\([\w#(),.% -]*\)$|^$/i)(all, at)
  imageAddress(address, at)
  return all
})

/** Cuts a list to `max` entries. */
export function firstOf<T>(check: Check<T>, max: number): Check<T[]> {
  return (value, at) => list(check, max)(Array.isArray(value) ? value.slice(0, max) : value, at)
}

/** Milliseconds, at most a minute: longer durations are a mistake, and would only delay the bars. */
export const duration: Check<number> = (value, at) => Math.min(number(0, Number.MAX_SAFE_INTEGER)(value, at), minute)
