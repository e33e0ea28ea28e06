import type { Tab } from '@souk/pages'
import { currentApp } from '../stack/app.ts'
import type { Options } from './table/types.ts'

export async function setTabBarItem({ index, ...tab }: Options<'setTabBarItem'>): Promise<void> {
  setTab(index, pick(tab, tabKeys))
}

export async function setTabBarStyle(style: Options<'setTabBarStyle'>): Promise<void> {
  const { tabs } = tabBar()
  tabs.overrides = { ...tabs.overrides, style: { ...tabs.overrides.style, ...pick(style, styleKeys) } }
}

export async function setTabBarBadge({ index, text }: Options<'setTabBarBadge'>): Promise<void> {
  setTab(index, { badge: text, redDot: false })
}

export async function removeTabBarBadge({ index }: Options<'removeTabBarBadge'>): Promise<void> {
  setTab(index, { badge: '' })
}

export async function showTabBarRedDot({ index }: Options<'showTabBarRedDot'>): Promise<void> {
  setTab(index, { redDot: true, badge: '' })
}

export async function hideTabBarRedDot({ index }: Options<'hideTabBarRedDot'>): Promise<void> {
  setTab(index, { redDot: false })
}

export async function showTabBar(options: Options<'showTabBar'> = {}): Promise<void> {
  hide(false, options)
}

export async function hideTabBar(options: Options<'hideTabBar'> = {}): Promise<void> {
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

function hide(isHidden: boolean, { animation = false }: Options<'showTabBar'>): void {
  const { tabs } = tabBar()
  tabs.isAnimated = animation
  tabs.isHidden = isHidden
}

/** Drops callbacks and unknown keys. */
function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Picked<T, K> {
  return Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]]))) as Picked<T, K>
}

type Picked<T, K extends keyof T> = { [N in K]?: Exclude<T[N], undefined> }
