import { type Component, h, markRaw, provide, type VNode } from 'vue'
import { addOptionHooks, fire } from './hooks.ts'
import { type PageInstance, pageKey } from './page.ts'

/**
 * What draws a page's own component and calls its hooks: onLoad and onShow when it has been set up and before it is drawn for the first
 * time, so that what they set is drawn at once.
 */
export function pageRoot(page: () => PageInstance): Component {
  return markRaw({
    name: 'PageRoot',
    inheritAttrs: false,
    setup() {
      const instance = page()
      provide(pageKey, instance)
      const hooks = vnodeHooks(instance)
      return () => {
        const { content } = instance
        const vnode = h(content, { ...propsOf(instance), ...hooks })
        return content.suspense ? h(content.suspense, null, { default: () => vnode }) : vnode
      }
    },
  })
}

/** A hot update mounts the component anew: what it has loaded in its hooks it then loads again. */
function vnodeHooks(page: PageInstance) {
  let removeHooks = () => {}
  return {
    onVnodeBeforeMount({ component }: VNode) {
      page.vm = component?.proxy ?? null
      if (page.vm) removeHooks = addOptionHooks(page, page.vm)
      page.isWaiting = false
      fire(page, 'onLoad', { ...page.query })
      if (page.isShown) fire(page, 'onShow')
    },
    onVnodeMounted() {
      // For the first time the stack says so, when all around the page is drawn too, unless the page was still waiting.
      if (page.isReady) fire(page, 'onReady')
    },
    onVnodeBeforeUnmount() {
      if (!page.isUnloaded) fire(page, 'onUnload')
      removeHooks()
    },
  }
}

/** A page may declare what it is given as props. */
function propsOf({ content, query }: PageInstance): Record<string, string> {
  const { props = [] } = content as Component & { props?: string[] | Record<string, unknown> }
  const declared = Array.isArray(props) ? props : Object.keys(props)
  return Object.fromEntries(Object.entries(query).filter(([name]) => declared.includes(name)))
}
