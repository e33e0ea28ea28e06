import type { Platform } from '../diagnostic.ts'
import type { Json, JsonObject } from '../parse/nodes.ts'
import { type Attribute, attributesOf } from './attributes.ts'
import { describeDefault } from './describe.ts'
import type { Shape, TableId, TextFormat } from './rule.ts'
import { tables } from './tables.ts'

/** Objects whose attributes style a page or its bars, in the order of the gallery. */
export const drawnTables = [
  'pageStyle',
  'globalStyle',
  'shadow',
  'appPlus',
  'titleNView',
  'button',
  'backButton',
  'searchInput',
  'splitLine',
  'tabBar',
  'tab',
  'iconfont',
  'midButton',
  'subNVue',
  'subNVueStyle',
  'pullToRefresh',
  'caption',
  'h5',
  'h5TitleNView',
  'h5Button',
  'h5PullToRefresh',
] as const satisfies readonly TableId[]

type DrawnTable = (typeof drawnTables)[number]

/** A complete pages.json that shows one attribute, the same without the attribute, and the platform to draw it for. */
export type Example = { readonly text: string; readonly without: string; readonly platform: Platform }

/** Returns the example of an attribute. */
export function exampleOf({ table, name }: { table: DrawnTable; name: string }): Example {
  const attribute = attributesOf(table).get(name)!
  const works = platformsIn(attribute)
  const platform = works.includes('Mini App') ? 'Mini App' : works[0]!
  const { own, parent } = conditionsOf(attribute)
  const object = { ...siblings[table], ...companions[`${table}.${name}`], ...own, [name]: exampleValue(attribute) }
  if (object.type !== undefined && object.type !== 'none' && table === 'button') delete object.text
  const { [name]: _, ...without } = object
  return {
    text: JSON.stringify(documentOf(table, object, parent), null, 2),
    without: JSON.stringify(documentOf(table, without, parent)),
    platform,
  }
}

/** Returns the platforms of an attribute: its own ones, or else those of the objects that contain it. */
export function platformsIn({ row, platforms, table }: Attribute): readonly Platform[] {
  if (row.worksOn ?? row.platform) return platforms
  const containers = drawnTables.flatMap((other) =>
    tables[other].rows
      .map(({ attribute }) => attributesOf(other).get(attribute)!)
      .filter(({ shapes }) => shapes.some((shape) => contains(shape, table))),
  )
  if (containers.length === 0) return platforms
  const around = new Set(containers.flatMap(platformsIn))
  return platforms.filter((platform) => around.has(platform))
}

const contains = (shape: Shape, table: TableId): boolean =>
  shape.is === 'list' ? contains(shape.of, table) : shape.is === 'object' && shape.of === table

/** Returns the values that other attributes need for this one to apply. */
function conditionsOf({ row: { onlyIf } }: Attribute): { own: JsonObject; parent: JsonObject } {
  if (!onlyIf || onlyIf.values.includes(onlyIf.unset ?? null)) return { own: {}, parent: {} }
  const condition = { [onlyIf.key]: onlyIf.values[0]! }
  return onlyIf.of === 'self' ? { own: condition, parent: {} } : { own: {}, parent: condition }
}

const path = 'pages/index/index'
const tabs = [
  { pagePath: path, text: 'Home' },
  { pagePath: 'pages/orders/orders', text: 'Orders' },
]
const tabBarColors = { color: '#5C554B', selectedColor: '#0B6B63', backgroundColor: '#FFFFFF' }
const subWindow = { id: 'panel', path: 'pages/index/panel' }

/** Attributes that make the example of another one of the same object visible. */
const siblings: { readonly [table in DrawnTable]?: JsonObject } = {
  globalStyle: { navigationBarTitleText: 'Home' },
  pageStyle: { navigationBarTitleText: 'Home' },
  titleNView: { titleText: 'Home' },
  button: { text: 'Save' },
  searchInput: { placeholder: 'Search' },
  tabBar: { ...tabBarColors, list: tabs },
  tab: tabs[1]!,
  iconfont: { text: '☆', selectedText: '★' },
  midButton: { text: 'New' },
  subNVue: { ...subWindow, style: { height: '120px', background: '#DCEFEC' } },
  subNVueStyle: { background: '#DCEFEC' },
  pullToRefresh: { support: true },
  h5TitleNView: { titleText: 'Home' },
  h5Button: { text: 'Save' },
}

const longText = 'A title that is longer than the width of the bar'
/** Dark text, which the default background does not suit. */
const darkText = { navigationBarTextStyle: 'black', navigationBarBackgroundColor: '#F7F7F7' }
const withSubtitle = { subtitleText: 'Yesterday' }
const tabsWithIcons = { list: tabs.map((tab) => ({ ...tab, iconPath: 'static/tab.png' })) }

/** Attributes that the example of a single attribute needs besides those of `siblings`. */
const companions: { readonly [attribute: string]: JsonObject } = {
  'globalStyle.navigationBarTextStyle': darkText,
  'midButton.iconWidth': { iconPath: 'static/logo.png' },
  'pageStyle.backgroundTextStyle': { enablePullDownRefresh: true },
  'pageStyle.navigationBarTextStyle': darkText,
  'searchInput.borderRadius': { backgroundColor: '#DCEFEC' },
  'tabBar.iconWidth': tabsWithIcons,
  'tabBar.spacing': tabsWithIcons,
  'titleNView.backgroundRepeat': { backgroundImage: 'static/bar.png' },
  'titleNView.subtitleColor': withSubtitle,
  'titleNView.subtitleOverflow': { subtitleText: `${longText}, even in small letters` },
  'titleNView.subtitleSize': withSubtitle,
  'titleNView.titleIconRadius': { titleIcon: 'static/logo.png' },
  'titleNView.titleOverflow': { titleText: longText },
}

/** Returns the pages.json that contains an object of a table; `parent` is added to the object around it. */
function documentOf(table: DrawnTable, object: JsonObject, parent: JsonObject): JsonObject {
  const bar = (key: string, value: Json) =>
    withStyle({ ...darkText, 'app-plus': { titleNView: { ...siblings.titleNView, ...parent, [key]: value } } })
  switch (table) {
    case 'globalStyle':
      return { globalStyle: object, pages: [{ path }] }
    case 'pageStyle':
      return withStyle(object)
    case 'shadow':
      return withStyle({ ...siblings.pageStyle, navigationBarShadow: object })
    case 'appPlus':
    case 'h5':
      return withStyle({ ...siblings.pageStyle, [table === 'h5' ? 'h5' : 'app-plus']: object })
    case 'titleNView':
      return isOfBackButton(object)
        ? onSecondPage({ titleNView: object })
        : withStyle({ ...darkText, 'app-plus': { titleNView: object } })
    case 'button':
      return bar('buttons', [object])
    case 'backButton':
      return onSecondPage({ titleNView: { titleText: 'Order', ...parent, backButton: object } })
    case 'searchInput':
    case 'splitLine':
      return bar(table, object)
    case 'tabBar':
      return withTabBar(object)
    case 'tab':
      return withTabBar({ ...tabBarColors, list: [tabs[0]!, object] })
    case 'iconfont':
      // The second tab is selected.
      return withTabBar({ ...tabBarColors, list: tabs.map((tab) => ({ ...tab, iconfont: object })) })
    case 'midButton':
      return withTabBar({ ...tabBarColors, list: tabs, midButton: object })
    case 'subNVue':
      return withStyle({ ...siblings.pageStyle, 'app-plus': { subNVues: [object] } })
    case 'subNVueStyle':
      return withStyle({
        ...siblings.pageStyle,
        'app-plus': { subNVues: [{ ...subWindow, ...parent, style: object }] },
      })
    case 'pullToRefresh':
      return withStyle({ ...siblings.pageStyle, 'app-plus': { pullToRefresh: object } })
    case 'caption':
      return withStyle({
        ...siblings.pageStyle,
        'app-plus': { pullToRefresh: { support: true, style: 'default', contentrefresh: object } },
      })
    case 'h5TitleNView':
      return withStyle({ ...darkText, h5: { titleNView: object } })
    case 'h5Button':
      return withStyle({ h5: { titleNView: { ...siblings.h5TitleNView, buttons: [object] } } })
    case 'h5PullToRefresh':
      return withStyle({ ...siblings.pageStyle, enablePullDownRefresh: true, h5: { pullToRefresh: object } })
  }
}

const withStyle = (style: JsonObject): JsonObject => ({ pages: [{ path, style }] })

const withTabBar = (tabBar: JsonObject): JsonObject => ({
  pages: tabs.map(({ pagePath, text }) => ({ path: pagePath, style: { navigationBarTitleText: text } })),
  tabBar,
})

/** Returns whether a bar describes a back button, which the launch page does not have. */
const isOfBackButton = (bar: JsonObject) => 'backButton' in bar || 'autoBackButton' in bar || 'homeButton' in bar
const onSecondPage = (appPlus: JsonObject): JsonObject => ({
  pages: [{ path }, { path: 'pages/order/order', style: { ...darkText, 'app-plus': appPlus } }],
})

/** Values that show more than those derived from the shape. */
const values: { readonly [attribute: string]: Json } = {
  backgroundColorBottom: '#DCEFEC',
  backgroundColorTop: '#DCEFEC',
  badgeText: '3',
  backgroundImage: 'linear-gradient(to right, #DCEFEC, #F2C14E)',
  'backButton.title': 'Back',
  'button.background': 'rgba(11,107,99,0.3)',
  'button.text': 'Save',
  'button.width': '88px',
  'caption.caption': 'Refreshing…',
  'globalStyle.backgroundColor': '#DCEFEC',
  'globalStyle.usingComponents': { 'order-card': '/components/order-card' },
  'appPlus.titleNView': { titleText: 'Orders' },
  'iconfont.color': '#7A1FA2',
  'iconfont.selectedColor': '#7A1FA2',
  'iconfont.selectedText': '★',
  'iconfont.text': '☆',
  'midButton.backgroundImage': 'static/circle.png',
  'midButton.height': '70px',
  'midButton.text': 'New',
  'midButton.width': '120px',
  navigationBarTitleText: 'Orders',
  'pageStyle.backgroundColor': '#DCEFEC',
  placeholder: 'Search orders',
  'pullToRefresh.height': '80px',
  'pullToRefresh.range': '120px',
  'splitLine.height': '4px',
  subtitleText: 'Yesterday',
  'subNVue.id': 'panel',
  'subNVue.path': 'pages/index/panel',
  'subNVueStyle.background': '#DCEFEC',
  'subNVueStyle.height': '120px',
  'subNVueStyle.width': '60%',
  'subNVueStyle.zindex': 10,
  'tab.pagePath': 'pages/orders/orders',
  'tab.text': 'Orders',
  'tabBar.backgroundColor': '#DCEFEC',
  'tabBar.height': '70px',
  'tabBar.list': tabs,
  'titleNView.backgroundColor': '#DCEFEC',
  'titleNView.backButton': { title: 'Back' },
  titleText: 'Orders',
}

const formats: { readonly [format in TextFormat]: string } = {
  hexColor: '#0B6B63',
  pageColor: '#DCEFEC',
  color: '#0B6B63',
  backdrop: '#DCEFEC',
  borderColor: '#0B6B63',
  length: '20px',
  px: '20px',
  pxOrAuto: '20px',
  pxOrPercent: '20px',
  pxOffset: '20px',
  pxOrFunction: '20px',
  gradientOrImage: 'static/bar.png',
  image: 'static/logo.png',
  font: 'static/icons.ttf',
  tabIcon: 'static/tab.png',
  fontIcon: '★',
}

function exampleValue(attribute: Attribute): Json {
  const { table, name, shapes } = attribute
  return values[`${table}.${name}`] ?? values[name] ?? valueOfShape(shapes[0]!, attribute)
}

function valueOfShape(shape: Shape, attribute: Attribute): Json {
  switch (shape.is) {
    case 'text': {
      const other = shape.values?.find((value) => value !== describeDefault(attribute))
      return other ?? shape.values?.[0] ?? (shape.format ? formats[shape.format] : 'example')
    }
    case 'number':
      return typeof attribute.default === 'number' ? attribute.default * 2 : 1200
    case 'boolean':
      return attribute.default !== true
    case 'list':
      return [valueOfShape(shape.of, attribute)]
    case 'object':
      return objectOf(shape.of)
    case 'map':
      return {}
    case 'false':
      return false
    case 'null':
      return null
  }
}

/** Returns an object with what its own examples need, or else its first attribute. */
function objectOf(table: TableId): Json {
  const known = (siblings as { readonly [table: string]: JsonObject | undefined })[table]
  const [first] = attributesOf(table).values()
  return known ?? (first ? { [first.name]: exampleValue(first) } : {})
}
