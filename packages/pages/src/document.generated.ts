// Types of a pages.json. Generated from the rule table by npm run generate.

/** The file (pages-json §2.1). */
export type PagesJson = {
  /** Default window style of all pages. */
  globalStyle?: GlobalStyle
  /** Pages of the mini app; the first one is the launch page. */
  pages: Page[]
  /** Components that pages can use without importing them. */
  easycom?: Easycom
  /** Tab bar at the bottom. */
  tabBar?: TabBar
  /** Start modes: pages to open directly during development. */
  condition?: Condition
  /** Pages that are loaded as separate packages. */
  subPackages?: SubPackage[]
  /** Window to the left of the page on wide screens. */
  leftWindow?: SideWindow
  /** Window above the page on wide screens. */
  topWindow?: TopWindow
  /** Window to the right of the page on wide screens. */
  rightWindow?: SideWindow
}

/** `pages[]` (pages-json §2.2). */
export type Page = {
  /** Path of the page file from the project root, without extension, as in `pages/index/index`. */
  path: string
  /** Window style of the page; overrides `globalStyle`. */
  style?: PageStyle
}

/** `subPackages[]` (pages-json §2.1). */
export type SubPackage = {
  /** Folder of the subpackage; the paths of its pages are relative to it. */
  root: string
  /** Pages, with paths relative to `root`. */
  pages: Page[]
  /** Name of the subpackage. */
  name?: string
}

/** `globalStyle` (pages-json §2.3). */
export type GlobalStyle = {
  /** Background of the navigation bar and of the status bar. Pages have another default, #000000, which overrides this one. Default: #F7F7F7. */
  navigationBarBackgroundColor?: string
  /** Color of the title and of the contents of the status bar. Default: white. */
  navigationBarTextStyle?: 'black' | 'white'
  /** Title in the navigation bar. */
  navigationBarTitleText?: string
  /** `custom` removes the native navigation bar. Default: default. */
  navigationStyle?: 'default' | 'custom'
  /** Background of the window. */
  backgroundColor?: string
  /** Components for every page: tag names to paths. */
  usingComponents?: { [name: string]: string }
  /** Enables pull-to-refresh. `app-plus.pullToRefresh.support` overrides it. Default: false. */
  enablePullDownRefresh?: boolean
  /** Distance from the bottom, in px, at which the page counts as scrolled to the end. Default: 50. */
  onReachBottomDistance?: number
  /** Image that replaces the title, including titles of pages. */
  titleImage?: string
  /** Makes the bar transparent: `always`, `auto` (until the page is scrolled) or `none`. Default: none. */
  transparentTitle?: 'always' | 'auto' | 'none'
  /** Lets clicks pass through the bar. Default: NO. */
  titlePenetrate?: 'YES' | 'NO'
  /** Allowed screen orientations. Default: portrait. */
  pageOrientation?: 'auto' | 'portrait' | 'landscape'
  /** Animation of opening windows. Default: pop-in. */
  animationType?: string
  /** Duration of the animation, in ms. Default: 300. */
  animationDuration?: number
  /** Style for App and Mini App; on H5, its `titleNView` and `pullToRefresh` apply unless `h5` overrides them. */
  'app-plus'?: AppPlus
  /** Style for H5; overrides `app-plus` key by key. */
  h5?: H5
  /** Shows the left window, if the file defines one. Default: true. */
  leftWindow?: boolean
  /** Shows the top window, if the file defines one. Default: true. */
  topWindow?: boolean
  /** Shows the right window, if the file defines one. Default: true. */
  rightWindow?: boolean
  /** Maximum device width, in px, at which rpx follow the real width. Default: 960. */
  rpxCalcMaxDeviceWidth?: number
  /** Width, in px, that rpx are based on for wider devices. Default: 375. */
  rpxCalcBaseDeviceWidth?: number
  /** Number of rpx that always follow the real width. Default: 750. */
  rpxCalcIncludeWidth?: number
  /** Maximum width of the left window, page and right window together, in px; beyond it both sides stay blank. */
  maxWidth?: number
}

/** `pages[].style` (pages-json §2.4). */
export type PageStyle = {
  /** Background of the navigation bar. Default: #000000. */
  navigationBarBackgroundColor?: string
  /** Color of the title and of the contents of the status bar. Default: white. */
  navigationBarTextStyle?: 'black' | 'white'
  /** Title in the navigation bar. */
  navigationBarTitleText?: string
  /** Shadow under the navigation bar. */
  navigationBarShadow?: Shadow
  /** `custom` removes the native navigation bar. Default: default. */
  navigationStyle?: 'default' | 'custom'
  /** Style of the loading indicator while the page is pulled down. Default: dark. */
  backgroundTextStyle?: 'dark' | 'light'
  /** Enables pull-to-refresh. `app-plus.pullToRefresh.support` overrides it. Default: false. */
  enablePullDownRefresh?: boolean
  /** Distance from the bottom, in px, at which the page counts as scrolled to the end. Default: 50. */
  onReachBottomDistance?: number
  /** Disables the swipe-back gesture on iOS. Default: false. */
  disableSwipeBack?: boolean
  /** Image that replaces the title. */
  titleImage?: string
  /** Makes the bar transparent: `always`, `auto` (until the page is scrolled) or `none`. Default: none. */
  transparentTitle?: 'always' | 'auto' | 'none'
  /** Lets clicks pass through the bar. Default: NO. */
  titlePenetrate?: 'YES' | 'NO'
  /** Style for App and Mini App; on H5, its `titleNView` and `pullToRefresh` apply unless `h5` overrides them. */
  'app-plus'?: AppPlus
  /** Style for H5; overrides `app-plus` key by key. */
  h5?: H5
  /** Shows the left window, if the file defines one. Default: true. */
  leftWindow?: boolean
  /** Shows the top window, if the file defines one. Default: true. */
  topWindow?: boolean
  /** Shows the right window, if the file defines one. Default: true. */
  rightWindow?: boolean
  /** Maximum width of the left window, page and right window together, in px; may differ between pages. */
  maxWidth?: number
  /** Background of the window. */
  backgroundColor?: string
  /** Components for every page: tag names to paths. */
  usingComponents?: { [name: string]: string }
  /** Allowed screen orientations. Default: portrait. */
  pageOrientation?: 'auto' | 'portrait' | 'landscape'
  /** Animation of opening windows. Default: pop-in. */
  animationType?: string
  /** Duration of the animation, in ms. Default: 300. */
  animationDuration?: number
  /** Maximum device width, in px, at which rpx follow the real width. Default: 960. */
  rpxCalcMaxDeviceWidth?: number
  /** Width, in px, that rpx are based on for wider devices. Default: 375. */
  rpxCalcBaseDeviceWidth?: number
  /** Number of rpx that always follow the real width. Default: 750. */
  rpxCalcIncludeWidth?: number
}

/** `app-plus` (pages-json §2.5). */
export type AppPlus = {
  /** Background of the window before the CSS of the page is loaded. Default: #FFFFFF. */
  background?: string
  /** Navigation bar; `false` removes it. */
  titleNView?: TitleNView | false
  /** Native sub-windows of the page: an array, or a single one. */
  subNVues?: SubNVue[] | SubNVue
  /** Behavior when the soft keyboard opens: `adjustResize` shrinks the page, `adjustPan` moves it. Default: adjustPan. */
  softinputMode?: 'adjustResize' | 'adjustPan'
  /** Pull-to-refresh. */
  pullToRefresh?: PullToRefresh
  /** `none` hides the scroll bar. */
  scrollIndicator?: 'none'
  /** Animation of the opening window. Default: pop-in. */
  animationType?: string
  /** Duration of the animation, in ms. Default: 300. */
  animationDuration?: number
  /** `none` disables the bounce at the ends of the page. */
  bounce?: string
}

/** `app-plus.titleNView` (pages-json §2.6). */
export type TitleNView = {
  /** `transparent`: shows only the buttons until the page is scrolled; `float`: places the bar over the page. Default: default. */
  type?: 'default' | 'transparent' | 'float'
  /** Background of the bar; rgba() for a translucent bar. Default: #F7F7F7. */
  backgroundColor?: string
  /** Custom buttons in the bar. */
  buttons?: Button[]
  /** Color of the title. Default: #000000. */
  titleColor?: string
  /** Truncation of a long title. Default: ellipsis. */
  titleOverflow?: 'clip' | 'ellipsis'
  /** Title. */
  titleText?: string
  /** Size of the title. */
  titleSize?: string
  /** Search box in the bar; its width depends on the elements next to it. */
  searchInput?: SearchInput
  /** Shows the Home button. Default: false. */
  homeButton?: boolean
  /** Shows the back button on the left. Default: true. */
  autoBackButton?: boolean
  /** Style of the back button. */
  backButton?: BackButton
  /** Project image, stretched to the size of the bar, or `linear-gradient(<direction>, <color>, <color>)`. */
  backgroundImage?: string
  /** Repetition of an image in `backgroundImage`; gradients are not repeated. Default: no-repeat. */
  backgroundRepeat?: 'repeat' | 'repeat-x' | 'repeat-y' | 'no-repeat'
  /** Alignment of the title; `auto` is left on Android and center on iOS. Default: auto. */
  titleAlign?: 'center' | 'left' | 'auto'
  /** Blur effect behind the bar; a background color may hide it. Default: none. */
  blurEffect?: 'dark' | 'extralight' | 'light' | 'none'
  /** Scroll distance at which the background is fully visible. Default: 132px. */
  coverage?: string
  /** Line below the bar; `null` hides it. Default: false. */
  splitLine?: boolean | SplitLine | null
  /** Color of the subtitle. Default: same as title color. */
  subtitleColor?: string
  /** Size of the subtitle; `auto` is 12px. Default: auto. */
  subtitleSize?: string
  /** Truncation of a long subtitle. Default: ellipsis. */
  subtitleOverflow?: 'clip' | 'ellipsis'
  /** Subtitle on a second line; aligns both lines to the left. */
  subtitleText?: string
  /** Icon before the title, 34px by 34px; aligns the title to the left. */
  titleIcon?: string
  /** Corner radius of the icon. Default: no rounded corner. */
  titleIconRadius?: string
}

/** `titleNView.buttons[]` (pages-json §2.6.1). */
export type Button = {
  /** Built-in button; `none` shows `text` in the font of `fontSrc`. Default: none. */
  type?: 'forward' | 'back' | 'share' | 'favorite' | 'home' | 'menu' | 'close' | 'none'
  /** Color of the text. Default: same as title text. */
  color?: string
  /** Background. Default: gray translucent. */
  background?: string
  /** Color of the text while pressed. Default: `color` at 0.3 transparency. */
  colorPressed?: string
  /** Side of the bar. Default: right. */
  float?: 'left' | 'right'
  /** Weight of the text. Default: normal. */
  fontWeight?: 'normal' | 'bold'
  /** Size of the text. */
  fontSize?: string
  /** Font file of the project. */
  fontSrc?: string
  /** Shows a down arrow after the text. Default: false. */
  select?: 'true' | 'false' | boolean
  /** Text, or a font icon as `\u` and its code. */
  text?: string
  /** Width in px; `auto` fits the content. Default: 44px. */
  width?: string
}

/** `titleNView.backButton` (pages-json §2.6.2). */
export type BackButton = {
  /** Background; translucent gray by default. Default: none. */
  background?: string
  /** Badge text; more than 3 characters are truncated to `...`. */
  badgeText?: string
  /** Color of the icon and its title. Default: title text color. */
  color?: string
  /** Color while pressed. Default: `color` at 0.3 transparency. */
  colorPressed?: string
  /** Weight of the icon. Default: normal. */
  fontWeight?: 'normal' | 'bold'
  /** Size of the icon: 22px in a `transparent` bar, 27px in a `default` one. Default: "27px". */
  fontSize?: string
  /** Shows a red dot, unless `badgeText` is set. Default: false. */
  redDot?: boolean
  /** Text after the icon. Default: empty. */
  title?: string
  /** Weight of the text. Default: normal. */
  titleWeight?: 'normal' | 'bold'
}

/** `titleNView.searchInput` (pages-json §2.6.3). */
export type SearchInput = {
  /** Focuses the box when the page opens. Default: false. */
  autoFocus?: boolean
  /** Alignment of the text while the box is not focused. Default: center. */
  align?: 'left' | 'right' | 'center'
  /** Background. Default: rgba(255,255,255,0.5). */
  backgroundColor?: string
  /** Corner radius. Default: 0px. */
  borderRadius?: string
  /** Placeholder text. */
  placeholder?: string
  /** Color of the placeholder. Default: #CCCCCC. */
  placeholderColor?: string
  /** Disables typing: the box only reports clicks. Default: false. */
  disabled?: boolean
}

/** `titleNView.splitLine` (pages-json §2.6.4). */
export type SplitLine = {
  /** Color of the line. Default: #CCCCCC. */
  color?: string
  /** Thickness in px, with optional decimals, or as a percentage of the height of the bar. Default: 1px. */
  height?: string
}

/** `tabBar` (pages-json §2.7). */
export type TabBar = {
  /** Text color. */
  color: string
  /** Text color of the selected tab. */
  selectedColor: string
  /** Background of the bar. */
  backgroundColor: string
  /** Color of the line above the bar: `black`, `white` or, on App and H5, any color. Default: black. */
  borderStyle?: string
  /** Blur behind the bar, on iOS. Default: none. */
  blurEffect?: 'dark' | 'extralight' | 'light' | 'none'
  /** Tabs: 2 to 5. */
  list: Tab[]
  /** Text size. Default: 10px. */
  fontSize?: string
  /** Width of the icons; the height is proportional. Default: 24px. */
  iconWidth?: string
  /** Gap between icon and text. Default: 3px. */
  spacing?: string
  /** Height of the bar. Default: 50px. */
  height?: string
  /** Button in the middle; requires an even number of tabs. */
  midButton?: MidButton
}

/** `tabBar.list[]` (pages-json §2.7). */
export type Tab = {
  /** Path of the page, as in `pages`. */
  pagePath: string
  /** Text of the tab; optional on App and H5. */
  text?: string
  /** Project image of at most 40 KB, ideally 81px by 81px. */
  iconPath?: string
  /** Image while the tab is selected; same limits. */
  selectedIconPath?: string
  /** Shows the tab. Default: true. */
  visible?: boolean
  /** Font icon; overrides `iconPath`. */
  iconfont?: Iconfont
}

/** `iconfont` (pages-json §2.7). */
export type Iconfont = {
  /** Icon, as `\u` and its code. */
  text?: string
  /** Icon while the tab is selected. */
  selectedText?: string
  /** Size of the icon. */
  fontSize?: string
  /** Color of the icon. */
  color?: string
  /** Color of the icon while the tab is selected. */
  selectedColor?: string
}

/** `tabBar.midButton` (pages-json §2.7). */
export type MidButton = {
  /** Width; the tabs share the remaining space. Default: 80px. */
  width?: string
  /** Height; the button may be higher than the bar. Default: 50px. */
  height?: string
  /** Text. */
  text?: string
  /** Project image. */
  iconPath?: string
  /** Width of the image; the height is proportional. Default: 24px. */
  iconWidth?: string
  /** Image behind the button. */
  backgroundImage?: string
  /** Font icon; overrides `iconPath`. */
  iconfont?: Iconfont
}

/** `app-plus.subNVues[]` (pages-json §2.8). */
export type SubNVue = {
  /** Id of the sub-window for `neu.getSubNVueById`; unique in the project. */
  id?: string
  /** Path of an nvue file in the folder of the page. */
  path?: string
  /** `popup`: layer over the page; `navigationBar`: replaces the bar. */
  type?: 'popup' | 'navigationBar'
  /** Position and style of the sub-window. */
  style?: SubNVueStyle
}

/** `subNVues[].style` (pages-json §2.8). */
export type SubNVueStyle = {
  /** `static` scrolls with the page, `absolute` does not, `dock` attaches to an edge. Default: absolute. */
  position?: 'static' | 'absolute' | 'dock'
  /** Edge that the sub-window is docked to. Default: bottom. */
  dock?: 'top' | 'bottom' | 'right' | 'left'
  /** Color of the overlay on the rest of the page. Default: rgba(0,0,0,0.5). */
  mask?: string
  /** Width; if not set, it may be determined by `left` and `right`. Default: 100%. */
  width?: string
  /** Height; if not set, it is determined by `top` and `bottom`. Default: 100%. */
  height?: string
  /** Distance from the top. Default: 0px. */
  top?: string
  /** Distance from the bottom; ignored if `top` and `height` are set. Default: null. */
  bottom?: string | null
  /** Distance from the left. Default: 0px. */
  left?: string
  /** Distance from the right; ignored if `left` and `width` are set. Default: null. */
  right?: string | null
  /** `auto` centers the sub-window in each direction in which no side is set. */
  margin?: string
  /** Stacking order; higher values are in front. */
  zindex?: number
  /** Background; `transparent` from Android 4.0 on, for rounded corners. Default: #FFFFFF. */
  background?: string
}

/** `app-plus.pullToRefresh` (pages-json §2.9). */
export type PullToRefresh = {
  /** Enables pull-to-refresh; overrides `enablePullDownRefresh`. Default: false. */
  support?: boolean
  /** Color of the indicator. Default: #2BD009. */
  color?: string
  /** `default`: the content follows the finger; `circle`: only the indicator does. Default: circle on Android, default on iOS. */
  style?: 'default' | 'circle'
  /** Height of the pulled-down area during the refresh. */
  height?: string
  /** Maximum pull distance. */
  range?: string
  /** Initial offset of the indicator; with a custom title bar, its height. Default: 0px. */
  offset?: string
  /** Shown while the page is pulled down. */
  contentdown?: Caption
  /** Shown when releasing starts a refresh. */
  contentover?: Caption
  /** Shown during the refresh. */
  contentrefresh?: Caption
}

/** `contentdown`, `contentover`, `contentrefresh` (pages-json §2.9). */
export type Caption = {
  /** Text. */
  caption?: string
}

/** `h5` (pages-json §2.10). */
export type H5 = {
  /** Navigation bar on H5; `false` removes it. */
  titleNView?: H5TitleNView | false
  /** Pull-to-refresh on H5; always in the `circle` style. */
  pullToRefresh?: H5PullToRefresh
}

/** `h5.pullToRefresh` (pages-json §2.10). */
export type H5PullToRefresh = {
  /** Always `circle` on H5. Default: circle. */
  style?: 'circle'
  /** Color of the indicator. Default: #2BD009. */
  color?: string
  /** Initial offset of the indicator. Default: 0px. */
  offset?: string
}

/** `h5.titleNView` (pages-json §2.11). */
export type H5TitleNView = {
  /** Background of the bar. Default: #F7F7F7. */
  backgroundColor?: string
  /** Custom buttons in the bar. */
  buttons?: H5Button[]
  /** Color of the title. Default: #000000. */
  titleColor?: string
  /** Title. */
  titleText?: string
  /** Size of the title. */
  titleSize?: string
  /** `transparent`: shows only the buttons until the page is scrolled. Default: default. */
  type?: 'default' | 'transparent'
  /** Search box in the bar; its width depends on the elements next to it. */
  searchInput?: SearchInput
}

/** `h5.titleNView.buttons[]` (pages-json §2.11). */
export type H5Button = {
  /** Badge text; more than 3 characters are truncated to `...`. */
  badgeText?: string
  /** Built-in button; `none` shows `text` in the font of `fontSrc`. Default: none. */
  type?: 'forward' | 'back' | 'share' | 'favorite' | 'home' | 'menu' | 'close' | 'none'
  /** Color of the text. Default: same as title text. */
  color?: string
  /** Background. Default: gray translucent. */
  background?: string
  /** Side of the bar. Default: right. */
  float?: 'left' | 'right'
  /** Weight of the text. Default: normal. */
  fontWeight?: 'normal' | 'bold'
  /** Size of the text. */
  fontSize?: string
  /** Font file of the project. */
  fontSrc?: string
  /** Shows a down arrow after the text. Default: false. */
  select?: 'true' | 'false' | boolean
  /** Text, or a font icon as `\u` and its code. */
  text?: string
  /** Width in px; `auto` fits the content. Default: 44px. */
  width?: string
}

/** `navigationBarShadow` (pages-json §2.12). */
export type Shadow = {
  /** Color of the shadow. */
  colorType?: 'grey' | 'blue' | 'green' | 'orange' | 'red' | 'yellow'
}

/** `leftWindow`, `rightWindow` (pages-json §2.13). */
export type SideWindow = {
  /** Path of the page file of the window. */
  path?: string
  /** Style of a page, and the `width` of the window in px. */
  style?: SideWindowStyle
  /** Screen width at which the window is shown. */
  matchMedia?: MatchMedia
}

/** `topWindow` (pages-json §2.13). */
export type TopWindow = {
  /** Style of a page, and the `height` of the window in px. */
  style?: TopWindowStyle
  /** Path of the page file of the window. */
  path?: string
  /** Screen width at which the window is shown. */
  matchMedia?: MatchMedia
}

/** `leftWindow.style`, `rightWindow.style` (pages-json §2.13). */
export type SideWindowStyle = {
  /** Width of the window. */
  width?: string
  /** Background of the navigation bar. Default: #000000. */
  navigationBarBackgroundColor?: string
  /** Color of the title and of the contents of the status bar. Default: white. */
  navigationBarTextStyle?: 'black' | 'white'
  /** Title in the navigation bar. */
  navigationBarTitleText?: string
  /** Shadow under the navigation bar. */
  navigationBarShadow?: Shadow
  /** `custom` removes the native navigation bar. Default: default. */
  navigationStyle?: 'default' | 'custom'
  /** Style of the loading indicator while the page is pulled down. Default: dark. */
  backgroundTextStyle?: 'dark' | 'light'
  /** Enables pull-to-refresh. `app-plus.pullToRefresh.support` overrides it. Default: false. */
  enablePullDownRefresh?: boolean
  /** Distance from the bottom, in px, at which the page counts as scrolled to the end. Default: 50. */
  onReachBottomDistance?: number
  /** Disables the swipe-back gesture on iOS. Default: false. */
  disableSwipeBack?: boolean
  /** Image that replaces the title. */
  titleImage?: string
  /** Makes the bar transparent: `always`, `auto` (until the page is scrolled) or `none`. Default: none. */
  transparentTitle?: 'always' | 'auto' | 'none'
  /** Lets clicks pass through the bar. Default: NO. */
  titlePenetrate?: 'YES' | 'NO'
  /** Style for App and Mini App; on H5, its `titleNView` and `pullToRefresh` apply unless `h5` overrides them. */
  'app-plus'?: AppPlus
  /** Style for H5; overrides `app-plus` key by key. */
  h5?: H5
  /** Shows the left window, if the file defines one. Default: true. */
  leftWindow?: boolean
  /** Shows the top window, if the file defines one. Default: true. */
  topWindow?: boolean
  /** Shows the right window, if the file defines one. Default: true. */
  rightWindow?: boolean
  /** Maximum width of the left window, page and right window together, in px; may differ between pages. */
  maxWidth?: number
  /** Background of the window. */
  backgroundColor?: string
  /** Components for every page: tag names to paths. */
  usingComponents?: { [name: string]: string }
  /** Allowed screen orientations. Default: portrait. */
  pageOrientation?: 'auto' | 'portrait' | 'landscape'
  /** Animation of opening windows. Default: pop-in. */
  animationType?: string
  /** Duration of the animation, in ms. Default: 300. */
  animationDuration?: number
  /** Maximum device width, in px, at which rpx follow the real width. Default: 960. */
  rpxCalcMaxDeviceWidth?: number
  /** Width, in px, that rpx are based on for wider devices. Default: 375. */
  rpxCalcBaseDeviceWidth?: number
  /** Number of rpx that always follow the real width. Default: 750. */
  rpxCalcIncludeWidth?: number
}

/** `topWindow.style` (pages-json §2.13). */
export type TopWindowStyle = {
  /** Height of the window. */
  height?: string
  /** Background of the navigation bar. Default: #000000. */
  navigationBarBackgroundColor?: string
  /** Color of the title and of the contents of the status bar. Default: white. */
  navigationBarTextStyle?: 'black' | 'white'
  /** Title in the navigation bar. */
  navigationBarTitleText?: string
  /** Shadow under the navigation bar. */
  navigationBarShadow?: Shadow
  /** `custom` removes the native navigation bar. Default: default. */
  navigationStyle?: 'default' | 'custom'
  /** Style of the loading indicator while the page is pulled down. Default: dark. */
  backgroundTextStyle?: 'dark' | 'light'
  /** Enables pull-to-refresh. `app-plus.pullToRefresh.support` overrides it. Default: false. */
  enablePullDownRefresh?: boolean
  /** Distance from the bottom, in px, at which the page counts as scrolled to the end. Default: 50. */
  onReachBottomDistance?: number
  /** Disables the swipe-back gesture on iOS. Default: false. */
  disableSwipeBack?: boolean
  /** Image that replaces the title. */
  titleImage?: string
  /** Makes the bar transparent: `always`, `auto` (until the page is scrolled) or `none`. Default: none. */
  transparentTitle?: 'always' | 'auto' | 'none'
  /** Lets clicks pass through the bar. Default: NO. */
  titlePenetrate?: 'YES' | 'NO'
  /** Style for App and Mini App; on H5, its `titleNView` and `pullToRefresh` apply unless `h5` overrides them. */
  'app-plus'?: AppPlus
  /** Style for H5; overrides `app-plus` key by key. */
  h5?: H5
  /** Shows the left window, if the file defines one. Default: true. */
  leftWindow?: boolean
  /** Shows the top window, if the file defines one. Default: true. */
  topWindow?: boolean
  /** Shows the right window, if the file defines one. Default: true. */
  rightWindow?: boolean
  /** Maximum width of the left window, page and right window together, in px; may differ between pages. */
  maxWidth?: number
  /** Background of the window. */
  backgroundColor?: string
  /** Components for every page: tag names to paths. */
  usingComponents?: { [name: string]: string }
  /** Allowed screen orientations. Default: portrait. */
  pageOrientation?: 'auto' | 'portrait' | 'landscape'
  /** Animation of opening windows. Default: pop-in. */
  animationType?: string
  /** Duration of the animation, in ms. Default: 300. */
  animationDuration?: number
  /** Maximum device width, in px, at which rpx follow the real width. Default: 960. */
  rpxCalcMaxDeviceWidth?: number
  /** Width, in px, that rpx are based on for wider devices. Default: 375. */
  rpxCalcBaseDeviceWidth?: number
  /** Number of rpx that always follow the real width. Default: 750. */
  rpxCalcIncludeWidth?: number
}

/** `matchMedia` (pages-json §2.13). */
export type MatchMedia = {
  /** Minimum width of the visible area, in px, at which the window is shown. Default: 768. */
  minWidth?: number
}

/** `easycom` (pages-json §2.14). */
export type Easycom = {
  /** Finds `components/<name>/<name>.vue` automatically. Default: true. */
  autoscan?: boolean
  /** Custom rules: regular expression for the tag to path of the `.vue` file, with `$1` for groups. */
  custom?: { [name: string]: string }
}

/** `condition` (pages-json §2.15). */
export type Condition = {
  /** Index of the active entry of `list`, from 0. */
  current: number
  /** Start modes. */
  list: StartMode[]
}

/** `condition.list[]` (pages-json §2.15). */
export type StartMode = {
  /** Name of the mode. */
  name: string
  /** Page to open. */
  path: string
  /** Parameters for `onLoad` of the page, as in `id=1&from=list`. */
  query?: string
}
