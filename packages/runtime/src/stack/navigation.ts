import { watch } from 'vue'
import { transitionOf } from '../page/transition.ts'
import { addressOr } from './address.ts'
import { leadsHome, type Navigation, type RunningApp } from './app.ts'
import { onBarEvent } from './barEvents.ts'
import { reportUnhandled } from './guards.ts'
import { browserHistory } from './history.ts'
import { fire, hasHook, type ShareOptions } from './hooks.ts'
import { createStack } from './stack.ts'

type Sizes = Record<'windowWidth' | 'windowHeight' | 'screenWidth' | 'screenHeight', number>

/**
 * Creates the stack, on H5 with the browser's history. `started` are the addresses that the app started with; `first`
 * is the promise of its first page. `size` returns the sizes that `onResize` tells; `share` shares the page on top.
 */
export function createNavigation(
  app: RunningApp,
  started: string[],
  first: Promise<unknown>,
  size: () => Sizes,
  share: (options: ShareOptions) => void,
): Navigation {
  const stack = createStack(
    app.stackState,
    {
      ...app.environment,
      isTab: app.isTab,
      motion({ style }, call) {
        const motion = transitionOf(style, call)
        return motion.duration > 0 ? motion : undefined
      },
      onIdle: (urls) => void history?.sync(urls),
    },
    first,
  )
  const history =
    __SOUK_PLATFORM__ === 'H5'
      ? browserHistory(
          (urls) =>
            void stack
              .follow(urls.map((url) => addressOr(app.config.launch, url)))
              .catch((error) => reportUnhandled(app, error)),
          started,
          app.config.launch,
        )
      : undefined
  const { device } = app.carrier
  watch(
    () => [device.width, device.height],
    () => onResize(app, size),
    { flush: 'post' },
  )
  return {
    ...stack,
    onBarEvent: (event) => (event.type === 'share' ? share({ from: 'menu' }) : onBarEvent(app, stack, event)),
    back(isMoved) {
      const { top, carrier, stackState } = app
      if (stackState.entries.length > 1)
        stack.navigateBack(isMoved ? { animationType: 'none' } : {}, 'backbutton').catch(() => {})
      else if (top && leadsHome(app, top)) onBarEvent(app, stack, { type: 'home' })
      else if (carrier.kind === 'frame' && !(top && fire(top, 'onBackPress', { from: 'backbutton' })))
        carrier.call('exitMiniApp', {}).catch(reportError)
    },
  }
}

function onResize({ top, carrier: { device } }: RunningApp, size: () => Sizes): void {
  if (!top || !hasHook(top, 'onResize')) return
  const { windowWidth, windowHeight, screenWidth, screenHeight } = size()
  fire(top, 'onResize', {
    size: { windowWidth, windowHeight, screenWidth, screenHeight },
    deviceOrientation: device.orientation,
  })
}
