import type { Os } from '../conditional/builds.ts'
import type { Json } from '../parse/nodes.ts'
import type { Attribute } from '../rules/attributes.ts'

/** An object whose attributes are being resolved, with the values so far. */
type Values = { readonly [key: string]: Json }

/**
 * Computes a default that depends on another value (pages-json §2.6, §2.6.1, §2.6.2, §2.9). `parent` is the resolved
 * object around `values`.
 */
export function computedDefault(
  { row, table }: Attribute,
  os: Os,
  values: Values,
  parent: Values | undefined,
): Json | undefined {
  const bar = table === 'titleNView' ? values : parent
  switch (row.computed) {
    case 'titleColor':
      return bar?.titleColor
    case 'pressedColor':
      return typeof values.color === 'string' ? withOpacity(values.color) : undefined
    case 'refreshStyle':
      return os === 'iOS' ? 'default' : 'circle'
    case 'backFontSize':
      return bar?.type === 'transparent' ? '22px' : bar?.type === 'default' ? '27px' : undefined
    default:
      return undefined
  }
}

/** Returns `#RRGGBB` at an opacity of 0.3; undefined for any other notation. */
function withOpacity(color: string): string | undefined {
  if (!/^#[\da-f]{6}$/i.test(color)) return undefined
  const channels = Number.parseInt(color.slice(1), 16)
  return `rgba(${channels >> 16},${(channels >> 8) & 255},${channels & 255},0.3)`
}
