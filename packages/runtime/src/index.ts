import type {} from './globals.ts'

export type { AppConfig, Build, PageConfig, PageModule, Routes } from './config.ts'
export { type Neu, neu, neu as uni } from './neu/index.ts'
export { rpxStyle } from './page/rpx.ts'
export {
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
  onShow,
  onTabItemTap,
  onUnhandledRejection,
  onUnload,
} from './stack/hooks.ts'
export { type CurrentPage, getApp, getCurrentPages } from './stack/pages.ts'
