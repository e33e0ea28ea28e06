import { type Component, h, markRaw, nextTick, provide, type VNode } from 'vue'
import { addOptionHooks, fire } from './hooks.ts'
import { type PageInstance, pageKey } from './page.ts'
import { withType } from './withType.ts'

/**
 * Creates the component that renders a page's own component and calls its hooks. onLoad and onShow run after its
 * setup and before the first render, so that their changes are rendered immediately. A page that is a tab gets the
 * project's own tab bar, if there is one.
 */
export function pageRoot(page: () => PageInstance, tabBar: () => Component | undefined): Component {
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
        const rendered = content.suspense ? h(content.suspense, null, { default: () => vnode }) : vnode
        const bar = instance.isTab ? tabBar() : undefined
        // First, because onShow may call getTabBar().
        return bar ? [customTabBar(instance, bar), rendered] : rendered
      }
    },
  })
}

/** Renders the project's own tab bar above the page, at its lower edge unless the bar places itself. */
function customTabBar(page: PageInstance, bar: Component): VNode {
  const ref = (vm: unknown) => {
    page.tabBarVm = vm as object | null
    if (vm) Object.assign(vm, { setData: (data: object, done?: () => void) => setData(vm, data, done) })
  }
  return h('neu-custom-tab-bar', { class: 'neu-custom-tab-bar' }, [h(bar, { ref })])
}

/** Implements `getTabBar().setData()`, with which pages select their tab. */
function setData(vm: object, data: object, done?: () => void): void {
  Object.assign(vm, data)
  if (done) void nextTick(done)
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
