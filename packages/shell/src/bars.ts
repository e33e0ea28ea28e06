import {
  boolean,
  type Check,
  changes,
  fields,
  integer,
  list,
  nullable,
  number,
  oneOf,
  text,
} from '@souk/contract/bridge'
import type {
  BackButton,
  Button,
  H5Button,
  Iconfont,
  PageStyle,
  Platform,
  SearchInput,
  Tab,
  TabBar,
  TitleNView,
} from '@souk/pages'
import {
  backgroundValue,
  colorValue,
  duration,
  firstOf,
  fontValue,
  imageValue,
  keyword,
  label,
  lengthUpTo,
  lenient,
} from './barValues.ts'
import type { Os, TabBarConfig } from './config.ts'
import {
  backButtonDefaults,
  buttonDefaults,
  midButtonDefaults,
  pageStyleDefaults,
  searchInputDefaults,
  splitLineDefaults,
  tabBarDefaults,
  titleNViewDefaults,
} from './defaults.generated.ts'
import {
  backButtonValues,
  buttonValues,
  pageStyleValues,
  searchInputValues,
  tabBarValues,
  titleNViewValues,
} from './values.generated.ts'

/*
 * Models of the bars as plain values: computed from the configuration and the app's changes, rendered by the
 * components in this folder, and sent unchanged from a frame to its host. Lengths and colors are CSS values, images
 * absolute addresses.
 *
 * A model is declared as the check of a host, and its type follows. The declarations are functions, so that releases
 * of mini apps, which only have the types, do not contain them.
 */

type Checked<C extends () => Check<unknown>> = ReturnType<ReturnType<C>>

const navigationBar = () =>
  fields(
    {
      /** False with `navigationStyle: custom` or `titleNView: false` (pages-json §2.4). */
      isShown: boolean,
      type: keyword(titleNViewValues.type),
      title: label,
      /** Shown instead of the title; empty for none. */
      titleImage: imageValue,
      titleColor: colorValue,
      backgroundColor: colorValue,
      /** CSS duration and timing function for color changes; empty for none. */
      colorTransition: lenient(text(100, /^[\w\s.,()-]*$/)),
      /** Text color of the status bar. */
      textStyle: keyword(pageStyleValues.navigationBarTextStyle),
      titleSize: lengthUpTo(100),
      titleOverflow: keyword(titleNViewValues.titleOverflow),
      titleAlign: keyword(['center', 'left']),
      titleIcon: imageValue,
      titleIconRadius: lengthUpTo(999),
      subtitle: nullable(
        fields({
          text: label,
          color: colorValue,
          size: lengthUpTo(100),
          overflow: keyword(titleNViewValues.subtitleOverflow),
        }),
      ),
      /** A CSS gradient or url(). */
      backgroundImage: backgroundValue,
      backgroundRepeat: lenient(text(20, /^[\w-]*$/)),
      blurEffect: keyword(titleNViewValues.blurEffect),
      /** Scroll offset at which a transparent bar becomes opaque: px, or percent of the page's visible height. */
      coverage: lenient(text(20, /^[\d.]*(?:px|%)?$/)),
      splitLine: nullable(fields({ color: colorValue, height: lengthUpTo(44) })),
      shadowColor: colorValue,
      /** Clicks pass through to the page (pages-json §2.3 titlePenetrate). */
      isPenetrated: boolean,
      /** For bars of type default. */
      transparentTitle: keyword(pageStyleValues.transparentTitle),
      backButton: nullable(backButtonLook()),
      homeButton: boolean,
      /** Cut like texts. */
      buttons: firstOf(button(), 20),
      searchInput: nullable(searchBox()),
      /** Shows a spinner (`neu.showNavigationBarLoading`). */
      isLoading: boolean,
    },
    {
      /** Set if it is not that of the bars around it. */
      direction: oneOf('ltr', 'rtl'),
    },
  )
export type NavigationBarModel = Checked<typeof navigationBar>

const backButtonLook = () =>
  fields({
    color: colorValue,
    colorPressed: colorValue,
    /** Empty for none; only drawn on a transparent bar. */
    background: colorValue,
    /** Shortened (pages-json §2.6.2); empty for none. */
    badgeText: label,
    redDot: boolean,
    fontSize: lengthUpTo(100),
    fontWeight: keyword(backButtonValues.fontWeight),
    title: label,
    titleWeight: keyword(backButtonValues.titleWeight),
  })
type BackButtonModel = Checked<typeof backButtonLook>

const button = () =>
  fields({
    type: keyword(buttonValues.type),
    text: label,
    /** Address of the font of `text`; empty for none. */
    fontSrc: fontValue,
    color: colorValue,
    colorPressed: colorValue,
    background: colorValue,
    float: keyword(buttonValues.float),
    fontSize: lengthUpTo(100),
    fontWeight: keyword(buttonValues.fontWeight),
    /** Shows a drop-down arrow. */
    select: boolean,
    /** `auto` fits the content. */
    width: lengthUpTo(375),
    /** Shortened. */
    badgeText: label,
  })
export type BarButtonModel = Checked<typeof button>

const searchBox = () =>
  fields({
    autoFocus: boolean,
    align: keyword(searchInputValues.align),
    backgroundColor: colorValue,
    borderRadius: lengthUpTo(999),
    placeholder: label,
    placeholderColor: colorValue,
    disabled: boolean,
    color: colorValue,
    text: text(10_000),
  })
export type SearchInputModel = Checked<typeof searchBox>

const tabBar = () =>
  fields({
    color: colorValue,
    selectedColor: colorValue,
    backgroundColor: colorValue,
    borderColor: colorValue,
    blurEffect: keyword(tabBarValues.blurEffect),
    fontSize: lengthUpTo(100),
    iconWidth: lengthUpTo(200),
    spacing: lengthUpTo(100),
    height: lengthUpTo(150),
    /** Index in `tabs` of the page on top; -1 if it is not a tab. */
    selected: integer(-1, 99),
    tabs: list(tab(), 20),
    midButton: nullable(midButton()),
  })
export type TabBarModel = Checked<typeof tabBar>

const tab = () =>
  fields({
    pagePath: label,
    text: label,
    /** Absolute addresses; empty for none. */
    icon: imageValue,
    selectedIcon: imageValue,
    iconfont: nullable(iconfont()),
    isVisible: boolean,
    /** Shortened; empty for none. */
    badge: label,
    redDot: boolean,
  })
export type TabModel = Checked<typeof tab>

const iconfont = () =>
  fields({
    // Some fonts have names for icons, such as `notifications_active`.
    text: label,
    selectedText: label,
    fontSize: lengthUpTo(200),
    color: colorValue,
    selectedColor: colorValue,
    /** Address of the font; empty if the app has none. */
    fontSrc: fontValue,
  })
type IconfontModel = Checked<typeof iconfont>

const midButton = () =>
  fields({
    width: lengthUpTo(375),
    height: lengthUpTo(200),
    text: label,
    icon: imageValue,
    iconWidth: lengthUpTo(200),
    backgroundImage: backgroundValue,
    iconfont: nullable(iconfont()),
  })
type MidButtonModel = Checked<typeof midButton>

const scrollOffset = () => number(-1e6, 1e8)

const bars = () => ({
  /** Id of the page: the bar moves together with its page. -1 for bars drawn from the manifest. */
  pageId: integer(-1, Number.MAX_SAFE_INTEGER),
  navigationBar: navigationBar(),
  /** Null if the page is not a tab or the tab bar is hidden. */
  tabBar: nullable(tabBar()),
  /** Animates the tab bar when it appears or disappears: `animation` of `neu.showTabBar` and `neu.hideTabBar`. */
  isTabBarAnimated: boolean,
  /** Scroll offset of the page on top in px. Only updated for bars that depend on it. */
  scrollTop: scrollOffset(),
  /** The page's transition, which the bars follow; `none` for no movement. Duration in ms. */
  transition: fields({
    name: text(40, /^[\w-]*$/, 'the name of an animation'),
    direction: oneOf('forward', 'back', 'none'),
    duration,
  }),
  /** The screen orientation that the page asks for (pages-json §2.3 pageOrientation). */
  orientation: keyword(['portrait', 'auto', 'landscape']),
  /** The bars of the lowest page that shows through transparent ones; null if none does. */
  below: nullable(fields({ navigationBar: navigationBar(), tabBar: nullable(tabBar()), scrollTop: scrollOffset() })),
})
type BarChecks = ReturnType<typeof bars>

/** The bars as a host draws them. Plain values, because a frame sends them. */
export type Bars = { [K in keyof BarChecks]: ReturnType<BarChecks[K]> }
/** The bars around the page on top, without the values that only hosts use. */
export type PageBars = Pick<Bars, 'pageId' | 'navigationBar' | 'tabBar' | 'isTabBarAnimated' | 'scrollTop'>
export type BarsBelow = NonNullable<Bars['below']>

let changedBars: Check<Partial<Bars>> | undefined

/**
 * Checks the changed values of the bars that a mini app asks for before the host draws them in its own document:
 * structure and size of everything, and that colors, lengths and images are nothing else. Invalid values of these
 * three are dropped, as browsers drop invalid CSS, so that a pages.json with a wrong value, which its validation
 * reports, still runs.
 */
export const barsCheck: Check<Partial<Bars>> = (value, at) => {
  changedBars ??= changes(bars())
  return changedBars(value, at)
}

/** Height of the navigation bar without the status bar, in px. */
export const barHeight = 44

/** The environment in which bars are drawn. */
export interface BarEnvironment {
  platform: Platform
  os: Os
  /** Address of the app's folder with a trailing slash. Files of the project are relative to it. */
  base: string
}

/** The app's changes to a page's bar since the page was opened. */
export interface NavigationBarOverrides {
  /** Set by neu.setNavigationBarTitle. */
  title?: string
  /** Set by neu.setNavigationBarColor. Colors that the configuration sets for single parts stay. */
  frontColor?: '#ffffff' | '#000000'
  backgroundColor?: string
  /** Duration and timing function of the change, as in `300ms ease-in`. */
  colorTransition?: string
  /** Set by neu.showNavigationBarLoading. */
  isLoading?: boolean
  /** False after neu.hideHomeButton. */
  homeButton?: boolean
  /** Set by `direction` in the style of the page, by `page-meta` or neu.setPageMeta. */
  direction?: 'ltr' | 'rtl' | undefined
  /** Text of the search box from the last `searchChanged`, restored when the page is on top again. */
  searchText?: string
}

/** The app's changes to its tab bar. */
export interface TabBarOverrides {
  /** Set by neu.setTabBarStyle. */
  style?: Partial<Omit<TabBar, 'list'>>
  /**
   * By index from 0. Set by neu.setTabBarItem, setTabBarBadge, removeTabBarBadge, showTabBarRedDot and
   * hideTabBarRedDot.
   */
  items?: { [index: number]: TabChanges }
}

type TabChanges = Partial<Tab> & { badge?: string; redDot?: boolean }

/** An object whose attributes have values, except for those without a default. */
type Resolved<T, Optional extends keyof T> = Required<Omit<T, Optional>> & Pick<T, Optional>

type ResolvedButton = Resolved<Button & H5Button, 'text' | 'fontSrc' | 'fontSize' | 'badgeText' | 'colorPressed'>
type ResolvedBackButton = Resolved<BackButton, 'badgeText'>

/** A titleNView as the engine resolves it. */
type Bar = Resolved<
  Omit<TitleNView, 'buttons' | 'backButton' | 'searchInput'>,
  'titleText' | 'titleSize' | 'backgroundImage' | 'subtitleText' | 'titleIcon'
> & {
  buttons?: ResolvedButton[]
  backButton: ResolvedBackButton
  searchInput?: Resolved<SearchInput, 'placeholder'>
}

/** The six colors of pages-json §2.12. */
const shadowColors = {
  grey: 'rgba(96,96,96,0.5)',
  blue: 'rgba(24,104,219,0.5)',
  green: 'rgba(26,140,70,0.5)',
  orange: 'rgba(230,120,0,0.5)',
  red: 'rgba(214,40,40,0.5)',
  yellow: 'rgba(230,190,0,0.5)',
}

/**
 * Defined in releases: true if a page has a titleNView (pages-json §2.6, pages-json §2.11). Undefined in hosts, which
 * draw the bars of any app.
 */
declare const __SOUK_TITLE_NVIEW__: boolean | undefined
export const omitsTitleNView: boolean = typeof __SOUK_TITLE_NVIEW__ !== 'undefined' && !__SOUK_TITLE_NVIEW__

/** The environment of a page's bar and the app's changes to it. */
type BarContext = BarEnvironment & {
  /** True if there is a page to go back to. */
  canGoBack: boolean
  overrides?: NavigationBarOverrides
  /** Colors of the titleNView that follow the title when the app changes it (`titleFollowers` of @souk/pages). */
  followsTitle?: readonly string[] | undefined
}

/**
 * Returns the bar of a page (pages-json §2.3 to pages-json §2.6, pages-json §2.11, pages-json §2.12). `style` is
 * resolved for the platform, so that `titleNView` and the `navigationBar…` keys agree (ADR 104).
 */
export function navigationBarModel(style: PageStyle, context: BarContext): NavigationBarModel {
  const { overrides = {} } = context
  const own = (context.platform === 'H5' ? style.h5 : style['app-plus'])?.titleNView as Bar | false | undefined
  const textStyle = overrides.frontColor
    ? overrides.frontColor === '#000000'
      ? 'black'
      : 'white'
    : (style.navigationBarTextStyle ?? pageStyleDefaults.navigationBarTextStyle)
  const titleColor =
    overrides.frontColor ??
    ((!omitsTitleNView && own && own.titleColor) || (textStyle === 'black' ? '#000000' : '#FFFFFF'))
  const model: NavigationBarModel = {
    isShown: style.navigationStyle !== 'custom' && own !== false,
    type: 'default',
    title: overrides.title ?? style.navigationBarTitleText ?? '',
    titleImage: fileUrl(style.titleImage, context.base),
    titleColor,
    backgroundColor:
      overrides.backgroundColor ?? style.navigationBarBackgroundColor ?? pageStyleDefaults.navigationBarBackgroundColor,
    colorTransition: overrides.colorTransition ?? '',
    textStyle,
    titleSize: '16px',
    titleOverflow: titleNViewDefaults.titleOverflow,
    // On H5, uni-app centers titles on every system.
    titleAlign: context.os === 'Android' && context.platform !== 'H5' ? 'left' : 'center',
    titleIcon: '',
    titleIconRadius: titleNViewDefaults.titleIconRadius,
    subtitle: null,
    backgroundImage: '',
    backgroundRepeat: titleNViewDefaults.backgroundRepeat,
    blurEffect: titleNViewDefaults.blurEffect,
    coverage: titleNViewDefaults.coverage,
    splitLine: null,
    shadowColor: shadowColors[style.navigationBarShadow?.colorType as keyof typeof shadowColors] ?? '',
    isPenetrated: style.titlePenetrate === 'YES',
    transparentTitle: style.transparentTitle ?? pageStyleDefaults.transparentTitle,
    backButton: context.canGoBack
      ? {
          ...backButtonDefaults,
          color: titleColor,
          colorPressed: faded(titleColor),
          background: '',
          badgeText: '',
        }
      : null,
    homeButton: false,
    buttons: [],
    searchInput: null,
    isLoading: overrides.isLoading === true,
    ...(overrides.direction && { direction: overrides.direction }),
  }
  return own && !omitsTitleNView ? { ...model, ...titleNView(own, model, context) } : model
}

/** Returns the values that the page's titleNView decides. */
function titleNView(
  bar: Bar,
  model: NavigationBarModel,
  { base, overrides = {}, followsTitle = [] }: BarContext,
): Partial<NavigationBarModel> {
  const { type, titleAlign } = bar
  const { frontColor } = overrides
  const follows = (path: string) => (followsTitle.includes(path) ? frontColor : undefined)
  const colorsOf = (path: string, { color, colorPressed }: ButtonColors) => {
    const followed = follows(`${path}.color`)
    // Buttons on H5 have no `colorPressed` (pages-json §2.11).
    const pressed = followed && (follows(`${path}.colorPressed`) || !colorPressed) ? faded(followed) : colorPressed
    return { color: followed ?? color, colorPressed: pressed ?? faded(color) }
  }
  return {
    type,
    titleSize: length(bar.titleSize, model.titleSize),
    titleOverflow: bar.titleOverflow,
    // A subtitle or an icon aligns the title to the left (pages-json §2.6).
    titleAlign:
      bar.subtitleText ||
      bar.titleIcon ||
      titleAlign === 'left' ||
      (titleAlign === 'auto' && model.titleAlign === 'left')
        ? 'left'
        : 'center',
    titleIcon: fileUrl(bar.titleIcon, base),
    titleIconRadius: length(bar.titleIconRadius, model.titleIconRadius),
    subtitle: bar.subtitleText
      ? {
          text: bar.subtitleText,
          color: follows('subtitleColor') ?? bar.subtitleColor,
          size: length(bar.subtitleSize, titleNViewDefaults.subtitleSize),
          overflow: bar.subtitleOverflow,
        }
      : null,
    backgroundImage: background(bar.backgroundImage, base),
    backgroundRepeat: bar.backgroundRepeat,
    blurEffect: type === 'default' ? 'none' : bar.blurEffect,
    coverage: bar.coverage,
    splitLine: splitLine(bar.splitLine),
    transparentTitle: type === 'default' ? model.transparentTitle : 'none',
    backButton:
      model.backButton && bar.autoBackButton
        ? { ...backButton(bar.backButton, type), ...colorsOf('backButton', bar.backButton) }
        : null,
    homeButton: bar.homeButton && overrides.homeButton !== false,
    buttons: (bar.buttons ?? []).map((button, index) => ({
      ...barButton(button, type, base),
      ...colorsOf(`buttons[${index}]`, button),
    })),
    searchInput: bar.searchInput ? searchInput(bar.searchInput, overrides.searchText) : null,
  }
}

interface ButtonColors {
  color: string
  colorPressed?: string
}

function splitLine(line: Bar['splitLine']): NavigationBarModel['splitLine'] {
  if (!line) return null
  const { color, height } = line === true ? splitLineDefaults : (line as Required<typeof line>)
  return { color, height: lengthOrPercent(height) || splitLineDefaults.height }
}

function backButton(own: ResolvedBackButton, type: Bar['type']): Omit<BackButtonModel, keyof ButtonColors> {
  return {
    background: type === 'transparent' ? own.background : '',
    badgeText: shortBadge(own.badgeText),
    redDot: own.redDot && !own.badgeText,
    fontSize: length(own.fontSize, backButtonDefaults.fontSize),
    fontWeight: own.fontWeight,
    title: own.title,
    titleWeight: own.titleWeight,
  }
}

function barButton(
  button: ResolvedButton,
  barType: Bar['type'],
  base: string,
): Omit<BarButtonModel, keyof ButtonColors> {
  const { type } = button
  const fontSrc = type === 'none' ? fileUrl(button.fontSrc, base) : ''
  return {
    type,
    text: type === 'none' ? unescapeIcon(button.text) : '',
    fontSrc,
    background: barType === 'transparent' ? button.background : '',
    float: button.float,
    fontSize: length(button.fontSize, type === 'none' && !fontSrc ? '16px' : '22px'),
    fontWeight: button.fontWeight,
    select: button.select === true || button.select === 'true',
    width: button.width === 'auto' ? 'auto' : length(button.width, buttonDefaults.width),
    badgeText: shortBadge(button.badgeText),
  }
}

function searchInput(own: NonNullable<Bar['searchInput']>, text: string | undefined): SearchInputModel {
  return {
    autoFocus: own.autoFocus,
    align: own.align,
    backgroundColor: own.backgroundColor,
    borderRadius: length(own.borderRadius, searchInputDefaults.borderRadius),
    placeholder: own.placeholder ?? '',
    placeholderColor: own.placeholderColor,
    disabled: own.disabled,
    color: '#000000',
    text: text ?? '',
  }
}

/** Returns true if the page starts under the bar instead of below it. */
export function overlaysPage({ type, transparentTitle }: NavigationBarModel): boolean {
  return type !== 'default' || transparentTitle !== 'none'
}

/** Returns true if the bar changes while the page scrolls. */
export function dependsOnScroll({ type, transparentTitle }: NavigationBarModel): boolean {
  return type === 'transparent' || transparentTitle === 'auto'
}

/** Returns the opacity of background and title, 0 to 1. `scrollTop` and the page's visible height in px. */
export function barOpacity(model: NavigationBarModel, scrollTop: number, viewportHeight: number): number {
  if (!dependsOnScroll(model)) return model.transparentTitle === 'always' ? 0 : 1
  const value = Number.parseFloat(model.coverage)
  const end = model.coverage.includes('%') ? (value / 100) * viewportHeight : value
  return end > 0 ? Math.min(1, Math.max(0, scrollTop / end)) : 1
}

/** uni-app's colors for a tab bar that lacks the required ones, which is an error that does not block a release. */
const missingColors = { color: '#999999', selectedColor: '#007AFF', backgroundColor: '#F7F7FA' }

/**
 * Returns the tab bar (pages-json §2.7), resolved for the platform. `path` is the page on top, from the project root.
 */
export function tabBarModel(
  tabBar: TabBarConfig,
  {
    platform,
    os,
    base,
    path,
    overrides = {},
  }: BarEnvironment & { path: string | undefined; overrides?: TabBarOverrides },
): TabBarModel {
  const bar = { ...missingColors, ...tabBar, ...overrides.style }
  const { color, selectedColor, backgroundColor, midButton } = bar
  // pages-json §2.7 limits the blur to iOS, but browsers support it on every system.
  const blurEffect = os === 'iOS' || platform === 'H5' ? (bar.blurEffect ?? tabBarDefaults.blurEffect) : 'none'
  const iconWidth = length(bar.iconWidth, tabBarDefaults.iconWidth)
  const fontSrc = fileUrl(tabBar.iconfontSrc, base)
  const iconfont = (font: Iconfont | undefined): IconfontModel | null =>
    font?.text
      ? {
          text: unescapeIcon(font.text),
          selectedText: unescapeIcon(font.selectedText ?? font.text),
          fontSize: length(font.fontSize, iconWidth),
          color: font.color ?? color,
          selectedColor: font.selectedColor ?? selectedColor,
          fontSrc,
        }
      : null
  const tabs = bar.list.map((tab, index) => tabModel({ ...tab, ...overrides.items?.[index] }, iconfont, base))
  return {
    color,
    selectedColor,
    // An opaque color would hide the blur.
    backgroundColor: blurEffect === 'none' ? backgroundColor : withOpacity(backgroundColor, 0.7),
    borderColor: borderColor(bar.borderStyle, platform),
    blurEffect,
    fontSize: length(bar.fontSize, tabBarDefaults.fontSize),
    iconWidth,
    spacing: length(bar.spacing, tabBarDefaults.spacing, true),
    height: length(bar.height, tabBarDefaults.height),
    selected: path === undefined ? -1 : tabs.findIndex((tab) => tab.pagePath === pagePath(path)),
    tabs,
    // Hidden tabs count, and a button that the app sets follows the same rule (pages-json §2.7).
    midButton: midButton && tabs.length % 2 === 0 ? midButtonModel(midButton, iconfont, base) : null,
  }
}

type ToIconfontModel = (font: Iconfont | undefined) => IconfontModel | null

function tabModel(tab: Tab & TabChanges, iconfont: ToIconfontModel, base: string): TabModel {
  const icon = fileUrl(tab.iconPath, base)
  return {
    pagePath: pagePath(tab.pagePath),
    text: tab.text ?? '',
    icon,
    selectedIcon: fileUrl(tab.selectedIconPath, base) || icon,
    iconfont: iconfont(tab.iconfont),
    isVisible: tab.visible !== false,
    badge: shortBadge(tab.badge),
    redDot: tab.redDot === true && !tab.badge,
  }
}

function midButtonModel(
  button: NonNullable<TabBarConfig['midButton']>,
  iconfont: ToIconfontModel,
  base: string,
): MidButtonModel {
  return {
    width: length(button.width, midButtonDefaults.width),
    height: length(button.height, midButtonDefaults.height),
    text: button.text ?? '',
    icon: fileUrl(button.iconPath, base),
    iconWidth: length(button.iconWidth, midButtonDefaults.iconWidth),
    backgroundImage: background(button.backgroundImage, base),
    iconfont: iconfont(button.iconfont),
  }
}

/** Returns the border color. App and H5 accept more than black and white (pages-json §2.7). */
function borderColor(style: string | undefined, platform: Platform): string {
  if (style === 'white') return 'rgba(255,255,255,0.33)'
  return !style || style === 'black' || platform === 'Mini App' ? 'rgba(0,0,0,0.33)' : style
}

/** Multiplies the opacity of a color. Hexadecimal digits would round it. */
function withOpacity(color: string, opacity: number): string {
  const [, ...channels] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color) ?? []
  return channels.length > 0
    ? `rgba(${channels.map((each) => Number.parseInt(each, 16))},${opacity})`
    : `color-mix(in srgb,${color} ${opacity * 100}%,transparent)`
}

/** Returns the default color of a pressed button (pages-json §2.6.1). */
export const faded = (color: string) => withOpacity(color, 0.3)

/** Shortens a badge to three characters (pages-json §2.6.2). */
const shortBadge = (badge: string | undefined) => (badge && [...badge].length > 3 ? '...' : (badge ?? ''))

/** Unescapes the code of a font icon, which some files escape twice. */
const unescapeIcon = (text: string | undefined) =>
  (text ?? '').replace(/\\u([\da-f]{4})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))

/** Converts a length in px or rpx to CSS. Existing projects also write px as bare numbers. */
function length(text: string | undefined, fallback: string, mayBeNegative = false): string {
  const [, number, unit] = /^\s*(-?[\d.]+)(r?px)?\s*$/.exec(text ?? '') ?? []
  if (!number || (!mayBeNegative && number.startsWith('-'))) return fallback
  return unit === 'rpx' ? `calc(${number} * var(--rpx))` : `${number}px`
}

/** Converts a percentage of the bar's height, or px (pages-json §2.6.4). */
const lengthOrPercent = (text: string | undefined) =>
  text?.endsWith('%') ? `${(Number.parseFloat(text) * barHeight) / 100}px` : length(text, '')

const pagePath = (path: string) => path.replace(/^\//, '')

/** Returns the absolute address of a file of the project; empty if invalid. */
function fileUrl(path: string | undefined, base: string): string {
  try {
    return path ? new URL(path.replace(/^(?:~?@\/|\.?\/(?!\/))+/, ''), base).href : ''
  } catch {
    return ''
  }
}

/** Returns a gradient as it is, and an image as url(). */
const background = (text: string | undefined, base: string) =>
  !text || text.includes('gradient(') ? (text ?? '') : `url(${JSON.stringify(fileUrl(text, base))})`
