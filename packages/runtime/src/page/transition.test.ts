import { describe, expect, test } from 'vitest'
import { chooseTransition } from './transition.ts'

/** Returns the style as the build resolves it: both places agree. */
const style = (top: object, plus: object) => ({
  animationType: 'pop-in',
  animationDuration: 300,
  ...top,
  ...plus,
  'app-plus': { animationType: 'pop-in', animationDuration: 300, ...top, ...plus },
})

describe('transitions of pages', () => {
  test.each([
    ['nothing set', style({}, {}), {}, 'pop-in', 300],
    ['set in the style', style({ animationType: 'fade-in', animationDuration: 500 }, {}), {}, 'fade-in', 500],
    ['set in app-plus', style({}, { animationType: 'zoom-out', animationDuration: 100 }), {}, 'zoom-out', 100],
    ['app-plus overrides the style', style({ animationType: 'fade-in' }, { animationType: 'none' }), {}, 'none', 300],
    [
      'the call overrides both',
      style({ animationType: 'fade-in' }, {}),
      { animationType: 'pop-in', animationDuration: 80 },
      'pop-in',
      80,
    ],
    [
      'a closing name means its opening counterpart',
      style({}, {}),
      { animationType: 'slide-out-left' },
      'slide-in-left',
      300,
    ],
    [
      'an unknown name',
      style({ animationType: 'twirl' }, { animationType: '' }),
      { animationType: 'auto' },
      'pop-in',
      300,
    ],
    ['App has no keys of its own', { 'app-plus': { animationType: 'slide-in-top' } }, {}, 'slide-in-top', 300],
  ])('%s', (_, page, call, name, duration) => expect(chooseTransition(page, call)).toEqual({ name, duration }))
})
