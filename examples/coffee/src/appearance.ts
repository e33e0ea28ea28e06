import { onShow } from '@souk/runtime'
import { setLanguage, words } from './words/index.ts'

/** Colors of the bars, which the host draws. App.vue has the colors of pages. */
const colors = {
  light: {
    bar: { frontColor: '#000000', backgroundColor: '#fdf8f1' },
    tabs: { color: '#6f5d52', selectedColor: '#9a4a24', backgroundColor: '#ffffff', borderStyle: '#e6dacb' },
  },
  dark: {
    bar: { frontColor: '#ffffff', backgroundColor: '#17120f' },
    tabs: { color: '#b8a496', selectedColor: '#eda377', backgroundColor: '#1f1814', borderStyle: '#3a2e27' },
  },
} as const

const systemColors = () => colors[neu.getSystemInfoSync().theme]

/** Applies the user's language and theme to pages and tabs. */
export function applyAppearance(): void {
  const { language: tag, theme } = neu.getSystemInfoSync()
  setLanguage(tag)
  document.documentElement.dataset.theme = theme
  neu.setTabBarStyle(systemColors().tabs)
  for (const [index, text] of words.value.tabs.entries()) neu.setTabBarItem({ index, text })
}

/** Applies the theme to the navigation bar of the current page. */
export function applyBarColors(): void {
  neu.setNavigationBarColor(systemColors().bar)
}

/** Sets the title of the calling page whenever it is shown, in the user's language. */
export function usePageTitle(title: () => string): void {
  onShow(() => {
    neu.setNavigationBarTitle({ title: title() })
    applyBarColors()
  })
}
