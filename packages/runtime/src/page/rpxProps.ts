import { camelize } from 'vue'
import { rpxStyle } from './rpx.ts'

/**
 * Converts the lengths in attributes that are bound as one object, as in `v-bind="all"`: in `style` and in the
 * attributes listed in `names` (camel case). Accepts any value that Vue accepts. Called by compiled templates.
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
