import { type Component, h, markRaw, provide, type VNode } from 'vue'
import { addOptionHooks, fire } from './hooks.ts'
import { type PageInstance, pageKey } from './page.ts'
import { withType } from './withType.ts'

/**
 * Creates the component that renders a page's own component and calls its hooks. onLoad and onShow run after its
 * setup and before the first render, so that their changes are rendered immediately.
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
        const vnode = withType(h(content, { ...propsOf(instance), ...hooks }), 'page')
        return content.suspense ? h(content.suspense, null, { default: () => vnode }) : vnode
      }
    },
  })
}

/**
 * Returns vnode hooks that call the page's hooks. A hot update mounts the component again, which calls onLoad again
 * to load its data.
 */
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
      // The first onReady is fired by the stack, after everything around the page is rendered, unless the page was
      // still waiting.
      if (page.isReady) fire(page, 'onReady')
    },
    onVnodeBeforeUnmount() {
      if (!page.isUnloaded) fire(page, 'onUnload')
      removeHooks()
    },
  }
}

/** Returns the parts of the query that the page declares as props. */
function propsOf({ content, query }: PageInstance): Record<string, string> {
  const { props = [] } = content as Component & { props?: string[] | Record<string, unknown> }
  const declared = Array.isArray(props) ? props : Object.keys(props)
  return Object.fromEntries(Object.entries(query).filter(([name]) => declared.includes(name)))
}
