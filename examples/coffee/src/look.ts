import { onShow } from '@souk/runtime'
import { speak, words } from './words/index.ts'

/** Colours of the bars, which the host draws. Those of pages are in App.vue. */
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

/** Takes over the user's language and theme for pages and tabs. */
export function dress(): void {
  const { language: tag, theme } = neu.getSystemInfoSync()
  speak(tag)
  document.documentElement.dataset.theme = theme
  neu.setTabBarStyle(systemColors().tabs)
  for (const [index, text] of words.value.tabs.entries()) neu.setTabBarItem({ index, text })
}

/** The navigation bar of the page on top. */
export function dressBar(): void {
  neu.setNavigationBarColor(systemColors().bar)
}

/** Gives the navigation bar of the page that calls this its title, in the user's language. */
export function useBar(title: () => string): void {
  onShow(() => {
    neu.setNavigationBarTitle({ title: title() })
    dressBar()
  })
}
