import type { TableId } from './rule.ts'

// Keys that are not in the document, but that the tool chains around it know: files ported from there are full of them, and their
// authors made no mistake. They are reported as information and have no effect, unless the note says otherwise. This list claims
// nothing about the document; the rule table does.

type Keys = Readonly<Record<string, string>>

const otherBuilds = 'Style for the builds of another platform.'
const windowKeys: Keys = {
  disableScroll: 'Keeps the page from scrolling.',
  backgroundColorTop: 'Colour above the page while it is pulled down.',
  backgroundColorBottom: 'Colour below the page.',
  backgroundColorContent: "Colour of the page's content.",
  renderingMode: 'How the page is rendered.',
  initialRenderingCache: 'Whether the first rendering is cached.',
  allowsBounceVertical: 'Whether the page springs back.',
  dynamicRpx: 'Whether rpx follow the window.',
  component: 'Marks the page as a component.',
  renderer: 'The rendering engine.',
  componentFramework: 'The component framework.',
  styleIsolation: 'How far styles reach.',
  restartStrategy: 'What a restart brings back.',
  singlePage: 'Look as a single page.',
  enableShareAppMessage: 'Whether the page can be shared.',
  enableShareTimeline: 'Whether the page can be shared.',
  navigationBarShadowColor: "Colour of the bar's shadow.",
  hideCapsuleButtons: "Hides the host's buttons.",
  dark: 'Colours in dark mode.',
  app: otherBuilds,
  web: otherBuilds,
  'app-harmony': otherBuilds,
  'app-android': otherBuilds,
  'app-ios': otherBuilds,
}

const inPageStyleOnly = 'The document gives it for pages; here it counts for every page that does not set it.'

const ecosystem: Partial<Record<TableId, Keys>> = {
  top: {
    uniIdRouter: 'Sign-in rules of uni-id.',
    preloadRule: 'Which packages are loaded ahead.',
    entryPagePath: 'The launch page; here it is the first one of `pages`.',
    subpackages: 'Another spelling of `subPackages`; it is read.',
    usingComponents: 'Components for every page.',
    workers: 'Folder of workers.',
    networkTimeout: 'Time limits of requests.',
    permission: 'Texts of permission requests.',
    plugins: 'Plugins of a host.',
    sitemapLocation: 'Where the site map is.',
    style: "Version of the host's components.",
    requiredBackgroundModes: 'What may run in the background.',
    requiredPrivateInfos: 'Private data that is asked for.',
    navigateToMiniProgramAppIdList: 'Mini programs that can be opened.',
    lazyCodeLoading: 'Whether code is loaded when needed.',
    darkmode: 'Dark mode.',
    themeLocation: 'Where the themes are.',
    resizable: 'Whether the window can be resized.',
    debug: 'Debug mode.',
    splashscreen: 'The splash screen.',
    groups: 'Groups of pages in an example app.',
    renderer: 'The rendering engine.',
    componentFramework: 'The component framework.',
    rendererOptions: 'Options of the rendering engine.',
    topWindowStyle: 'Style of the top window.',
    uniStatistics: 'Statistics.',
  },
  page: {
    name: 'Name of a route.',
    meta: 'Data of a route.',
    aliasPath: 'Another path of a route.',
    alias: 'Another path of a route.',
    needLogin: 'Whether the page needs a sign-in.',
    group: 'Group of pages in an example app.',
    auth: 'Whether the page needs a sign-in.',
    permission: 'Who may open the page.',
    param: 'Parameters of a route.',
    layout: 'Layout around the page.',
    type: 'Kind of page.',
    usingComponents: 'Components of the page; the document has them under `style`.',
  },
  subPackage: {
    independent: 'Whether the package runs on its own.',
    plugins: 'Plugins of a host.',
    entry: 'Script that the package starts with.',
  },
  globalStyle: {
    ...windowKeys,
    backgroundTextStyle: inPageStyleOnly,
    navigationBarShadow: inPageStyleOnly,
    disableSwipeBack: inPageStyleOnly,
  },
  pageStyle: windowKeys,
  appPlus: {
    popGesture: 'Swiping back.',
    softinputNavBar: 'The bar above the soft keyboard.',
    safearea: 'The safe area.',
    statusbar: 'The status bar.',
    backgroundColor: 'Background of the window.',
    backgroundColorTop: 'Colour above the page while it is pulled down.',
    backgroundColorBottom: 'Colour below the page.',
    backgroundTextStyle: 'Look of the loading sign.',
    render: 'When the window is rendered.',
    videoFullscreen: 'How videos fill the screen.',
    optimize: 'Optimisations of the engine.',
    nvueCompiler: 'How nvue pages are compiled.',
    nvueStyleCompiler: 'How styles of nvue pages are compiled.',
  },
  titleNView: {
    tags: 'Things drawn on the bar.',
    'padding-left': 'Space at the left.',
    'padding-right': 'Space at the right.',
    shadow: 'Shadow of the bar.',
    progress: 'Loading progress under the bar.',
  },
  button: {
    badgeText: 'Corner mark; on H5 it counts.',
    redDot: 'Red dot.',
    onclick: 'Script of the button.',
    fontColor: 'Colour of the text.',
  },
  h5Button: { redDot: 'Red dot.', onclick: 'Script of the button.' },
  searchInput: { color: 'Colour of the text.', fontSize: 'Size of the text.' },
  tabBar: {
    custom: "Whether the bar is a component of the app's own.",
    position: 'Edge of the bar.',
    iconfontSrc: 'Font of the icons.',
    selectedIndex: 'The tab that is open first.',
    backgroundImage: 'Image behind the bar.',
    backgroundRepeat: 'How that image is repeated.',
    redDotColor: 'Colour of red dots.',
  },
  tab: {
    'dark-iconPath': 'Image in dark mode.',
    'dark-selectedIconPath': 'Image in dark mode.',
    redDot: 'Red dot.',
    badge: 'Corner mark.',
  },
  midButton: { 'dark-iconPath': 'Image in dark mode.' },
  matchMedia: { maxWidth: 'Up to which width the window is shown.' },
  startMode: { launchMode: 'How the page is opened.' },
}

/** What the ecosystem means by a key that the document does not have in this place; undefined where it does not know it either. */
export function ecosystemNote(table: TableId, key: string): string | undefined {
  for (const list of [ecosystem[table], isStyle(table) ? windowKeys : undefined]) {
    if (list && Object.hasOwn(list, key)) return list[key]
  }
  return (isStyle(table) || table === 'page') && /^(?:mp|quickapp)(?:-|$)/.test(key) ? otherBuilds : undefined
}

function isStyle(table: TableId): boolean {
  return table === 'globalStyle' || table === 'pageStyle' || table === 'sideWindowStyle' || table === 'topWindowStyle'
}

/** All keys of the list with their notes, for the reference page and the tests. */
export function ecosystemKeys(): readonly { readonly table: TableId; readonly key: string; readonly note: string }[] {
  return Object.entries(ecosystem).flatMap(([table, keys]) =>
    Object.entries(keys).map(([key, note]) => ({ table: table as TableId, key, note })),
  )
}
