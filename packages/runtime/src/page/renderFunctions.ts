import * as vue from 'vue'
import { rpxStyle } from './rpx.ts'

/**
 * Functions of Vue that create or copy elements, for render functions of projects: they convert the lengths in `style`,
 * as compiled templates do. The build imports them instead of Vue's.
 */

type Create = (type: never, ...rest: never[]) => vue.VNode

function converted<F extends Create>(create: F, [type, ...rest]: Parameters<F>): vue.VNode {
  const [props, ...others] = rest as unknown[]
  const { style } = Object(props) as { style?: unknown }
  // The second argument of `h` can also be content, which has no style.
  const isUnchanged = style === undefined || style === null || Array.isArray(props) || vue.isVNode(props)
  const args = isUnchanged ? rest : [{ ...(props as object), style: rpxStyle(style) }, ...others]
  return create(type as never, ...(args as never[]))
}

export const h = ((...args: Parameters<Create>) => converted(vue.h as Create, args)) as typeof vue.h
export const createVNode = ((...args: Parameters<Create>) =>
  converted(vue.createVNode as Create, args)) as typeof vue.createVNode
export const cloneVNode = ((...args: Parameters<Create>) =>
  converted(vue.cloneVNode as Create, args)) as typeof vue.cloneVNode
