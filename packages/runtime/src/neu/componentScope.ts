import { type ComponentInternalInstance, isRef, type VNode } from 'vue'

/**
 * Finds the elements of a component that match a selector, in the document's order. Accepts what pages have at hand:
 * `this`, a template ref, `getCurrentInstance()` with its `proxy` and `ctx`, an open page, or an element. Anything
 * else matches nothing, with a warning that names `caller`: searching the whole page would find another component.
 */
export function findInComponent<E extends Element>(component: unknown, selector: string, caller: string): E[] {
  const roots = rootsOf(component)
  if (!roots) console.warn(`${caller}: what was passed is neither a component nor an element.`, component)
  return (roots ?? []).flatMap((root) => [
    ...(root.matches(selector) ? [root as E] : []),
    ...root.querySelectorAll<E>(selector),
  ])
}

/** Returns the first element of a component that matches, or without a component of the page on top. */
export function findIn<E extends Element>(component: unknown, selector: string, caller: string): E | undefined {
  if (component !== undefined && component !== null) return findInComponent<E>(component, selector, caller)[0]
  return document.querySelector<E>(`neu-page-window:not([inert]) :is(${selector})`) ?? undefined
}

/** Returns the outermost elements of a component; undefined if it is none. */
function rootsOf(component: unknown): Element[] | undefined {
  if (isRef(component)) return rootsOf(component.value)
  if (typeof component !== 'object' || component === null) return undefined
  if (component instanceof Element) return [component]
  const { $, _, $vm, subTree } = component as {
    $?: ComponentInternalInstance
    _?: ComponentInternalInstance
    $vm?: unknown
    subTree?: VNode
  }
  // Pages and elements of script modules have an instance; `ctx` has it as `_`.
  const { $el } = component as { $el?: unknown }
  if ($el instanceof Element) return [$el]
  if ($vm && $vm !== component) return rootsOf($vm)
  const tree = subTree ?? $?.subTree ?? _?.subTree
  // A component that is not rendered yet has no tree.
  if (tree) return elementsOf(tree)
  return $ || _ || 'subTree' in component ? [] : undefined
}

/** Returns the elements from the first node of a vnode to its last one. */
function elementsOf(vnode: VNode): Element[] {
  if (vnode.component) return vnode.component.subTree ? elementsOf(vnode.component.subTree) : []
  const last = vnode.anchor ?? vnode.el
  const elements: Element[] = []
  for (let node = vnode.el as Node | null; node; node = node === last ? null : node.nextSibling) {
    if (node instanceof Element) elements.push(node)
  }
  return elements
}
