import type { PageStyle } from '@souk/pages'
import { pageStyleDefaults } from '@souk/shell/defaults.generated'

/** The opening animations of the ecosystem. Each closes in reverse. */
const animations = [
  'slide-in-right',
  'slide-in-left',
  'slide-in-top',
  'slide-in-bottom',
  'fade-in',
  'zoom-out',
  'zoom-fade-in',
  'pop-in',
  'none',
] as const

export type Animation = (typeof animations)[number]

/** The names of closing animations. */
const closing: Record<string, Animation> = {
  'slide-out-right': 'slide-in-right',
  'slide-out-left': 'slide-in-left',
  'slide-out-top': 'slide-in-top',
  'slide-out-bottom': 'slide-in-bottom',
  'fade-out': 'fade-in',
  'zoom-in': 'zoom-out',
  'zoom-fade-out': 'zoom-fade-in',
  'pop-out': 'pop-in',
}

/** Animation options of a navigation call. */
export interface Transition {
  animationType?: string | undefined
  /** In ms. */
  animationDuration?: number | undefined
}

/**
 * Returns the animation that opens a page and, reversed, closes it: the call's, otherwise the style's, whose own keys
 * agree with those of `app-plus` (pages-json §3.3) but do not exist on App; an nvue page has no `app-plus` ones. No
 * animation on H5 and with reduced motion.
 */
export function transitionOf(style: PageStyle, call: Transition = {}): { name: Animation; duration: number } {
  const none = { name: 'none', duration: 0 } as const
  if (__SOUK_PLATFORM__ === 'H5' || matchMedia('(prefers-reduced-motion: reduce)').matches) return none
  const chosen = chooseTransition(style, call)
  return chosen.name === 'none' || chosen.duration <= 0 ? none : chosen
}

export function chooseTransition(style: PageStyle, call: Transition): { name: Animation; duration: number } {
  const appPlus = style['app-plus']
  const names = [call.animationType, appPlus?.animationType, style.animationType]
  const known = names.map((name) => closing[name!] ?? animations.find((each) => each === name))
  const durations = [call.animationDuration, appPlus?.animationDuration, style.animationDuration]
  return {
    name: known.find((name) => name !== undefined) ?? pageStyleDefaults.animationType,
    duration: durations.find((ms) => ms !== undefined) ?? pageStyleDefaults.animationDuration,
  }
}
