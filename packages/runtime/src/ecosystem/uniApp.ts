/*
 * The exports of @dcloudio/uni-app: the runtime, and hooks of platforms that mini apps do not run on, which never fire.
 */
export * from '../index.ts'
export { onHide as onPageHide, onShow as onPageShow } from '../stack/hooks.ts'

type Hook = (listener: (...args: never[]) => unknown) => void
const neverFires: Hook = () => {}

export {
  neverFires as onAddToFavorites,
  neverFires as onCopyUrl,
  neverFires as onExit,
  neverFires as onInit,
  neverFires as onLastPageBackPress,
  neverFires as onNavigationBarSearchInputFocusChanged,
  neverFires as onSaveExitState,
  neverFires as onShareChat,
  neverFires as onShareTimeline,
  neverFires as onThemeChange,
  neverFires as onUniNViewMessage,
}
