import type { Tab, TabBar } from '@souk/pages'
import { currentApp } from '../stack/app.ts'

type Indexed = { index: number }

/** Changes one tab (pages-json §2.7). */
export async function setTabBarItem({ index, ...tab }: Indexed & Partial<Tab>): Promise<void> {
  setTab(index, pick(tab, tabKeys))
}

/** Changes the style of all tabs (pages-json §2.7). */
export async function setTabBarStyle(style: Partial<Omit<TabBar, 'list'>>): Promise<void> {
  const { tabs } = tabBar()
  tabs.overrides = { ...tabs.overrides, style: { ...tabs.overrides.style, ...pick(style, styleKeys) } }
}

export async function setTabBarBadge({ index, text }: Indexed & { text: string }): Promise<void> {
  setTab(index, { badge: text, redDot: false })
}

export async function removeTabBarBadge({ index }: Indexed): Promise<void> {
  setTab(index, { badge: '' })
}

export async function showTabBarRedDot({ index }: Indexed): Promise<void> {
  setTab(index, { redDot: true, badge: '' })
}

export async function hideTabBarRedDot({ index }: Indexed): Promise<void> {
  setTab(index, { redDot: false })
}

export async function showTabBar(options: { animation?: boolean } = {}): Promise<void> {
  hide(false, options)
}

export async function hideTabBar(options: { animation?: boolean } = {}): Promise<void> {
  hide(true, options)
}

const tabKeys = ['text', 'iconPath', 'selectedIconPath', 'pagePath', 'visible', 'iconfont'] as const
const styleKeys = [
  'color',
  'selectedColor',
  'backgroundColor',
  'borderStyle',
  'blurEffect',
  'fontSize',
  'iconWidth',
  'spacing',
  'height',
  'midButton',
] as const

function tabBar() {
  const { config, tabs } = currentApp()
  if (!config.tabBar) throw new Error('the app has no tab bar')
  return { tabs, list: config.tabBar.list }
}

function setTab(index: number, changes: Partial<Tab> & { badge?: string; redDot?: boolean }): void {
  const { tabs, list } = tabBar()
  if (!list[index]) throw new Error('tabbar item not found')
  const { items } = tabs.overrides
  tabs.overrides = { ...tabs.overrides, items: { ...items, [index]: { ...items?.[index], ...changes } } }
}

function hide(isHidden: boolean, { animation = false }: { animation?: boolean }): void {
  const { tabs } = tabBar()
  tabs.isAnimated = animation
  tabs.isHidden = isHidden
}

/** Drops callbacks and unknown keys. */
function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]]))) as Pick<T, K>
}
