import type { Tab, TabBar } from '@souk/pages'
import {
  call,
  event,
  flag,
  ignored,
  inPage,
  number,
  type Off,
  type On,
  object,
  required,
  text,
  type,
  unchecked,
} from './entry.ts'

const ofTabs = { ...inPage, module: 'tabBar' } as const
const index = required(number)

/** The tab bar. */
export const tabs = {
  /** Changes one tab (pages-json §2.7). */
  setTabBarItem: call({
    ...ofTabs,
    options: {
      index,
      text,
      iconPath: text,
      selectedIconPath: text,
      pagePath: text,
      visible: flag,
      iconfont: object<NonNullable<Tab['iconfont']>>(),
    },
  }),
  /** Changes the style of all tabs (pages-json §2.7). */
  setTabBarStyle: call({
    ...ofTabs,
    options: {
      color: text,
      selectedColor: text,
      backgroundColor: text,
      borderStyle: text,
      blurEffect: unchecked<TabBar['blurEffect']>(),
      fontSize: unchecked<TabBar['fontSize']>(),
      iconWidth: unchecked<TabBar['iconWidth']>(),
      spacing: unchecked<TabBar['spacing']>(),
      height: unchecked<TabBar['height']>(),
      midButton: unchecked<TabBar['midButton']>(),
      backgroundImage: ignored<string>(),
      backgroundRepeat: ignored<'repeat' | 'repeat-x' | 'repeat-y' | 'no-repeat'>(),
    },
  }),
  setTabBarBadge: call({ ...ofTabs, options: { index, text: required(text) } }),
  removeTabBarBadge: call({ ...ofTabs, options: { index } }),
  showTabBarRedDot: call({ ...ofTabs, options: { index } }),
  hideTabBarRedDot: call({ ...ofTabs, options: { index } }),
  showTabBar: call({ ...ofTabs, options: { animation: flag } }),
  hideTabBar: call({ ...ofTabs, options: { animation: flag } }),
  /** Adds a listener for the middle button of the tab bar, which has no page (pages-json §2.7). */
  onTabBarMidButtonTap: event({ ...inPage, module: 'objects', is: type<On>() }),
  offTabBarMidButtonTap: event({ ...inPage, module: 'objects', is: type<Off>() }),
}
