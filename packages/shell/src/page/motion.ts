/** The animation of a page that opens or closes above another, or of the page below it. */
export interface Motion {
  readonly role: 'enter' | 'leave' | 'cover' | 'uncover'
  /** The animationType that opens the upper page; `leave` and `uncover` play its reverse. */
  readonly name: string
  /** In ms. */
  readonly duration: number
}

/** Returns the attributes that motion.css selects by. */
export function motionAttributes(motion: Motion | null): Record<string, unknown> {
  return motion === null
    ? {}
    : { 'data-motion': motion.name, 'data-role': motion.role, style: { '--duration': `${motion.duration}ms` } }
}
