import type { TableId } from './rule.ts'

// Keys that are not part of pages-json, but that related tool chains support. Ported files contain many of them, and
// they are not mistakes: they are reported as information, and have no effect unless the note says otherwise.

type Keys = Readonly<Record<string, string>>

const otherBuilds = 'Style for another platform.'
const windowKeys: Keys = {
  disableScroll: 'Disables scrolling.',
  backgroundColorTop: 'Color above the page while it is pulled down.',
  backgroundColorBottom: 'Color below the page.',
  backgroundColorContent: "Color of the page's content.",
  renderingMode: 'Rendering mode of the page.',
  initialRenderingCache: 'Caches the initial rendering.',
  allowsBounceVertical: 'Enables overscroll bounce.',
  dynamicRpx: 'Makes rpx follow the window width.',
  component: 'Marks the page as a component.',
  componentPlaceholder: 'Components shown until others have loaded.',
  hideStatusBar: 'Hides the status bar.',
  renderer: 'Rendering engine.',
  componentFramework: 'Component framework.',
  styleIsolation: 'Style isolation.',
  restartStrategy: 'State that is restored after a restart.',
  singlePage: 'Appearance as a single page.',
  enableShareAppMessage: 'Enables sharing the page.',
  enableShareTimeline: 'Enables sharing the page.',
  navigationBarShadowColor: 'Color of the shadow of the bar.',
  hideCapsuleButtons: 'Hides the buttons of the host.',
  dark: 'Colors in dark mode.',
  'app-harmony': otherBuilds,
  'app-android': otherBuilds,
  'app-ios': otherBuilds,
}

const definedForPages = 'pages-json defines it for pages; here it applies to every page that does not set it.'

const ecosystem: Partial<Record<TableId, Keys>> = {
  top: {
    uniIdRouter: 'Sign-in rules of uni-id.',
    preloadRule: 'Packages to preload.',
    entryPagePath: 'Launch page; Souk uses the first one in `pages`.',
    usingComponents: 'Components for every page.',
    workers: 'Worker folder.',
    networkTimeout: 'Request timeouts.',
    permission: 'Descriptions of permission requests.',
    plugins: 'Host plugins.',
    sitemapLocation: 'Location of the site map.',
    style: 'Version of the host components.',
    requiredBackgroundModes: 'Background capabilities.',
    requiredPrivateInfos: 'Private data that the app requests.',
    navigateToMiniProgramAppIdList: 'Mini programs that the app may open.',
    lazyCodeLoading: 'Loads code on demand.',
    darkmode: 'Dark mode.',
    themeLocation: 'Location of the themes.',
    resizable: 'Makes the window resizable.',
    debug: 'Debug mode.',
    splashscreen: 'Splash screen.',
    groups: 'Groups of pages in an example app.',
    renderer: 'Rendering engine.',
    componentFramework: 'Component framework.',
    rendererOptions: 'Options of the rendering engine.',
    topWindowStyle: 'Style of the top window.',
    uniStatistics: 'Statistics.',
  },
  page: {
    name: 'Route name.',
    meta: 'Route data.',
    aliasPath: 'Alternative path of a route.',
    alias: 'Alternative path of a route.',
    needLogin: 'Requires a signed-in user.',
    group: 'Group of pages in an example app.',
    auth: 'Requires a signed-in user.',
    permission: 'Permission required to open the page.',
    param: 'Route parameters.',
    layout: 'Page layout.',
    type: 'Page type.',
    usingComponents: 'Components of the page; pages-json defines it under `style`.',
  },
  subPackage: {
    independent: 'Makes the package independent of the main package.',
    plugins: 'Host plugins.',
    entry: 'Entry script of the package.',
  },
  globalStyle: {
    ...windowKeys,
    backgroundTextStyle: definedForPages,
    navigationBarShadow: definedForPages,
    disableSwipeBack: definedForPages,
  },
  pageStyle: windowKeys,
  appPlus: {
    popGesture: 'Swipe-back gesture.',
    softinputNavBar: 'Bar above the soft keyboard.',
    safearea: 'Safe area.',
    statusbar: 'Status bar.',
    backgroundColor: 'Background of the window.',
    backgroundColorTop: 'Color above the page while it is pulled down.',
    backgroundColorBottom: 'Color below the page.',
    backgroundTextStyle: 'Style of the loading indicator.',
    render: 'Time at which the window is rendered.',
    videoFullscreen: 'Full-screen mode of videos.',
    optimize: 'Engine optimizations.',
    nvueCompiler: 'Compiler of nvue pages.',
    nvueStyleCompiler: 'Style compiler of nvue pages.',
  },
  titleNView: {
    tags: 'Elements drawn on the bar.',
    'padding-left': 'Left padding.',
    'padding-right': 'Right padding.',
    shadow: 'Shadow of the bar.',
    progress: 'Loading progress below the bar.',
  },
  button: {
    badgeText: 'Badge text; supported on H5.',
    redDot: 'Red dot.',
    onclick: 'Script of the button.',
    fontColor: 'Color of the text.',
  },
  h5Button: { redDot: 'Red dot.', onclick: 'Script of the button.' },
  searchInput: { color: 'Color of the text.', fontSize: 'Size of the text.' },
  tabBar: {
    custom: 'Replaces the bar with a component of the app.',
    position: 'Position of the bar.',
    iconfontSrc: 'Icon font.',
    selectedIndex: 'Initial tab.',
    backgroundImage: 'Image behind the bar.',
    backgroundRepeat: 'Repetition of the background image.',
    redDotColor: 'Color of red dots.',
  },
  tab: {
    'dark-iconPath': 'Image in dark mode.',
    'dark-selectedIconPath': 'Image in dark mode.',
    redDot: 'Red dot.',
    badge: 'Badge.',
  },
  midButton: { 'dark-iconPath': 'Image in dark mode.' },
  matchMedia: { maxWidth: 'Maximum width at which the window is shown.' },
  startMode: { launchMode: 'Launch mode.' },
}

/** Describes a key that other tools support in an object; undefined if it is not known. */
export function ecosystemNote(table: TableId, key: string): string | undefined {
  const isInStyle = isStyle(table) || table === 'appPlus' || table === 'h5'
  for (const list of [ecosystem[table], ...(isInStyle ? [windowKeys, ecosystem.appPlus] : [])]) {
    if (list && Object.hasOwn(list, key)) return list[key]
  }
  return (isStyle(table) || table === 'page') && /^(?:mp|quickapp)(?:-|$)/.test(key) ? otherBuilds : undefined
}

/** Returns the keys that other tools support in an object. */
export function ecosystemNames(table: TableId): ReadonlySet<string> {
  return new Set([...Object.keys(ecosystem[table] ?? {}), ...(isStyle(table) ? Object.keys(windowKeys) : [])])
}

function isStyle(table: TableId): boolean {
  return table === 'globalStyle' || table === 'pageStyle' || table === 'sideWindowStyle' || table === 'topWindowStyle'
}

/** Lists all keys with their notes, for the reference page and tests. */
export function ecosystemKeys(): readonly { readonly table: TableId; readonly key: string; readonly note: string }[] {
  return Object.entries(ecosystem).flatMap(([table, keys]) =>
    Object.entries(keys).map(([key, note]) => ({ table: table as TableId, key, note })),
  )
}
