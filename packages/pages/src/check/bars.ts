import { contrast, readColor } from '../colors.ts'
import type { Os } from '../conditional/builds.ts'
import type { Platform } from '../diagnostic.ts'
import { objectOf, type PageEntry, platformObjects } from '../model.ts'
import {
  asObject,
  itemsOf,
  type Json,
  type Node,
  type ObjectNode,
  type Property,
  propertyOf,
  textOf,
  valueAt,
} from '../parse/nodes.ts'
import { hasTitleOnColor, navigationBarOf } from '../resolve/navigationBar.ts'
import { createContext, layersOf, resolveStyle } from '../resolve/resolve.ts'
import type { ResolveContext } from '../resolve/resolveObject.ts'
import { isAppPlusKey } from '../rules/honored.ts'
import { at, type Context, type PageCheck } from './context.ts'
import { checkBarFiles, checkFontIcon } from './images.ts'

/** Returns the value of a key in the first object that has it. */
function firstValue(objects: readonly (ObjectNode | undefined)[], key: string): Node | undefined {
  for (const object of objects) {
    const value = valueAt(object, key)
    if (value !== undefined) return value
  }
  return undefined
}

/** Returns the styles that apply, nearest first. */
const stylesOf = ({ model }: Context, style: ObjectNode | undefined, page: PageEntry | undefined) =>
  page ? [style, model.globalStyle] : [style]

/** Returns what resolves the styles of the checked variant on each of its platforms. */
const targetsOf = ({ config, model, platforms }: Context, os?: Os): ResolveContext[] =>
  platforms.map((platform) => createContext(config, { platform, ...(os && { os }) }, undefined, model))

const isCustom = (node: Node | undefined): node is Node => node?.kind === 'string' && node.value === 'custom'

/** Reports a `titleNView` without effect, because `navigationStyle: custom` removes the bar (pages-json §2.4). */
export const checkHiddenBar: PageCheck = (context) => (style, page) => {
  const objects = platformObjects(style, 'H5')
  if (objects.length === 0) return
  const how = firstValue(stylesOf(context, style, page), 'navigationStyle')
  if (!isCustom(how)) return
  // Pages may restore the bar, and then `titleNView` of globalStyle applies to them.
  if (!page && context.model.pages.some(({ style }) => !isCustom(valueAt(style, 'navigationStyle') ?? how))) return
  for (const { node } of objects) {
    const bar = propertyOf(node, 'titleNView')
    if (bar?.value.kind !== 'object' || bar.value.properties.length === 0) continue
    context.report({
      code: 'bar-hidden',
      ...at(bar.key),
      message:
        'There is no navigation bar, because "navigationStyle" is "custom" (pages-json §2.4): remove one of the two.',
      related: [{ ...at(how), message: '"navigationStyle" is set here.' }],
    })
  }
}

/** Keys that set how a bar looks, in a style and in its objects for platforms. */
const colorKeys = new Set([
  'navigationStyle',
  'transparentTitle',
  'titleImage',
  'navigationBarTextStyle',
  'navigationBarBackgroundColor',
  'titleNView',
])
const setsColor = ({ key }: Property) => colorKeys.has(key.value)

/** Returns whether a page sets colors of its bar. All other pages look alike. */
const setsColors = (style: ObjectNode | undefined): boolean =>
  style?.properties.some(setsColor) === true ||
  platformObjects(style, 'H5').some(({ node }) => node.properties.some(setsColor))

/** Reports a title with a contrast below 3:1, the minimum of WCAG for large text. */
export const checkContrast: PageCheck = (context) => {
  const ratios = new Map<string, number>()
  const seen = new Map<Node | undefined, Set<Node | undefined>>()
  const targets = targetsOf(context)
  let isPlainChecked = false
  return (style, page) => {
    const isPlain = page !== undefined && !setsColors(style)
    if (isPlain && isPlainChecked) return
    isPlainChecked ||= isPlain
    const looks = targets.map((target) => ({ platform: target.platform, colors: titleColors(target, style, page) }))
    for (const { colors } of looks) {
      if (colors === undefined) continue
      const pair = `${colors.titleName} ${colors.barName}`
      const ratio = ratios.get(pair) ?? contrastOf(colors)
      ratios.set(pair, ratio)
      if (ratio >= 3) continue
      // Report inherited colors once.
      const others = seen.get(colors.title) ?? new Set()
      seen.set(colors.title, others)
      if (others.has(colors.bar)) continue
      others.add(colors.bar)
      const affected = looks.filter((each) => each.colors?.title === colors.title && each.colors?.bar === colors.bar)
      reportContrast(
        context,
        colors,
        ratio,
        affected.map(({ platform }) => platform),
      )
    }
  }
}

function reportContrast(
  { report }: Context,
  { title, bar, titleName, barName, decides }: TitleColors,
  ratio: number,
  affected: readonly Platform[],
): void {
  const place = title ?? bar!
  const other = title === undefined ? undefined : bar
  const barColor = readColor(barName)!
  const isDark = contrast(readColor('black')!, barColor) < contrast(readColor('white')!, barColor)
  const better = decides === 'titleColor' ? (isDark ? '#FFFFFF' : '#000000') : isDark ? 'white' : 'black'
  // A ratio below the minimum must not look like the minimum.
  const shown = Math.min(2.9, ratio).toFixed(1)
  report(
    {
      code: 'bar-contrast',
      ...at(place),
      message: `The title is hard to read: ${named(titleName, title)} on ${named(barName, bar)} has a contrast of ${shown}, below the minimum of 3. Set "${decides}" to "${better}", or choose another background.`,
      ...(other && { related: [{ ...at(other), message: 'The color of the bar is set here.' }] }),
    },
    affected,
  )
}

const named = (color: string, node: Node | undefined) => (node === undefined ? `${color} (the default)` : color)

/** Returns infinity for unknown and translucent colors, whose contrast cannot be computed. */
function contrastOf({ titleName, barName }: TitleColors): number {
  const [title, bar] = [readColor(titleName), readColor(barName)]
  return title === undefined || bar === undefined || title.alpha < 1 || bar.alpha < 1
    ? Number.POSITIVE_INFINITY
    : contrast(title, bar)
}

/** The colors of title and bar, with the nodes that set them; undefined for defaults. */
type TitleColors = {
  readonly title: Node | undefined
  readonly bar: Node | undefined
  readonly titleName: string
  readonly barName: string
  /** The attribute that the color of the title is taken from. */
  readonly decides: 'titleColor' | 'navigationBarTextStyle'
}

/** Returns the colors of title and bar; undefined if there is no title, or the bar is transparent or has an image. */
function titleColors(
  target: ResolveContext,
  style: ObjectNode | undefined,
  page: PageEntry | undefined,
): TitleColors | undefined {
  const layers = layersOf(target, page && style)
  if (!hasTitleOnColor({ target, table: 'pageStyle', layers })) return undefined
  const { titleColor, backgroundColor } = navigationBarOf({ target, table: 'pageStyle', layers })
  const [title, background] = [titleColor.found?.value, backgroundColor.found?.value]
  // globalStyle itself is checked only if it sets both, because pages have another default (pages-json §2.3, §2.4).
  if (page ? title === undefined && background === undefined : title === undefined || background === undefined) {
    return undefined
  }
  // Invalid values and unknown names are reported themselves.
  if (layers.some(({ node }) => barColors.some((key) => isUnknownName(propertyOf(node, key)?.value)))) return undefined
  const { source } = titleColor
  if (title === undefined && layers.some(({ node }) => valueAt(node, 'navigationBarTextStyle'))) return undefined
  if (source !== undefined && title !== undefined && !isWord(title)) return undefined
  if (background !== undefined && isWord(background)) return undefined
  const nameOf = (node: Node | undefined, value: Json | undefined) =>
    node?.kind === 'string' ? node.value : String(value)
  const barName = nameOf(background, backgroundColor.value)
  return {
    title,
    bar: background,
    titleName: nameOf(title, titleColor.value),
    barName,
    decides: source ? 'navigationBarTextStyle' : 'titleColor',
  }
}

const barColors = ['navigationBarBackgroundColor', 'navigationBarTextStyle']

/** Returns whether a value is a name that is not defined: it counts as missing, but has a length. */
const isUnknownName = (node: Node | undefined): boolean => node?.kind === 'missing' && node.end > node.offset

/** Returns whether a value is a color that is only valid for the text of the bar. */
const isWord = (node: Node): boolean => node.kind === 'string' && (node.value === 'black' || node.value === 'white')

/** Reports titles that an image replaces (pages-json §2.3). */
export const checkTitleImage: PageCheck =
  ({ platforms, report }) =>
  (style, page) => {
    const image = textOf(style, 'titleImage')
    if (image === undefined || image.value === '') return
    if (page === undefined) {
      report({
        code: 'bar-title-image',
        ...at(image),
        message:
          'This image replaces the title of every page, including pages that set "navigationBarTitleText" (pages-json §2.3).',
      })
      return
    }
    const title = propertyOf(style, 'navigationBarTitleText')
    if (title === undefined) return
    report(
      {
        code: 'bar-title-image',
        ...at(title.key),
        message: 'This title is not shown on H5, because "titleImage" replaces it (pages-json §2.4).',
        related: [{ ...at(image), message: 'The image is set here.' }],
      },
      platforms.filter((platform) => platform === 'H5'),
    )
  }

/** Checks each `titleNView`. */
export const checkBars: PageCheck = (context) => (style, page) => {
  for (const { key, node } of platformObjects(style, 'H5')) {
    const bar = objectOf(node, 'titleNView')
    if (bar === undefined) continue
    if (isAppPlusKey(key)) checkBackgroundRepeat(context, bar, page)
    checkBarFiles(context, bar, isAppPlusKey(key) ? 'app-plus' : 'h5')
    checkBadge(context, valueAt(bar, 'backButton'))
    for (const button of itemsOf(bar, 'buttons')) {
      checkBadge(context, button)
      checkFontIcon(context, textOf(button, 'text'))
    }
  }
}

/** Checks a badge: text over three characters is truncated, and text hides the red dot (pages-json §2.6.2, §2.11). */
function checkBadge({ report }: Context, owner: Node | undefined): void {
  const badge = textOf(owner, 'badgeText')
  if (badge === undefined) return
  if ([...badge.value].length > 3) {
    report({
      code: 'badge-long',
      ...at(badge),
      message: 'A badge shows at most 3 characters: this one is truncated to "..." (pages-json §2.6.2).',
    })
  }
  const dot = propertyOf(owner, 'redDot')
  if (badge.value !== '' && dot?.value.kind === 'boolean' && dot.value.value) {
    report({
      code: 'key-no-effect',
      ...at(dot.key),
      message: 'The red dot is not shown, because "badgeText" is set (pages-json §2.6.2).',
      related: [{ ...at(badge), message: '"badgeText" is set here.' }],
    })
  }
}

/**
 * Reports a `backgroundRepeat` without an image in `backgroundImage` (pages-json §2.6). Pages may inherit the image,
 * and may set one where globalStyle has none.
 */
function checkBackgroundRepeat({ model, report }: Context, bar: ObjectNode, page: PageEntry | undefined): void {
  const repeat = propertyOf(bar, 'backgroundRepeat')
  if (repeat === undefined || (repeat.value.kind === 'string' && repeat.value.value === 'no-repeat')) return
  const inherited = page
    ? platformObjects(model.globalStyle, 'App').map(({ node }) => objectOf(node, 'titleNView'))
    : []
  const image = firstValue([bar, ...inherited], 'backgroundImage')
  if (image === undefined ? page === undefined : image.kind !== 'string' || isPath(image.value)) return
  report({
    code: 'key-no-effect',
    ...at(repeat.key),
    message:
      '"backgroundRepeat" has no effect: it only applies if "backgroundImage" is an image path (pages-json §2.6).',
  })
}

const isPath = (image: string) => image !== '' && !/gradient/i.test(image)

/** Reports an `enablePullDownRefresh` that `pullToRefresh.support` overrides with another value (pages-json §2.9). */
export const checkRefreshPrecedence: PageCheck = ({ model, report }) => {
  const supportOf = (style: ObjectNode | undefined) =>
    firstValue(
      platformObjects(style, 'App').map(({ node }) => objectOf(node, 'pullToRefresh')),
      'support',
    )
  const inherited = supportOf(model.globalStyle)
  return (style) => {
    const enabled = propertyOf(style, 'enablePullDownRefresh')
    if (enabled?.value.kind !== 'boolean') return
    const support = supportOf(style) ?? inherited
    if (support?.kind !== 'boolean' || support.value === enabled.value.value) return
    report({
      code: 'refresh-precedence',
      ...at(enabled.key),
      message: `"enablePullDownRefresh" has no effect: "pullToRefresh.support" is ${support.value} and overrides it (pages-json §2.9). Remove one of the two.`,
      related: [{ ...at(support), message: '"support" is set here.' }],
    })
  }
}

/** Reports a `backgroundTextStyle` if the page has an indicator of style `default` on no platform (pages-json §2.9). */
export const checkRefreshTextStyle: PageCheck = (context) => {
  // Only iOS has the style `default` if nothing is set.
  const targets = targetsOf(context, 'iOS')
  return (style, page) => {
    const property = propertyOf(style, 'backgroundTextStyle')
    // Writing the default does no harm.
    if (page === undefined || property?.value.kind !== 'string' || property.value.value === 'dark') return
    const reasons = targets.map((target) => reasonAgainstTextStyle(target, style))
    if (reasons.includes(undefined)) return
    const message = `"backgroundTextStyle" has no effect: ${reasons.at(-1)}.`
    context.report({ code: 'key-no-effect', ...at(property.key), message })
  }
}

function reasonAgainstTextStyle(target: ResolveContext, style: ObjectNode | undefined): string | undefined {
  const values = resolveStyle(target, { style })
  if (values.enablePullDownRefresh !== true) {
    return 'pulling down does not refresh this page, which needs "enablePullDownRefresh": true (pages-json §2.4)'
  }
  if (target.platform === 'H5') return 'on H5 the indicator is always a circle (pages-json §2.10)'
  const refresh = asObject(asObject(values['app-plus'])?.pullToRefresh)
  return refresh?.style === 'circle'
    ? 'the indicator is a circle, set by "pullToRefresh.style" (pages-json §2.9)'
    : undefined
}
