import type { Motion } from '@souk/shell/page/motion'
import type { PageInstance } from './page.ts'
import { type StackState, updateView } from './stackState.ts'

export type PageAnimation = Pick<Motion, 'name' | 'duration'>

export interface Animator {
  /** Moves a page over the one below, and stops rendering a leaving page at the end. */
  play(role: 'enter' | 'leave', over: PageInstance, under?: PageInstance, animation?: PageAnimation): void
  /** Ends the running animation immediately. */
  end(): void
}

/** Creates the animator of a stack, which plays one animation at a time. */
export function createAnimator(state: StackState): Animator {
  let timer: ReturnType<typeof setTimeout>
  const animator: Animator = {
    play(role, over, under, animation) {
      if (!under || !animation) return
      over.motion = { ...animation, role }
      under.motion = { ...animation, role: role === 'enter' ? 'cover' : 'uncover' }
      animator.end = () => {
        clearTimeout(timer)
        animator.end = () => {}
        over.motion = under.motion = null
        state.leaving.delete(over)
        updateView(state)
      }
      timer = setTimeout(animator.end, animation.duration)
    },
    end() {},
  }
  return animator
}
