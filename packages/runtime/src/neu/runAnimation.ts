import { rpxStyle } from '../page/rpx.ts'

export interface AnimationOptions {
  /** Duration in ms; 400 by default. */
  duration?: number
  /** Timing function of CSS; `linear` by default. */
  timingFunction?: string
  /** Delay before the animation in ms; 0 by default. */
  delay?: number
  /** Origin of transformations, as in CSS; the center by default. */
  transformOrigin?: string
}

/** A step of an animation: the recorded calls such as `['rotate', [45]]`, which take effect together. */
export interface AnimationStep {
  options: AnimationOptions
  calls: [name: string, args: unknown[]][]
}

/** Transform functions that the last step of an element has set, by name. */
const transforms = new WeakMap<HTMLElement, Map<string, string>>()
const runs = new WeakMap<HTMLElement, object>()

const lengths = new Set(['width', 'height', 'top', 'left', 'right', 'bottom'])

/** Runs the steps one after the other. A new animation of the element replaces a running one. */
export async function runAnimation(element: HTMLElement, steps: AnimationStep[]): Promise<void> {
  const run = {}
  runs.set(element, run)
  for (const { options, calls } of steps) {
    if (runs.get(element) !== run) return
    const { duration = 400, delay = 0, timingFunction = 'linear', transformOrigin = '50% 50% 0' } = options
    element.style.transition = `all ${duration}ms ${timingFunction} ${delay}ms`
    element.style.transformOrigin = transformOrigin
    // The transition starts from the state that is drawn.
    void element.offsetWidth
    apply(element, calls)
    await new Promise((resolve) => setTimeout(resolve, duration + delay))
  }
}

function apply(element: HTMLElement, calls: AnimationStep['calls']): void {
  const transform = transforms.get(element) ?? new Map<string, string>()
  transforms.set(element, transform)
  for (const [name, args] of calls) {
    const values = args as (string | number)[]
    if (name === 'opacity') element.style.opacity = String(values[0])
    else if (name === 'backgroundColor') element.style.backgroundColor = String(values[0])
    else if (lengths.has(name)) element.style[name as 'width'] = withUnit(values[0]!, 'px')
    else
      transform.set(name, `${name}(${values.map((value, index) => withUnit(value, unitOf(name, index))).join(', ')})`)
  }
  element.style.transform = [...transform.values()].join(' ')
}

function unitOf(name: string, index: number): string {
  if (name.startsWith('translate')) return 'px'
  // rotate3d(x, y, z, angle)
  if (name === 'rotate3d') return index === 3 ? 'deg' : ''
  return /^(rotate|skew)/.test(name) ? 'deg' : ''
}

const withUnit = (value: string | number, unit: string) =>
  typeof value === 'number' ? `${value}${unit}` : rpxStyle(value)
