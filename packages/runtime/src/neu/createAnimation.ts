import type { AnimationOptions, AnimationStep } from './runAnimation.ts'

type Method =
  | `${'rotate' | 'scale' | 'translate'}${'' | 'X' | 'Y' | 'Z' | '3d'}`
  | `skew${'' | 'X' | 'Y'}`
  | `matrix${'' | '3d'}`
  | 'opacity'
  | 'backgroundColor'
  | 'width'
  | 'height'
  | 'top'
  | 'right'
  | 'bottom'
  | 'left'

/** `translate(1, 2)`, `opacity(0.5)` and so on belong to the step that `step` ends. */
export type Animation = { [M in Method]: (...args: (string | number)[]) => Animation } & {
  step(options?: AnimationOptions): Animation
  /** Returns the steps since the last call, for the attribute `animation`. */
  export(): { actions: AnimationStep[] }
}

let isSetUp = false

/** Records an animation. Elements run it when it is bound to their attribute `animation`. */
export function createAnimation(options: AnimationOptions = {}): Animation {
  setUp()
  const actions: AnimationStep[] = []
  let calls: AnimationStep['calls'] = []
  const methods: Record<string, unknown> = {
    step(own?: AnimationOptions) {
      actions.push({ options: { ...options, ...own }, calls })
      calls = []
      return animation
    },
    export: () => ({ actions: actions.splice(0) }),
  }
  const animation = new Proxy(methods, {
    get: (_, name: string) =>
      methods[name] ??
      ((...args: unknown[]) => {
        calls.push([name, args])
        return animation
      }),
  }) as unknown as Animation
  return animation
}

/** Defines the property `animation` of elements, to which Vue assigns the bound attribute. */
function setUp(): void {
  if (isSetUp) return
  isSetUp = true
  Object.defineProperty(HTMLElement.prototype, 'animation', {
    configurable: true,
    set(this: HTMLElement, value: { actions?: AnimationStep[] } | null) {
      const actions = value?.actions
      if (actions?.length) void import('./runAnimation.ts').then(({ runAnimation }) => runAnimation(this, actions))
    },
  })
}
