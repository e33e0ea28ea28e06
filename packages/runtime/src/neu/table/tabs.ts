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
    fails: ['noTabBar', 'noTab'],
    options: {
      /** Index of the tab, from 0. */
      index,
      /** Text of the tab. */
      text,
      /** Icon while the tab is not selected. */
      iconPath: text,
      /** Icon while the tab is selected. */
      selectedIconPath: text,
      /** Page of the tab; it must be one of the app. */
      pagePath: text,
      /** Whether the tab is shown. */
      visible: flag,
      /** Sign of an icon font, instead of pictures. */
      iconfont: object<NonNullable<Tab['iconfont']>>(),
    },
  }),
  /** Changes the style of all tabs (pages-json §2.7). */
  setTabBarStyle: call({
    ...ofTabs,
    fails: ['noTabBar'],
    options: {
      /** Color of the texts of other tabs. */
      color: text,
      /** Color of the text of the selected tab. */
      selectedColor: text,
      /** Background of the bar. */
      backgroundColor: text,
      /** Line above the bar: `black` or `white`. */
      borderStyle: text,
      /** Blurs what is behind the bar. */
      blurEffect: unchecked<TabBar['blurEffect']>(),
      /** Size of the texts. */
      fontSize: unchecked<TabBar['fontSize']>(),
      /** Width of the icons. */
      iconWidth: unchecked<TabBar['iconWidth']>(),
      /** Distance between icon and text. */
      spacing: unchecked<TabBar['spacing']>(),
      /** Height of the bar. */
      height: unchecked<TabBar['height']>(),
      /** The button in the middle. */
      midButton: unchecked<TabBar['midButton']>(),
      backgroundImage: ignored<string>(),
      backgroundRepeat: ignored<'repeat' | 'repeat-x' | 'repeat-y' | 'no-repeat'>(),
    },
  }),
  /** Shows a short text at the corner of a tab. */
  setTabBarBadge: call({
    ...ofTabs,
    fails: ['noTabBar', 'noTab'],
    options: {
      /** Index of the tab, from 0. */
      index,
      /** The text. */
      text: required(text),
    },
  }),
  /** Removes the text at the corner of a tab. */
  removeTabBarBadge: call({
    ...ofTabs,
    fails: ['noTabBar', 'noTab'],
    options: {
      /** Index of the tab, from 0. */
      index,
    },
  }),
  /** Shows a red dot at the corner of a tab. */
  showTabBarRedDot: call({
    ...ofTabs,
    fails: ['noTabBar', 'noTab'],
    options: {
      /** Index of the tab, from 0. */
      index,
    },
  }),
  /** Removes the red dot of a tab. */
  hideTabBarRedDot: call({
    ...ofTabs,
    fails: ['noTabBar', 'noTab'],
    options: {
      /** Index of the tab, from 0. */
      index,
    },
  }),
  /** Shows the tab bar again. */
  showTabBar: call({
    ...ofTabs,
    fails: ['noTabBar'],
    options: {
      /** Whether the bar moves in; false by default. */
      animation: flag,
    },
  }),
  /** Hides the tab bar. */
  hideTabBar: call({
    ...ofTabs,
    fails: ['noTabBar'],
    options: {
      /** Whether the bar moves out; false by default. */
      animation: flag,
    },
  }),
  /** Adds a listener for the middle button of the tab bar, which has no page (pages-json §2.7). */
  onTabBarMidButtonTap: event({ ...inPage, module: 'objects', is: type<On>() }),
  /** Removes a listener, or all of them. */
  offTabBarMidButtonTap: event({ ...inPage, module: 'objects', is: type<Off>() }),
}
