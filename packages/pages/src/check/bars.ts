import type { Platform } from '../diagnostic.ts'
import { objectOf, type PageEntry } from '../model.ts'
import { itemsOf, type Node, type ObjectNode, propertyOf, textOf, valueAt } from '../parse/nodes.ts'
import { attributesOf } from '../rules/attributes.ts'
import { at, type Context, type PageCheck } from './context.ts'
import { checkBarFiles, checkFontIcon } from './images.ts'
import { contrast, readColor } from './textFormats.ts'

/** Returns the value of a key in the first object that has it. */
function firstValue(objects: readonly (ObjectNode | undefined)[], key: string): Node | undefined {
  for (const object of objects) {
    const value = valueAt(object, key)
    if (value !== undefined) return value
  }
  return undefined
}

/** Lists the `titleNView` values for a platform, nearest first: on H5 `h5` overrides `app-plus` (pages-json §2.10). */
function barsOf(styles: readonly (ObjectNode | undefined)[], platform: Platform): Node[] {
  const bars: Node[] = []
  for (const style of styles) {
    const web = platform === 'H5' ? valueAt(objectOf(style, 'h5'), 'titleNView') : undefined
    const plus = valueAt(objectOf(style, 'app-plus'), 'titleNView')
    if (web) bars.push(web)
    if (plus) bars.push(plus)
  }
  return bars
}

const isOff = (node: Node | undefined) => node?.kind === 'boolean' && !node.value

/** Returns the styles that apply, nearest first. */
const stylesOf = ({ model }: Context, style: ObjectNode | undefined, page: PageEntry | undefined) =>
  page ? [style, model.globalStyle] : [style]

const isCustom = (node: Node | undefined): node is Node => node?.kind === 'string' && node.value === 'custom'

/** Reports a `titleNView` without effect, because `navigationStyle: custom` removes the bar (pages-json §2.4). */
export const checkHiddenBar: PageCheck = (context) => (style, page) => {
  if (!propertyOf(style, 'app-plus') && !propertyOf(style, 'h5')) return
  const how = firstValue(stylesOf(context, style, page), 'navigationStyle')
  if (!isCustom(how)) return
  // Pages may restore the bar, and then `titleNView` of globalStyle applies to them.
  if (!page && context.model.pages.some(({ style }) => !isCustom(valueAt(style, 'navigationStyle') ?? how))) return
  for (const key of ['app-plus', 'h5']) {
    const bar = propertyOf(objectOf(style, key), 'titleNView')
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

/** Keys that affect the colours of the title and its bar. Most pages set none of them. */
const colorKeys = new Set([
  'navigationStyle',
  'transparentTitle',
  'titleImage',
  'navigationBarTextStyle',
  'navigationBarBackgroundColor',
  'app-plus',
  'h5',
])

/** Reports a title with a contrast below 3:1, the minimum of WCAG for large text. */
export const checkContrast: PageCheck = (context) => {
  const ratios = new Map<string, number>()
  const seen = new Map<Node | undefined, Set<Node | undefined>>()
  let hasSeenPlain = false
  return (style, page) => {
    if (page && !style?.properties.some(({ key }) => colorKeys.has(key.value))) {
      if (hasSeenPlain) return
      hasSeenPlain = true
    }
    const styles = stylesOf(context, style, page)
    // Only `h5` makes a difference between platforms.
    const hasWeb = styles.some((each) => propertyOf(each, 'h5') !== undefined)
    for (const platform of hasWeb ? context.platforms : context.platforms.slice(0, 1)) {
      const colors = titleColors(styles, platform)
      if (colors === undefined) continue
      const pair = `${colors.titleName} ${colors.barName}`
      const ratio = ratios.get(pair) ?? contrastOf(colors)
      ratios.set(pair, ratio)
      if (ratio >= 3) continue
      // Report inherited colours once.
      const others = seen.get(colors.title) ?? new Set()
      seen.set(colors.title, others)
      if (others.has(colors.bar)) continue
      others.add(colors.bar)
      const affected = context.platforms.filter((each) => {
        const other = titleColors(styles, each)
        return other?.title === colors.title && other?.bar === colors.bar
      })
      reportContrast(context, colors, ratio, affected)
    }
  }
}

function reportContrast(
  { report }: Context,
  { title, bar, titleName, barName }: TitleColors,
  ratio: number,
  affected: readonly Platform[],
): void {
  const place = title ?? bar!
  const other = title === undefined ? undefined : bar
  const barColor = readColor(barName)!
  const better = contrast(readColor('black')!, barColor) > contrast(readColor('white')!, barColor) ? 'black' : 'white'
  report(
    {
      code: 'bar-contrast',
      ...at(place),
      message: `The title is hard to read: ${named(titleName, title)} on ${named(barName, bar)} has a contrast of ${ratio.toFixed(1)}, below the minimum of 3. Set "navigationBarTextStyle" to "${better}", or choose another background.`,
      ...(other && { related: [{ ...at(other), message: 'The colour of the bar is set here.' }] }),
    },
    affected,
  )
}

const named = (color: string, node: Node | undefined) => (node === undefined ? `${color} (the default)` : color)

/** Returns infinity for unknown and translucent colours, which cannot be judged. */
function contrastOf({ titleName, barName }: TitleColors): number {
  const [title, bar] = [readColor(titleName), readColor(barName)]
  return title === undefined || bar === undefined || title.alpha < 1 || bar.alpha < 1
    ? Number.POSITIVE_INFINITY
    : contrast(title, bar)
}

/** The colours of title and bar, with the nodes that set them; undefined for defaults. */
type TitleColors = {
  readonly title: Node | undefined
  readonly bar: Node | undefined
  readonly titleName: string
  readonly barName: string
}

/** Returns the colours of title and bar; undefined if there is no title, or the bar is transparent or has an image. */
function titleColors(styles: readonly (ObjectNode | undefined)[], platform: Platform): TitleColors | undefined {
  if (isCustom(firstValue(styles, 'navigationStyle'))) return undefined
  const transparent = firstValue(styles, 'transparentTitle')
  if (transparent?.kind === 'string' && transparent.value !== 'none') return undefined
  const image = firstValue(styles, 'titleImage')
  if (image?.kind === 'string' && image.value !== '') return undefined
  const objects: ObjectNode[] = []
  for (const bar of barsOf(styles, platform)) {
    if (isOff(bar)) {
      if (objects.length === 0) return undefined
      break
    }
    if (bar.kind === 'object') objects.push(bar)
  }
  const type = firstValue(objects, 'type')
  if (type?.kind === 'string' && type.value !== 'default') return undefined
  if (firstValue(objects, 'backgroundImage') !== undefined) return undefined

  const title = firstValue(objects, 'titleColor') ?? firstValue(styles, 'navigationBarTextStyle')
  const bar = firstValue(objects, 'backgroundColor') ?? firstValue(styles, 'navigationBarBackgroundColor')
  // globalStyle itself is checked only if it sets both, because pages have another default (pages-json §2.3, §2.4).
  if ((title === undefined && bar === undefined) || (styles.length === 1 && (title === undefined || bar === undefined)))
    return undefined
  const nameOf = (node: Node | undefined, defaultColor: string) =>
    node === undefined ? defaultColor : node.kind === 'string' ? node.value : ''
  return { title, bar, titleName: nameOf(title, 'white'), barName: nameOf(bar, defaultBar) }
}

const defaultBar = String(attributesOf('pageStyle').get('navigationBarBackgroundColor')!.default)

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
  for (const { key, value } of style?.properties ?? []) {
    if (key.value !== 'app-plus' && key.value !== 'h5') continue
    const bar = objectOf(value, 'titleNView')
    if (bar === undefined) continue
    if (key.value === 'app-plus') checkBackgroundRepeat(context, bar, page)
    checkBarFiles(context, bar, key.value)
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
  const inherited = page && objectOf(objectOf(model.globalStyle, 'app-plus'), 'titleNView')
  const image = firstValue([bar, inherited], 'backgroundImage')
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
    valueAt(objectOf(objectOf(style, 'app-plus'), 'pullToRefresh'), 'support')
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
