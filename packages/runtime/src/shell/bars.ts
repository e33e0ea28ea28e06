/**
 * What bars look like, as plain values: worked out once from the configuration and what the app has changed since, drawn by the components beside
 * it, and sent as they are from a frame to its host. Lengths are CSS lengths, colours CSS colours, images absolute addresses.
 */

export interface NavigationBarModel {
  /** False with `navigationStyle: custom` or `titleNView: false` (§2.4). */
  isShown: boolean
  type: 'default' | 'transparent' | 'float'
  title: string
  /** In place of the title; empty for none. */
  titleImage: string
  titleColor: string
  backgroundColor: string
  /** Colour of what stands in the status bar. */
  textStyle: 'black' | 'white'
  titleSize: string
  titleOverflow: 'clip' | 'ellipsis'
  titleAlign: 'center' | 'left'
  titleIcon: string
  titleIconRadius: string
  subtitle: { text: string; color: string; size: string; overflow: 'clip' | 'ellipsis' } | null
  /** A CSS gradient or url(). */
  backgroundImage: string
  backgroundRepeat: string
  blurEffect: 'dark' | 'extralight' | 'light' | 'none'
  /** Scroll offset at which a transparent bar is fully there: px, or percent of the page's visible height. */
  coverage: string
  splitLine: { color: string; height: string } | null
  shadowColor: string
  /** Clicks go through to the page (§2.3 titlePenetrate). */
  isPenetrated: boolean
  /** The three ways of `transparentTitle`, for bars of type default. */
  transparentTitle: 'always' | 'auto' | 'none'
  backButton: BackButtonModel | null
  homeButton: boolean
  buttons: BarButtonModel[]
  searchInput: SearchInputModel | null
  /** Shows that something is being loaded (`neu.showNavigationBarLoading`). */
  isLoading: boolean
}

export interface BackButtonModel {
  color: string
  colorPressed: string
  /** Empty for none; only drawn on a transparent bar. */
  background: string
  /** Trimmed already (§2.6.2); empty for none. */
  badgeText: string
  redDot: boolean
  fontSize: string
  fontWeight: 'normal' | 'bold'
  title: string
  titleWeight: 'normal' | 'bold'
}

export interface BarButtonModel {
  type: 'forward' | 'back' | 'share' | 'favorite' | 'home' | 'menu' | 'close' | 'none'
  text: string
  /** Font family that `fontSrc` was loaded as; empty for none. */
  fontFamily: string
  fontSrc: string
  color: string
  colorPressed: string
  background: string
  float: 'left' | 'right'
  fontSize: string
  fontWeight: 'normal' | 'bold'
  /** The arrow that says there is a choice. */
  select: boolean
  width: string
  badgeText: string
  redDot: boolean
}

export interface SearchInputModel {
  autoFocus: boolean
  align: 'left' | 'right' | 'center'
  backgroundColor: string
  borderRadius: string
  placeholder: string
  placeholderColor: string
  disabled: boolean
  color: string
  text: string
}

export interface TabBarModel {
  color: string
  selectedColor: string
  backgroundColor: string
  borderColor: string
  blurEffect: 'dark' | 'extralight' | 'light' | 'none'
  fontSize: string
  iconWidth: string
  spacing: string
  height: string
  /** Index in `tabs` of the page on top; -1 where it is none of them. */
  selected: number
  tabs: TabModel[]
  midButton: MidButtonModel | null
}

export interface TabModel {
  pagePath: string
  text: string
  /** Absolute addresses; empty for none. */
  icon: string
  selectedIcon: string
  iconfont: IconfontModel | null
  isVisible: boolean
  badge: string
  redDot: boolean
}

export interface IconfontModel {
  text: string
  selectedText: string
  fontSize: string
  color: string
  selectedColor: string
}

export interface MidButtonModel {
  width: string
  height: string
  text: string
  icon: string
  iconWidth: string
  backgroundImage: string
  iconfont: IconfontModel | null
}
