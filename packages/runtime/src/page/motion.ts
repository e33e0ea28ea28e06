import type { PageStyle } from '@souk/pages'

/** A page comes and goes in front of another one, which is covered and uncovered meanwhile. */
export interface Motion {
  readonly role: 'enter' | 'leave' | 'cover' | 'uncover'
  /** The animationType with which the page in front opens; for `leave` and `uncover` its counterpart is played. */
  readonly name: string
  /** In ms. */
  readonly duration: number
}

/** The animations of the field, by the name with which a window opens; each closes as its own reverse. */
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

/** The names under which windows close. */
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

/** What a call for another page may say of its animation. */
export interface Transition {
  animationType?: string | undefined
  /** In ms. */
  animationDuration?: number | undefined
}

/**
 * How a page opens and, in reverse, closes: as the call says, else its style. `app-plus` comes before the style's own key; both have a default, which
 * is as good as nothing set (§2.3, §2.5). None on H5, where the document has no animation, and for people who want none.
 */
export function transitionOf(style: PageStyle, call: Transition = {}): { name: Animation; duration: number } {
  const none = { name: 'none', duration: 0 } as const
  if (__SOUK_PLATFORM__ === 'H5' || matchMedia('(prefers-reduced-motion: reduce)').matches) return none
  const chosen = chooseTransition(style, call)
  return chosen.name === 'none' || chosen.duration <= 0 ? none : chosen
}

export function chooseTransition(style: PageStyle, call: Transition): { name: Animation; duration: number } {
  const appPlus = style['app-plus']
  const candidates = [call.animationType, appPlus?.animationType, style.animationType]
  const [requested, ...others] = candidates.map((name) => closing[name!] ?? animations.find((each) => each === name))
  const durations = [appPlus?.animationDuration, style.animationDuration]
  return {
    name: requested ?? others.find((name) => name !== undefined && name !== 'pop-in') ?? 'pop-in',
    duration: call.animationDuration ?? durations.find((ms) => ms !== undefined && ms !== 300) ?? 300,
  }
}

/** What the style sheet plays the motion by. */
export function motionAttributes(motion: Motion | null): Record<string, unknown> {
  return motion === null
    ? {}
    : { 'data-motion': motion.name, 'data-role': motion.role, style: { '--duration': `${motion.duration}ms` } }
}
