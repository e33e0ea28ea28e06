import {
  boolean,
  type Check,
  changes,
  color as colorText,
  imageAddress,
  integer,
  list,
  nullable,
  number,
  oneOf,
  Refused,
  record,
  text,
} from '@souk/contract/bridge'
import { minute } from '@souk/contract/time'
import type {
  BackButtonModel,
  BarButtonModel,
  IconfontModel,
  MidButtonModel,
  NavigationBarModel,
  SearchInputModel,
  TabBarModel,
  TabModel,
} from '@souk/shell/bars'
import type { Bars, BarsBelow } from '@souk/shell/host'

/**
 * Checks the bars that a mini app asks for before the host draws them in its own document: structure and size of
 * everything, and that colors, lengths and images are nothing else. Invalid values of these three are dropped, as
 * browsers drop invalid CSS, so that a pages.json with a wrong value, which its validation reports, still runs.
 */

/** Replaces an invalid value by an empty string. */
function lenient(check: Check<string>): Check<string> {
  return (value, at) => {
    try {
      return check(value, at)
    } catch {
      return ''
    }
  }
}

/** Replaces an unknown keyword by the first allowed one. */
function keyword<const T extends string>(...allowed: [T, ...T[]]): Check<T> {
  return (value) => (allowed.includes(value as T) ? (value as T) : allowed[0])
}

/**
 * Text to display, cut to what a bar can show, because pages.json has no limit. Real files often have a number instead
 * of a string.
 */
const label: Check<string> = (value, at) =>
  text(Number.POSITIVE_INFINITY)(typeof value === 'number' ? String(value) : (value ?? ''), at).slice(0, 1000)

const color = lenient(colorText)
const image = lenient(imageAddress)
const font = lenient(text(1024 ** 2, /^(?:$|https?:\/\/|data:)/i))
const weight = keyword('normal', 'bold')
const blur = keyword('none', 'dark', 'extralight', 'light')
const overflow = keyword('ellipsis', 'clip')

/**
 * Accepts `auto`, an empty string, or a length in px or rpx of at most `max` px on a 375 px screen, so that a bar
 * cannot cover the screen.
 */
function length(max: number): Check<string> {
  return lenient((value, at) => {
    const found = /^(?:([\d.]+)px|calc\(([\d.]+) \* var\(--rpx\)\)|auto|)$/.exec(text(100)(value, at))
    const [, px, rpx = '0'] = found ?? []
    const size = px === undefined ? Number(rpx) / 2 : Number(px)
    if (!found || !(size <= max)) throw new Refused(at, 'a length')
    return found[0]
  })
}

/** A gradient, or an image as url(). */
const backgroundImage: Check<string> = lenient((value, at) => {
  const all = text(16 * 1024 ** 2)(value, at)
  const [, address] = /^url\("([^"\\]*)"\)$/.exec(all) ?? []
  if (address === undefined) return text(500, /^(?!.*url)[\w-]*gradient\([\w#(),.% -]*\)$|^$/i)(all, at)
  imageAddress(address, at)
  return all
})

const iconfont = record<IconfontModel>({
  // Some fonts have names for icons, such as `notifications_active`.
  text: label,
  selectedText: label,
  fontSize: length(200),
  color,
  selectedColor: color,
  fontSrc: font,
})

const backButton = record<BackButtonModel>({
  color,
  colorPressed: color,
  background: color,
  badgeText: label,
  redDot: boolean,
  fontSize: length(100),
  fontWeight: weight,
  title: label,
  titleWeight: weight,
})

const button = record<BarButtonModel>({
  type: keyword('none', 'forward', 'back', 'share', 'favorite', 'home', 'menu', 'close'),
  text: label,
  fontSrc: font,
  color,
  colorPressed: color,
  background: color,
  float: keyword('right', 'left'),
  fontSize: length(100),
  fontWeight: weight,
  select: boolean,
  width: length(375),
  badgeText: label,
})

const maxButtons = 20
/** Cut like texts. */
const firstButtons: Check<BarButtonModel[]> = (value, at) =>
  list(button, maxButtons)(Array.isArray(value) ? value.slice(0, maxButtons) : value, at)

const searchInput = record<SearchInputModel>({
  autoFocus: boolean,
  align: keyword('center', 'left', 'right'),
  backgroundColor: color,
  borderRadius: length(999),
  placeholder: label,
  placeholderColor: color,
  disabled: boolean,
  color,
  text: text(10_000),
})

const navigationBar = record<NavigationBarModel>(
  {
    isShown: boolean,
    type: keyword('default', 'transparent', 'float'),
    title: label,
    titleImage: image,
    titleColor: color,
    backgroundColor: color,
    colorTransition: lenient(text(100, /^[\w\s.,()-]*$/)),
    textStyle: keyword('white', 'black'),
    titleSize: length(100),
    titleOverflow: overflow,
    titleAlign: keyword('center', 'left'),
    titleIcon: image,
    titleIconRadius: length(999),
    subtitle: nullable(
      record<NonNullable<NavigationBarModel['subtitle']>>({ text: label, color, size: length(100), overflow }),
    ),
    backgroundImage,
    backgroundRepeat: lenient(text(20, /^[\w-]*$/)),
    blurEffect: blur,
    coverage: lenient(text(20, /^[\d.]*(?:px|%)?$/)),
    splitLine: nullable(record<NonNullable<NavigationBarModel['splitLine']>>({ color, height: length(44) })),
    shadowColor: color,
    isPenetrated: boolean,
    transparentTitle: keyword('none', 'always', 'auto'),
    backButton: nullable(backButton),
    homeButton: boolean,
    buttons: firstButtons,
    searchInput: nullable(searchInput),
    isLoading: boolean,
  },
  { direction: oneOf('ltr', 'rtl') },
)

const tab = record<TabModel>({
  pagePath: label,
  text: label,
  icon: image,
  selectedIcon: image,
  iconfont: nullable(iconfont),
  isVisible: boolean,
  badge: label,
  redDot: boolean,
})

const midButton = record<MidButtonModel>({
  width: length(375),
  height: length(200),
  text: label,
  icon: image,
  iconWidth: length(200),
  backgroundImage,
  iconfont: nullable(iconfont),
})

const tabBar = record<TabBarModel>({
  color,
  selectedColor: color,
  backgroundColor: color,
  borderColor: color,
  blurEffect: blur,
  fontSize: length(100),
  iconWidth: length(200),
  spacing: length(100),
  height: length(150),
  selected: integer(-1, 99),
  tabs: list(tab, 20),
  midButton: nullable(midButton),
})

/** Checks the changed values of the bars. */
export const barsCheck: Check<Partial<Bars>> = changes<Bars>({
  // -1 for bars drawn from the manifest.
  pageId: integer(-1, Number.MAX_SAFE_INTEGER),
  navigationBar,
  tabBar: nullable(tabBar),
  isTabBarAnimated: boolean,
  transition: record<Bars['transition']>({
    name: text(40, /^[\w-]*$/, 'the name of an animation'),
    direction: oneOf('forward', 'back', 'none'),
    // Longer durations are a mistake, and would only delay the bars.
    duration: (value, at) => Math.min(number(0, Number.MAX_SAFE_INTEGER)(value, at), minute),
  }),
  scrollTop: number(-1e6, 1e8),
  orientation: keyword('portrait', 'auto', 'landscape'),
  below: nullable(record<BarsBelow>({ navigationBar, tabBar: nullable(tabBar), scrollTop: number(-1e6, 1e8) })),
})
