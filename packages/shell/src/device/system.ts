import type { Os } from '../config.ts'

/** Operating systems, as uni-app spells them. */
export type SystemName = 'Android' | 'iOS' | 'HarmonyOS' | 'Windows' | 'Mac' | 'Linux' | 'Other'

/** Parts of user agents, in the order in which they count: those of Android devices contain `Linux`. */
const patterns: readonly (readonly [SystemName, RegExp])[] = [
  ['iOS', /iPhone|iPad|iPod/],
  ['Android', /Android/],
  ['HarmonyOS', /OpenHarmony|HarmonyOS/],
  ['Windows', /Windows/],
  ['Mac', /Macintosh/],
  ['Linux', /Linux|X11/],
]

type Browser = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>

/**
 * Returns the operating system of a browser. An iPad has the user agent of a Mac, but a Mac has no touch screen.
 * HarmonyOS up to version 4 runs Android applications and is Android.
 */
export function systemOf({ userAgent, maxTouchPoints }: Browser): SystemName {
  const [name] = patterns.find(([, pattern]) => pattern.test(userAgent)) ?? ['Other']
  return name === 'Mac' && maxTouchPoints > 1 ? 'iOS' : name
}

/** Returns which conventions a phone or tablet has; undefined for computers, which have neither. */
export function conventionsOf(browser: Browser): Os | undefined {
  const system = systemOf(browser)
  if (system === 'HarmonyOS') return 'Android'
  return system === 'iOS' || system === 'Android' ? system : undefined
}
