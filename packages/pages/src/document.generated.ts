// Types of a pages.json, written from the rule table: npm run generate.

/** The file (§2.1). */
export type PagesJson = {
  /** The window style of every page that does not set its own. */
  globalStyle?: GlobalStyle
  /** The pages of the mini app; the first one is the launch page. */
  pages: Page[]
  /** Components that pages use without importing them. */
  easycom?: Easycom
  /** The tab bar at the bottom. */
  tabBar?: TabBar
  /** Start modes, in development only: a page to open at once. */
  condition?: Condition
  /** Pages that are loaded as separate packages. */
  subPackages?: SubPackage[]
  /** A window to the left of the page on wide screens. */
  leftWindow?: SideWindow
  /** A window above the page on wide screens. */
  topWindow?: TopWindow
  /** A window to the right of the page on wide screens. */
  rightWindow?: SideWindow
}

/** `pages[]` (§2.2). */
export type Page = {
  /** Path of the page file from the project root, without extension, as in `pages/index/index`. */
  path: string
  /** The window style of this page; what it sets comes before `globalStyle`. */
  style?: PageStyle
}

/** `subPackages[]` (§2.1). */
export type SubPackage = {
  /** Folder of the subpackage; the paths of its pages start there. */
  root: string
  /** As the `pages` of the file, with paths from `root`. */
  pages: Page[]
  /** A name for the subpackage. */
  name?: string
}

/** `globalStyle` (§2.3). */
export type GlobalStyle = {
  /** Background of the navigation bar and of the status bar. Default: #F7F7F7. */
  navigationBarBackgroundColor?: string
  /** Colour of the title and of what stands in the status bar. Default: white. */
  navigationBarTextStyle?: 'black' | 'white'
  /** Title in the navigation bar. */
  navigationBarTitleText?: string
  /** `custom` removes the native navigation bar. Default: default. */
  navigationStyle?: 'default' | 'custom'
  /** Background of the window. */
  backgroundColor?: string
  /** Components for every page: tag name to path. */
  usingComponents?: { [name: string]: string }
  /** Pulling the page down refreshes it. `app-plus.pullToRefresh.support` comes before it. Default: false. */
  enablePullDownRefresh?: boolean
  /** Distance from the bottom, in px, at which the page counts as scrolled to its end. Default: 50. */
  onReachBottomDistance?: number
  /** Image in place of the title, also of titles that pages set. */
  titleImage?: string
  /** Whether the bar is see-through: `always`, `auto` (until the page is scrolled) or `none`. Default: none. */
  transparentTitle?: 'always' | 'auto' | 'none'
  /** Whether clicks go through the bar to what lies below. Default: NO. */
  titlePenetrate?: 'YES' | 'NO'
  /** How the page may be turned. Default: portrait. */
  pageOrientation?: 'auto' | 'portrait' | 'landscape'
  /** How a window appears. Default: pop-in. */
  animationType?: string
  /** How long a window takes to appear, in ms. Default: 300. */
  animationDuration?: number
  /** Style for the App build and for mini apps; H5 uses its `titleNView` and `pullToRefresh` where `h5` does not say otherwise. */
  'app-plus'?: AppPlus
  /** Style for H5; it comes before `app-plus`, key by key. */
  h5?: H5
  /** Whether the left window is shown, where the file has one. Default: true. */
  leftWindow?: boolean
  /** Whether the top window is shown, where the file has one. Default: true. */
  topWindow?: boolean
  /** Whether the right window is shown, where the file has one. Default: true. */
  rightWindow?: boolean
  /** Widest device, in px, for which rpx follow the real width. Default: 960. */
  rpxCalcMaxDeviceWidth?: number
  /** Width, in px, that rpx are computed from on wider devices. Default: 375. */
  rpxCalcBaseDeviceWidth?: number
  /** This many rpx always follow the real width. Default: 750. */
  rpxCalcIncludeWidth?: number
  /** Widest that the left window, the page and the right window get together, in px; beyond it both sides stay blank. */
  maxWidth?: number
}

/** `pages[].style` (§2.4). */
export type PageStyle = {
  /** Background of the navigation bar. Default: #000000. */
  navigationBarBackgroundColor?: string
  /** Colour of the title and of what stands in the status bar. Default: white. */
  navigationBarTextStyle?: 'black' | 'white'
  /** Title in the navigation bar. */
  navigationBarTitleText?: string
  /** Shadow under the navigation bar. */
  navigationBarShadow?: Shadow
  /** `custom` removes the native navigation bar. Default: default. */
  navigationStyle?: 'default' | 'custom'
  /** Look of the loading sign when the page is pulled down. Default: dark. */
  backgroundTextStyle?: 'dark' | 'light'
  /** Pulling the page down refreshes it. `app-plus.pullToRefresh.support` comes before it. Default: false. */
  enablePullDownRefresh?: boolean
  /** Distance from the bottom, in px, at which the page counts as scrolled to its end. Default: 50. */
  onReachBottomDistance?: number
  /** Swiping back is off; on iOS. Default: false. */
  disableSwipeBack?: boolean
  /** Image in place of the title. */
  titleImage?: string
  /** Whether the bar is see-through: `always`, `auto` (until the page is scrolled) or `none`. Default: none. */
  transparentTitle?: 'always' | 'auto' | 'none'
  /** Whether clicks go through the bar to what lies below. Default: NO. */
  titlePenetrate?: 'YES' | 'NO'
  /** Style for the App build and for mini apps; H5 uses its `titleNView` and `pullToRefresh` where `h5` does not say otherwise. */
  'app-plus'?: AppPlus
  /** Style for H5; it comes before `app-plus`, key by key. */
  h5?: H5
  /** Whether the left window is shown, where the file has one. Default: true. */
  leftWindow?: boolean
  /** Whether the top window is shown, where the file has one. Default: true. */
  topWindow?: boolean
  /** Whether the right window is shown, where the file has one. Default: true. */
  rightWindow?: boolean
  /** Widest that the left window, the page and the right window get together, in px; may differ from page to page. */
  maxWidth?: number
  /** Background of the window. */
  backgroundColor?: string
  /** Components for every page: tag name to path. */
  usingComponents?: { [name: string]: string }
  /** How the page may be turned. Default: portrait. */
  pageOrientation?: 'auto' | 'portrait' | 'landscape'
  /** How a window appears. Default: pop-in. */
  animationType?: string
  /** How long a window takes to appear, in ms. Default: 300. */
  animationDuration?: number
  /** Widest device, in px, for which rpx follow the real width. Default: 960. */
  rpxCalcMaxDeviceWidth?: number
  /** Width, in px, that rpx are computed from on wider devices. Default: 375. */
  rpxCalcBaseDeviceWidth?: number
  /** This many rpx always follow the real width. Default: 750. */
  rpxCalcIncludeWidth?: number
}

/** `app-plus` (§2.5). */
export type AppPlus = {
  /** Background of the window; it is there before the page's own CSS. Default: #FFFFFF. */
  background?: string
  /** The navigation bar; `false` removes it. */
  titleNView?: TitleNView | false
  /** Native sub-windows of the page: a list of them, or a single one. */
  subNVues?: SubNVue[] | SubNVue
  /** What the soft keyboard does to the page: `adjustResize` makes it smaller, `adjustPan` moves it. Default: adjustPan. */
  softinputMode?: 'adjustResize' | 'adjustPan'
  /** Refreshing by pulling the page down. */
  pullToRefresh?: PullToRefresh
  /** `none` hides the scroll bar. */
  scrollIndicator?: 'none'
  /** How the window appears. Default: pop-in. */
  animationType?: string
  /** How long the window takes to appear, in ms. Default: 300. */
  animationDuration?: number
  /** `none`: the page does not spring back at its ends. */
  bounce?: string
}

/** `app-plus.titleNView` (§2.6). */
export type TitleNView = {
  /** `transparent`: at first only the buttons, the rest appears with scrolling; `float`: the bar lies over the page. Default: default. */
  type?: 'default' | 'transparent' | 'float'
  /** Background of the bar; rgba() for a translucent one. Default: #F7F7F7. */
  backgroundColor?: string
  /** Own buttons in the bar. */
  buttons?: Button[]
  /** Colour of the title. Default: #000000. */
  titleColor?: string
  /** What happens to a title that is too long. Default: ellipsis. */
  titleOverflow?: 'clip' | 'ellipsis'
  /** The title. */
  titleText?: string
  /** Size of the title. */
  titleSize?: string
  /** A search box in the bar; its width follows from what stands beside it. */
  searchInput?: SearchInput
  /** Whether the Home button is shown. Default: false. */
  homeButton?: boolean
  /** Whether the back button at the left is shown. Default: true. */
  autoBackButton?: boolean
  /** Look of the back button. */
  backButton?: BackButton
  /** An image of the project, drawn at the size of the bar, or `linear-gradient(<direction>, <colour>, <colour>)`. */
  backgroundImage?: string
  /** How an image in `backgroundImage` is repeated; a gradient never is. Default: no-repeat. */
  backgroundRepeat?: 'repeat' | 'repeat-x' | 'repeat-y' | 'no-repeat'
  /** Where the title stands; `auto` is left on Android and the centre on iOS. Default: auto. */
  titleAlign?: 'center' | 'left' | 'auto'
  /** Blur behind the bar; a background colour may hide it. Default: none. */
  blurEffect?: 'dark' | 'extralight' | 'light' | 'none'
  /** How far the page is scrolled when the background is fully there. Default: 132px. */
  coverage?: string
  /** Line under the bar; `null` hides it. Default: false. */
  splitLine?: boolean | SplitLine | null
  /** Colour of the subtitle. Default: same as title color. */
  subtitleColor?: string
  /** Size of the subtitle; `auto` is 12px. Default: auto. */
  subtitleSize?: string
  /** What happens to a subtitle that is too long. Default: ellipsis. */
  subtitleOverflow?: 'clip' | 'ellipsis'
  /** Subtitle, on a second line; both lines are then left-aligned. */
  subtitleText?: string
  /** Icon before the title, 34px by 34px; the title then stands at the left. */
  titleIcon?: string
  /** How round the corners of the icon are. Default: no rounded corner. */
  titleIconRadius?: string
}

/** `titleNView.buttons[]` (§2.6.1). */
export type Button = {
  /** A ready-made button; `none` shows `text` in the font of `fontSrc`. Default: none. */
  type?: 'forward' | 'back' | 'share' | 'favorite' | 'home' | 'menu' | 'close' | 'none'
  /** Colour of the text. Default: same as title text. */
  color?: string
  /** Background. Default: gray translucent. */
  background?: string
  /** Colour of the text while pressed. Default: `color` at 0.3 transparency. */
  colorPressed?: string
  /** The side of the bar. Default: right. */
  float?: 'left' | 'right'
  /** Weight of the text. Default: normal. */
  fontWeight?: 'normal' | 'bold'
  /** Size of the text. */
  fontSize?: string
  /** Font file of the project. */
  fontSrc?: string
  /** Whether an arrow down is shown behind the text. Default: false. */
  select?: 'true' | 'false' | boolean
  /** Text, or a font icon written as `\u` and its code. */
  text?: string
  /** Width in px; `auto` fits the content. Default: 44px. */
  width?: string
}

/** `titleNView.backButton` (§2.6.2). */
export type BackButton = {
  /** Background; translucent gray where it is not set. Default: none. */
  background?: string
  /** Text of the corner mark; beyond 3 characters it ends in `...`. */
  badgeText?: string
  /** Colour of the icon and of its title. Default: title text color. */
  color?: string
  /** Colour while pressed. Default: `color` at 0.3 transparency. */
  colorPressed?: string
  /** Weight of the icon. Default: normal. */
  fontWeight?: 'normal' | 'bold'
  /** Size of the icon: 22px in a `transparent` bar, 27px in a `default` one. */
  fontSize?: string
  /** Whether a red dot is shown; a `badgeText` takes its place. Default: false. */
  redDot?: boolean
  /** Text behind the icon. Default: empty. */
  title?: string
  /** Weight of that text. Default: normal. */
  titleWeight?: 'normal' | 'bold'
}

/** `titleNView.searchInput` (§2.6.3). */
export type SearchInput = {
  /** Whether the box has the focus at once. Default: false. */
  autoFocus?: boolean
  /** Where the text stands while nobody types. Default: center. */
  align?: 'left' | 'right' | 'center'
  /** Background. Default: rgba(255,255,255,0.5). */
  backgroundColor?: string
  /** How round the corners are. Default: 0px. */
  borderRadius?: string
  /** What stands in the empty box. */
  placeholder?: string
  /** Colour of that text. Default: #CCCCCC. */
  placeholderColor?: string
  /** Whether nothing can be typed, so that the box only reports clicks. Default: false. */
  disabled?: boolean
}

/** `titleNView.splitLine` (§2.6.4). */
export type SplitLine = {
  /** Colour of the line. Default: #CCCCCC. */
  color?: string
  /** Thickness: px, also with decimals, or a share of the bar's height. Default: 1px. */
  height?: string
}

/** `tabBar` (§2.7). */
export type TabBar = {
  /** Colour of the texts. */
  color: string
  /** Colour of the text of the tab that is open. */
  selectedColor: string
  /** Background of the bar. */
  backgroundColor: string
  /** Colour of the line above the bar: `black`, `white` or, on App and H5, any colour. Default: black. */
  borderStyle?: string
  /** Blur behind the bar, on iOS. Default: none. */
  blurEffect?: 'dark' | 'extralight' | 'light' | 'none'
  /** The tabs: 2 to 5. */
  list: Tab[]
  /** Size of the texts. Default: 10px. */
  fontSize?: string
  /** Width of the icons; their height follows. Default: 24px. */
  iconWidth?: string
  /** Gap between icon and text. Default: 3px. */
  spacing?: string
  /** Height of the bar. Default: 50px. */
  height?: string
  /** A button in the middle; only between an even number of tabs. */
  midButton?: MidButton
}

/** `tabBar.list[]` (§2.7). */
export type Tab = {
  /** Path of the page, as `pages` has it. */
  pagePath: string
  /** Text of the tab; App and H5 do without. */
  text?: string
  /** Image of the project: at most 40 KB, best 81px by 81px. */
  iconPath?: string
  /** Image while the tab is open; with the same limits. */
  selectedIconPath?: string
  /** Whether the tab is shown; it is, unless this says `false`. Default: true. */
  visible?: boolean
  /** A font icon; it comes before `iconPath`. */
  iconfont?: Iconfont
}

/** `iconfont` (§2.7). */
export type Iconfont = {
  /** The icon, as `\u` and its code. */
  text?: string
  /** The icon while the tab is open. */
  selectedText?: string
  /** Size of the icon. */
  fontSize?: string
  /** Colour of the icon. */
  color?: string
  /** Colour of the icon while the tab is open. */
  selectedColor?: string
}

/** `tabBar.midButton` (§2.7). */
export type MidButton = {
  /** Width; the tabs share the rest. Default: 80px. */
  width?: string
  /** Height; beyond that of the bar the button stands out. Default: 50px. */
  height?: string
  /** Text. */
  text?: string
  /** Image of the project. */
  iconPath?: string
  /** Width of the image; its height follows. Default: 24px. */
  iconWidth?: string
  /** Image behind the button. */
  backgroundImage?: string
  /** A font icon; it comes before `iconPath`. */
  iconfont?: Iconfont
}

/** `app-plus.subNVues[]` (§2.8). */
export type SubNVue = {
  /** Name of the sub-window, for `neu.getSubNVueById`; unique in the whole project. */
  id?: string
  /** An nvue file in the folder of the page. */
  path?: string
  /** `popup`: a layer over the page; `navigationBar`: in place of the bar. */
  type?: 'popup' | 'navigationBar'
  /** Where the sub-window stands and how it looks. */
  style?: SubNVueStyle
}

/** `subNVues[].style` (§2.8). */
export type SubNVueStyle = {
  /** `static` scrolls with the page, `absolute` does not, `dock` keeps to an edge. Default: absolute. */
  position?: 'static' | 'absolute' | 'dock'
  /** The edge that it keeps to. Default: bottom. */
  dock?: 'top' | 'bottom' | 'right' | 'left'
  /** Colour over the rest of the page. Default: rgba(0,0,0,0.5). */
  mask?: string
  /** Width; where it is not set, `left` and `right` may give it. Default: 100%. */
  width?: string
  /** Height; where it is not set, `top` and `bottom` give it first. Default: 100%. */
  height?: string
  /** Distance from the top. Default: 0px. */
  top?: string
  /** Distance from the bottom; ignored where `top` and `height` are set. Default: null. */
  bottom?: string | null
  /** Distance from the left. Default: 0px. */
  left?: string
  /** Distance from the right; ignored where `left` and `width` are set. Default: null. */
  right?: string | null
  /** `auto` centres; any of `left`, `right`, `top`, `bottom` comes before it. */
  margin?: string
  /** Order of layers; the higher one is in front. */
  zindex?: number
  /** Background; `transparent` from Android 4.0 on, for round corners. Default: #FFFFFF. */
  background?: string
}

/** `app-plus.pullToRefresh` (§2.9). */
export type PullToRefresh = {
  /** Whether pulling down refreshes; it comes before `enablePullDownRefresh`. Default: false. */
  support?: boolean
  /** Colour of the sign. Default: #2BD009. */
  color?: string
  /** `default`: the content follows the finger; `circle`: only a sign does. Default: circle on Android, default on iOS. */
  style?: 'default' | 'circle'
  /** How far the page stays pulled down while it refreshes. */
  height?: string
  /** How far it can be pulled. */
  range?: string
  /** Where the sign starts; below a title of one's own, the height of that title. Default: 0px. */
  offset?: string
  /** What is shown while pulling down can start a refresh. */
  contentdown?: Caption
  /** What is shown when letting go refreshes. */
  contentover?: Caption
  /** What is shown during the refresh. */
  contentrefresh?: Caption
}

/** `contentdown`, `contentover`, `contentrefresh` (§2.9). */
export type Caption = {
  /** The text. */
  caption?: string
}

/** `h5` (§2.10). */
export type H5 = {
  /** The navigation bar on H5; `false` removes it. */
  titleNView?: H5TitleNView | false
  /** Refreshing by pulling down on H5; always the `circle` style. */
  pullToRefresh?: H5PullToRefresh
}

/** `h5.pullToRefresh` (§2.10). */
export type H5PullToRefresh = {
  /** Colour of the sign. Default: #2BD009. */
  color?: string
  /** Where the sign starts. Default: 0px. */
  offset?: string
}

/** `h5.titleNView` (§2.11). */
export type H5TitleNView = {
  /** Background of the bar. Default: #F7F7F7. */
  backgroundColor?: string
  /** Own buttons in the bar. */
  buttons?: H5Button[]
  /** Colour of the title. Default: #000000. */
  titleColor?: string
  /** The title. */
  titleText?: string
  /** Size of the title. */
  titleSize?: string
  /** `transparent`: at first only the buttons, the rest appears with scrolling. Default: default. */
  type?: 'default' | 'transparent'
  /** A search box in the bar; its width follows from what stands beside it. */
  searchInput?: SearchInput
}

/** `h5.titleNView.buttons[]` (§2.11). */
export type H5Button = {
  /** Text of the corner mark; beyond 3 characters it ends in `...`. */
  badgeText?: string
  /** A ready-made button; `none` shows `text` in the font of `fontSrc`. Default: none. */
  type?: 'forward' | 'back' | 'share' | 'favorite' | 'home' | 'menu' | 'close' | 'none'
  /** Colour of the text. Default: same as title text. */
  color?: string
  /** Background. Default: gray translucent. */
  background?: string
  /** The side of the bar. Default: right. */
  float?: 'left' | 'right'
  /** Weight of the text. Default: normal. */
  fontWeight?: 'normal' | 'bold'
  /** Size of the text. */
  fontSize?: string
  /** Font file of the project. */
  fontSrc?: string
  /** Whether an arrow down is shown behind the text. Default: false. */
  select?: 'true' | 'false' | boolean
  /** Text, or a font icon written as `\u` and its code. */
  text?: string
  /** Width in px; `auto` fits the content. Default: 44px. */
  width?: string
}

/** `navigationBarShadow` (§2.12). */
export type Shadow = {
  /** Colour of the shadow. */
  colorType?: 'grey' | 'blue' | 'green' | 'orange' | 'red' | 'yellow'
}

/** `leftWindow`, `rightWindow` (§2.13). */
export type SideWindow = {
  /** Path of the window's page file. */
  path?: string
  /** As the style of a page, and the `width` of the window in px. */
  style?: SideWindowStyle
  /** From which width on the window is shown. */
  matchMedia?: MatchMedia
}

/** `topWindow` (§2.13). */
export type TopWindow = {
  /** As the style of a page, and the `height` of the window in px. */
  style?: TopWindowStyle
  /** Path of the window's page file. */
  path?: string
  /** From which width on the window is shown. */
  matchMedia?: MatchMedia
}

/** `leftWindow.style`, `rightWindow.style` (§2.13). */
export type SideWindowStyle = {
  /** Width of the window. */
  width?: string
  /** Background of the navigation bar. Default: #000000. */
  navigationBarBackgroundColor?: string
  /** Colour of the title and of what stands in the status bar. Default: white. */
  navigationBarTextStyle?: 'black' | 'white'
  /** Title in the navigation bar. */
  navigationBarTitleText?: string
  /** Shadow under the navigation bar. */
  navigationBarShadow?: Shadow
  /** `custom` removes the native navigation bar. Default: default. */
  navigationStyle?: 'default' | 'custom'
  /** Look of the loading sign when the page is pulled down. Default: dark. */
  backgroundTextStyle?: 'dark' | 'light'
  /** Pulling the page down refreshes it. `app-plus.pullToRefresh.support` comes before it. Default: false. */
  enablePullDownRefresh?: boolean
  /** Distance from the bottom, in px, at which the page counts as scrolled to its end. Default: 50. */
  onReachBottomDistance?: number
  /** Swiping back is off; on iOS. Default: false. */
  disableSwipeBack?: boolean
  /** Image in place of the title. */
  titleImage?: string
  /** Whether the bar is see-through: `always`, `auto` (until the page is scrolled) or `none`. Default: none. */
  transparentTitle?: 'always' | 'auto' | 'none'
  /** Whether clicks go through the bar to what lies below. Default: NO. */
  titlePenetrate?: 'YES' | 'NO'
  /** Style for the App build and for mini apps; H5 uses its `titleNView` and `pullToRefresh` where `h5` does not say otherwise. */
  'app-plus'?: AppPlus
  /** Style for H5; it comes before `app-plus`, key by key. */
  h5?: H5
  /** Whether the left window is shown, where the file has one. Default: true. */
  leftWindow?: boolean
  /** Whether the top window is shown, where the file has one. Default: true. */
  topWindow?: boolean
  /** Whether the right window is shown, where the file has one. Default: true. */
  rightWindow?: boolean
  /** Widest that the left window, the page and the right window get together, in px; may differ from page to page. */
  maxWidth?: number
  /** Background of the window. */
  backgroundColor?: string
  /** Components for every page: tag name to path. */
  usingComponents?: { [name: string]: string }
  /** How the page may be turned. Default: portrait. */
  pageOrientation?: 'auto' | 'portrait' | 'landscape'
  /** How a window appears. Default: pop-in. */
  animationType?: string
  /** How long a window takes to appear, in ms. Default: 300. */
  animationDuration?: number
  /** Widest device, in px, for which rpx follow the real width. Default: 960. */
  rpxCalcMaxDeviceWidth?: number
  /** Width, in px, that rpx are computed from on wider devices. Default: 375. */
  rpxCalcBaseDeviceWidth?: number
  /** This many rpx always follow the real width. Default: 750. */
  rpxCalcIncludeWidth?: number
}

/** `topWindow.style` (§2.13). */
export type TopWindowStyle = {
  /** Height of the window. */
  height?: string
  /** Background of the navigation bar. Default: #000000. */
  navigationBarBackgroundColor?: string
  /** Colour of the title and of what stands in the status bar. Default: white. */
  navigationBarTextStyle?: 'black' | 'white'
  /** Title in the navigation bar. */
  navigationBarTitleText?: string
  /** Shadow under the navigation bar. */
  navigationBarShadow?: Shadow
  /** `custom` removes the native navigation bar. Default: default. */
  navigationStyle?: 'default' | 'custom'
  /** Look of the loading sign when the page is pulled down. Default: dark. */
  backgroundTextStyle?: 'dark' | 'light'
  /** Pulling the page down refreshes it. `app-plus.pullToRefresh.support` comes before it. Default: false. */
  enablePullDownRefresh?: boolean
  /** Distance from the bottom, in px, at which the page counts as scrolled to its end. Default: 50. */
  onReachBottomDistance?: number
  /** Swiping back is off; on iOS. Default: false. */
  disableSwipeBack?: boolean
  /** Image in place of the title. */
  titleImage?: string
  /** Whether the bar is see-through: `always`, `auto` (until the page is scrolled) or `none`. Default: none. */
  transparentTitle?: 'always' | 'auto' | 'none'
  /** Whether clicks go through the bar to what lies below. Default: NO. */
  titlePenetrate?: 'YES' | 'NO'
  /** Style for the App build and for mini apps; H5 uses its `titleNView` and `pullToRefresh` where `h5` does not say otherwise. */
  'app-plus'?: AppPlus
  /** Style for H5; it comes before `app-plus`, key by key. */
  h5?: H5
  /** Whether the left window is shown, where the file has one. Default: true. */
  leftWindow?: boolean
  /** Whether the top window is shown, where the file has one. Default: true. */
  topWindow?: boolean
  /** Whether the right window is shown, where the file has one. Default: true. */
  rightWindow?: boolean
  /** Widest that the left window, the page and the right window get together, in px; may differ from page to page. */
  maxWidth?: number
  /** Background of the window. */
  backgroundColor?: string
  /** Components for every page: tag name to path. */
  usingComponents?: { [name: string]: string }
  /** How the page may be turned. Default: portrait. */
  pageOrientation?: 'auto' | 'portrait' | 'landscape'
  /** How a window appears. Default: pop-in. */
  animationType?: string
  /** How long a window takes to appear, in ms. Default: 300. */
  animationDuration?: number
  /** Widest device, in px, for which rpx follow the real width. Default: 960. */
  rpxCalcMaxDeviceWidth?: number
  /** Width, in px, that rpx are computed from on wider devices. Default: 375. */
  rpxCalcBaseDeviceWidth?: number
  /** This many rpx always follow the real width. Default: 750. */
  rpxCalcIncludeWidth?: number
}

/** `matchMedia` (§2.13). */
export type MatchMedia = {
  /** The window is shown where the visible area is at least this wide, in px. Default: 768. */
  minWidth?: number
}

/** `easycom` (§2.14). */
export type Easycom = {
  /** Whether `components/<name>/<name>.vue` is found by itself. Default: true. */
  autoscan?: boolean
  /** Own rules: a regular expression for the tag to the path of the `.vue` file, with `$1` for its groups. */
  custom?: { [name: string]: string }
}

/** `condition` (§2.15). */
export type Condition = {
  /** Which entry of `list` is used, from 0. */
  current: number
  /** The start modes. */
  list: StartMode[]
}

/** `condition.list[]` (§2.15). */
export type StartMode = {
  /** Name of the mode. */
  name: string
  /** The page to start with. */
  path: string
  /** Parameters for the page's `onLoad`, as in `id=1&from=list`. */
  query?: string
}
