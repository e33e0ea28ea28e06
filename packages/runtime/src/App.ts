import type { BarEvent } from '@souk/shell/host'
import NavigationBar from '@souk/shell/NavigationBar.vue'
import TabBar from '@souk/shell/TabBar.vue'
import { type Component, h, type VNode } from 'vue'
import type { InPage } from './carriers/inPage.ts'
import { loadServices } from './neu/lazyServices.ts'
import AppWindows from './page/AppWindows.vue'
import PageView from './page/PageView.vue'
import type { scrollTo } from './page/scrollTo.ts'
import type { RunningApp } from './stack/app.ts'
import { addOptionHooks } from './stack/hooks.ts'
import { openPages, pagesSeenBelow } from './stack/stackState.ts'
import { withType } from './stack/withType.ts'

/** Renders the project's App.vue (`root`) with the pages inside it, and on H5 their bars. */
export function appRoot(app: RunningApp, root?: Component): Component {
  const windows = () =>
    h(
      AppWindows,
      { app: app.config, style: app.top?.style ?? app.config.style, load: app.build.windows },
      { default: () => pages(app), ...(__SOUK_PLATFORM__ === 'H5' && bars(app)) },
    )
  if (!root) return { render: windows }
  const own = withDefaultSlot(root)
  const hooks = rootHooks(app)
  return { render: () => withType(h(own, hooks, windows), 'app') }
}

function rootHooks(app: RunningApp) {
  let removeHooks = () => {}
  return {
    onVnodeBeforeMount({ component }: VNode) {
      const vm = component?.proxy
      if (!vm) return
      const { globalData = {} } = vm.$options as { globalData?: unknown }
      // Components of the ecosystem reach the app through $vm.
      app.root = Object.assign(vm, { globalData, $vm: vm })
      removeHooks = addOptionHooks(app, vm)
    },
    onVnodeBeforeUnmount: () => removeHooks(),
  }
}

const scroll: typeof scrollTo = async (...it) => (await loadServices()).scrollTo(...it)

function pages(app: RunningApp): VNode[] {
  const { top, rendered } = app
  const below = openPages(app.stackState).at(-2)
  const seen = __SOUK_PLATFORM__ === 'H5' ? [] : pagesSeenBelow(app.stackState)
  return rendered.map((page) =>
    h(PageView, {
      key: page.id,
      page,
      isTop: page === top,
      isBelow: page === below,
      isSeen: seen.includes(page),
      scroll,
      onBack: () => app.back(true),
    }),
  )
}

function bars({ carrier, top }: RunningApp): Record<string, () => VNode | undefined> {
  const onEvent = (event: BarEvent) => carrier.onBarEvent(event)
  const { device } = carrier
  const shown = (carrier as InPage).bars
  if (!shown) return {}
  return {
    navigationBar: () =>
      h(NavigationBar, {
        // Text in the search box and measured widths belong to one page.
        key: shown.pageId,
        model: shown.navigationBar,
        scrollTop: shown.scrollTop,
        statusBarHeight: device.statusBarHeight,
        viewportHeight: top?.controls?.scroller?.clientHeight || device.height,
        language: device.language,
        onEvent,
      }),
    ...(__SOUK_TAB_BAR__ && {
      tabBar: () =>
        h(TabBar, {
          model: shown.tabBar,
          isAnimated: shown.isTabBarAnimated,
          safeAreaBottom: device.safeAreaBottom,
          language: device.language,
          onEvent,
        }),
    }),
  }
}

/** Lets App.vue render something around its pages, which are in its slot. Most App.vue files render nothing. */
function withDefaultSlot(root: Component): Component {
  return { ...root, render: (root as { render?: () => VNode }).render ?? renderDefaultSlot } as Component
}

const renderDefaultSlot = ({ $slots }: { $slots: { default?: () => VNode[] } }) => $slots.default?.()
