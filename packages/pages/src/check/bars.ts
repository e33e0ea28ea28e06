import type { Platform } from '../diagnostic.ts'
import { objectOf, type PageEntry } from '../model.ts'
import { itemsOf, type Node, type ObjectNode, propertyOf, textOf, valueAt } from '../parse/nodes.ts'
import { attributesOf } from '../rules/attributes.ts'
import { at, type Context, type PageCheck } from './context.ts'
import { checkBarFiles, checkFontIcon } from './images.ts'
import { contrast, readColor } from './textFormats.ts'

/** The first that says something about `key`. */
function firstOf(objects: readonly (ObjectNode | undefined)[], key: string): Node | undefined {
  for (const object of objects) {
    const value = valueAt(object, key)
    if (value !== undefined) return value
  }
  return undefined
}

/** The `titleNView` values that a platform goes by, nearest first: on H5 those of `h5` come before those of `app-plus` (§2.10). */
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

/** A style and what stands behind it, nearest first. */
const chainOf = ({ model }: Context, style: ObjectNode | undefined, page: PageEntry | undefined) =>
  page ? [style, model.globalStyle] : [style]

const isCustom = (node: Node | undefined): node is Node => node?.kind === 'string' && node.value === 'custom'

/** §2.4: with `navigationStyle: custom` there is no native bar, so that what `titleNView` says of it has no effect. */
export const checkHiddenBar: PageCheck = (context) => (style, page) => {
  if (!propertyOf(style, 'app-plus') && !propertyOf(style, 'h5')) return
  const how = firstOf(chainOf(context, style, page), 'navigationStyle')
  if (!isCustom(how)) return
  // What globalStyle says of a bar is for the pages that take it back.
  if (!page && context.model.pages.some(({ style }) => !isCustom(valueAt(style, 'navigationStyle') ?? how))) return
  for (const key of ['app-plus', 'h5']) {
    const bar = propertyOf(objectOf(style, key), 'titleNView')
    if (bar?.value.kind !== 'object' || bar.value.properties.length === 0) continue
    context.report({
      code: 'bar-hidden',
      ...at(bar.key),
      message: 'There is no navigation bar here, because "navigationStyle" is "custom" (§2.4): remove one of the two.',
      related: [{ ...at(how), message: '"navigationStyle" is set here.' }],
    })
  }
}

/** What decides about the colours of a title and its bar. Most pages set none of it. */
const lookKeys = new Set([
  ...['navigationStyle', 'transparentTitle', 'titleImage', 'navigationBarTextStyle', 'navigationBarBackgroundColor'],
  ...['app-plus', 'h5'],
])

/** A title that can hardly be told from its bar: below a contrast of 3, the least that WCAG asks of large text. */
export const checkContrast: PageCheck = (context) => {
  const ratios = new Map<string, number>()
  const seen = new Map<Node | undefined, Set<Node | undefined>>()
  let hasSeenPlain = false
  return (style, page) => {
    if (page && !style?.properties.some(({ key }) => lookKeys.has(key.value))) {
      if (hasSeenPlain) return
      hasSeenPlain = true
    }
    const styles = chainOf(context, style, page)
    // What `h5` does not change is the same everywhere.
    const hasWeb = styles.some((each) => propertyOf(each, 'h5') !== undefined)
    for (const platform of hasWeb ? context.platforms : context.platforms.slice(0, 1)) {
      const pair = titlePair(styles, platform)
      if (pair === undefined) continue
      const colors = `${pair.titleName} ${pair.barName}`
      const ratio = ratios.get(colors) ?? contrastOf(pair)
      ratios.set(colors, ratio)
      if (ratio >= 3) continue
      // Pages that inherit both share one report.
      const others = seen.get(pair.title) ?? new Set()
      seen.set(pair.title, others)
      if (others.has(pair.bar)) continue
      others.add(pair.bar)
      const concerned = context.platforms.filter((each) => {
        const other = titlePair(styles, each)
        return other?.title === pair.title && other?.bar === pair.bar
      })
      reportContrast(context, pair, ratio, concerned)
    }
  }
}

function reportContrast(
  { report }: Context,
  { title, bar, titleName, barName }: Pair,
  ratio: number,
  concerned: readonly Platform[],
): void {
  const place = title ?? bar!
  const other = title === undefined ? undefined : bar
  const barColor = readColor(barName)!
  const better = contrast(readColor('black')!, barColor) > contrast(readColor('white')!, barColor) ? 'black' : 'white'
  report(
    {
      code: 'bar-contrast',
      ...at(place),
      message: `The title can hardly be read: ${named(titleName, title)} on ${named(barName, bar)} has a contrast of ${ratio.toFixed(1)}, and at least 3 is needed. Set "navigationBarTextStyle" to "${better}", or choose another background.`,
      ...(other && { related: [{ ...at(other), message: 'The bar gets its colour here.' }] }),
    },
    concerned,
  )
}

const named = (color: string, node: Node | undefined) => (node === undefined ? `${color} (the default)` : color)

/** What is not known, or lets something else shine through, is not judged. */
function contrastOf({ titleName, barName }: Pair): number {
  const [title, bar] = [readColor(titleName), readColor(barName)]
  return title === undefined || bar === undefined || title.alpha < 1 || bar.alpha < 1
    ? Number.POSITIVE_INFINITY
    : contrast(title, bar)
}

/** Where title and bar get their colours; undefined nodes stand for defaults. */
type Pair = {
  readonly title: Node | undefined
  readonly bar: Node | undefined
  readonly titleName: string
  readonly barName: string
}

/** The colours of title and bar with where they are set; undefined where no title shows, or one of them is not known or see-through. */
function titlePair(styles: readonly (ObjectNode | undefined)[], platform: Platform): Pair | undefined {
  const how = firstOf(styles, 'navigationStyle')
  if (how?.kind === 'string' && how.value === 'custom') return undefined
  const transparent = firstOf(styles, 'transparentTitle')
  if (transparent?.kind === 'string' && transparent.value !== 'none') return undefined
  const image = firstOf(styles, 'titleImage')
  if (image?.kind === 'string' && image.value !== '') return undefined
  const objects: ObjectNode[] = []
  for (const bar of barsOf(styles, platform)) {
    if (isOff(bar)) {
      if (objects.length === 0) return undefined
      break
    }
    if (bar.kind === 'object') objects.push(bar)
  }
  const type = firstOf(objects, 'type')
  if (type?.kind === 'string' && type.value !== 'default') return undefined
  if (firstOf(objects, 'backgroundImage') !== undefined) return undefined

  const title = firstOf(objects, 'titleColor') ?? firstOf(styles, 'navigationBarTextStyle')
  const bar = firstOf(objects, 'backgroundColor') ?? firstOf(styles, 'navigationBarBackgroundColor')
  // The globalStyle itself is judged only by what it says: pages have another default (§2.3, §2.4).
  if ((title === undefined && bar === undefined) || (styles.length === 1 && (title === undefined || bar === undefined)))
    return undefined
  const nameOf = (node: Node | undefined, usual: string) =>
    node === undefined ? usual : node.kind === 'string' ? node.value : ''
  return { title, bar, titleName: nameOf(title, 'white'), barName: nameOf(bar, defaultBar) }
}

const defaultBar = String(attributesOf('pageStyle').get('navigationBarBackgroundColor')!.default)

/** §2.3: an image replaces the text of the title. */
export const checkTitleImage: PageCheck =
  ({ platforms, report }) =>
  (style, page) => {
    const image = textOf(style, 'titleImage')
    if (image === undefined || image.value === '') return
    if (page === undefined) {
      report({
        code: 'bar-title-image',
        ...at(image),
        message: 'This image replaces the title of every page, also where a page sets "navigationBarTitleText" (§2.3).',
      })
      return
    }
    const title = propertyOf(style, 'navigationBarTitleText')
    if (title === undefined) return
    report(
      {
        code: 'bar-title-image',
        ...at(title.key),
        message: 'This title is not shown on H5: "titleImage" replaces it (§2.4).',
        related: [{ ...at(image), message: 'The image is set here.' }],
      },
      platforms.filter((platform) => platform === 'H5'),
    )
  }

/** What is said about each `titleNView` by itself. */
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

/** §2.6.2, §2.11: corner marks of more than three characters are trimmed. A red dot gives way to them. */
function checkBadge({ report }: Context, holder: Node | undefined): void {
  const badge = textOf(holder, 'badgeText')
  if (badge === undefined) return
  if ([...badge.value].length > 3) {
    report({
      code: 'badge-long',
      ...at(badge),
      message: 'A corner mark has room for 3 characters: this one is trimmed to "..." (§2.6.2).',
    })
  }
  const dot = propertyOf(holder, 'redDot')
  if (badge.value !== '' && dot?.value.kind === 'boolean' && dot.value.value) {
    report({
      code: 'key-no-effect',
      ...at(dot.key),
      message: 'The red dot is not shown, because "badgeText" is set (§2.6.2).',
      related: [{ ...at(badge), message: '"badgeText" is set here.' }],
    })
  }
}

/** §2.6: `backgroundRepeat` counts only with an image path in `backgroundImage`, which pages may inherit, and set for globalStyle. */
function checkBackgroundRepeat({ model, report }: Context, bar: ObjectNode, page: PageEntry | undefined): void {
  const repeat = propertyOf(bar, 'backgroundRepeat')
  if (repeat === undefined || (repeat.value.kind === 'string' && repeat.value.value === 'no-repeat')) return
  const behind = page && objectOf(objectOf(model.globalStyle, 'app-plus'), 'titleNView')
  const image = firstOf([bar, behind], 'backgroundImage')
  if (image === undefined ? page === undefined : image.kind !== 'string' || isPath(image.value)) return
  report({
    code: 'key-no-effect',
    ...at(repeat.key),
    message: '"backgroundRepeat" has no effect here: it counts only with an image path in "backgroundImage" (§2.6).',
  })
}

const isPath = (image: string) => image !== '' && !/gradient/i.test(image)

/** §2.9: `pullToRefresh.support` beats `enablePullDownRefresh`; where they differ, the latter has no effect. */
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
      message: `"enablePullDownRefresh" has no effect: "pullToRefresh.support" is ${support.value} and comes before it (§2.9). For a refresh of your own, leave "enablePullDownRefresh" out.`,
      related: [{ ...at(support), message: '"support" is set here.' }],
    })
  }
}
