import type { BarEvent } from '@souk/shell/host'
import { midButton, type RunningApp } from './app.ts'
import { reportUnhandled } from './guards.ts'
import { fire } from './hooks.ts'
import type { PageInstance } from './page.ts'
import type { PageStack } from './stack.ts'

/** Handles user actions on the bars: navigates, or notifies the page on top. */
export function onBarEvent(app: RunningApp, stack: PageStack, event: BarEvent): void {
  switch (event.type) {
    case 'back':
      app.back()
      break
    case 'home': {
      const { launch } = app.config
      const url = `/${launch}`
      const opened = app.isTab(launch) ? stack.switchTab({ url }) : stack.reLaunch({ url })
      opened.catch((error) => reportUnhandled(app, error))
      break
    }
    case 'midButton':
      midButton.emit('tap')
      break
    default:
      if (app.top) onPageBarEvent(app, stack, app.top, event)
  }
}

function onPageBarEvent(app: RunningApp, stack: PageStack, top: PageInstance, event: BarEvent): void {
  switch (event.type) {
    case 'button': {
      const { titleNView } = top.style[__SOUK_PLATFORM__ === 'H5' ? 'h5' : 'app-plus'] ?? {}
      const { type, ...button } = (titleNView ? titleNView.buttons?.[event.index] : undefined) ?? {}
      // As in uni-app, buttons without a predefined picture have no type.
      fire(top, 'onNavigationBarButtonTap', { ...button, ...(type !== 'none' && { type }), index: event.index })
      break
    }
    case 'tab': {
      const { index } = event
      const { pagePath, text } = top.tabBar?.tabs[index] ?? {}
      if (pagePath === undefined) break
      stack.switchTab({ url: `/${pagePath}` }).then(
        () => {
          // A guard may have redirected it.
          if (app.top?.path === pagePath) fire(app.top, 'onTabItemTap', { index, text: text ?? '', pagePath })
        },
        (error) => reportUnhandled(app, error),
      )
      break
    }
    case 'searchClicked':
      fire(top, 'onNavigationBarSearchInputClicked')
      break
    case 'searchChanged':
      top.overrides = { ...top.overrides, searchText: event.text }
      fire(top, 'onNavigationBarSearchInputChanged', { text: event.text })
      break
    case 'searchConfirmed':
      fire(top, 'onNavigationBarSearchInputConfirmed', { text: event.text })
      break
    case 'toTop':
      top.controls?.scrollTo({ scrollTop: 0 })
      break
  }
}
