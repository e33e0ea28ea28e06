import { camelize } from 'vue'
import { rpxStyle } from './rpx.ts'

/**
 * Attributes that are bound as one object, as `v-bind="all"` does: those that take lengths are such as CSS knows, which are `style` and the ones
 * whose `names` (in camel case) are given. Takes what Vue takes; called by compiled templates.
 */
export function rpxProps(props: unknown, names: readonly string[] = []): unknown {
  if (typeof props !== 'object' || props === null) return props
  return Object.fromEntries(
    Object.entries(props).map(([name, value]) => [
      name,
      name === 'style' || names.includes(camelize(name)) ? rpxStyle(value) : value,
    ]),
  )
}
