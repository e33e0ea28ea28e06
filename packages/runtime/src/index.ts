/**
 * Exports for pages and components of a mini app: hooks such as `onLoad`, called in setup, `neu`, and their types.
 * `neu`, `uni`, `wx`, `getApp` and `getCurrentPages` are also globals.
 */
import type {} from './globals.ts'

export type { AppConfig, PageConfig } from '@souk/shell/config'
export type { Build, PageModule, Routes } from './build.ts'
export { ApiError } from './neu/api.ts'
export { type Neu, neu, neu as uni, wx } from './neu/start.ts'
export { withLineBreaks } from './page/lineBreaks.ts'
export { rpxStyle } from './page/rpx.ts'
export { rpxProps } from './page/rpxProps.ts'
export type { EventChannel } from './stack/eventChannel.ts'
export {
  type HookTypes,
  onBackPress,
  onError,
  onHide,
  onLaunch,
  onLoad,
  onNavigationBarButtonTap,
  onNavigationBarSearchInputChanged,
  onNavigationBarSearchInputClicked,
  onNavigationBarSearchInputConfirmed,
  onPageNotFound,
  onPageScroll,
  onPullDownRefresh,
  onReachBottom,
  onReady,
  onResize,
  onShareAppMessage,
  onShow,
  onTabItemTap,
  onUnhandledRejection,
  onUnload,
  type SharedCard,
  type ShareOptions,
} from './stack/hooks.ts'
export { type CurrentPage, getApp, getCurrentPages } from './stack/pages.ts'
