import { attributesOf } from './attributes.ts'
import type { TableId } from './rule.ts'

/**
 * Defaults that the runtime needs because no resolved style has them: for bars without a `titleNView`, for texts that
 * are not lengths, for values that an app sets while it runs, and for releases of Souk 0.1.
 */
const drawn = {
  pageStyle: [
    'navigationBarBackgroundColor',
    'navigationBarTextStyle',
    'transparentTitle',
    'onReachBottomDistance',
    'rpxCalcBaseDeviceWidth',
    'rpxCalcIncludeWidth',
    'animationType',
    'animationDuration',
  ],
  appPlus: ['background', 'softinputMode'],
  titleNView: [
    'type',
    'titleOverflow',
    'titleAlign',
    'titleIconRadius',
    'subtitleSize',
    'subtitleOverflow',
    'homeButton',
    'autoBackButton',
    'backgroundRepeat',
    'blurEffect',
    'coverage',
  ],
  splitLine: ['color', 'height'],
  backButton: ['background', 'redDot', 'fontSize', 'fontWeight', 'title', 'titleWeight'],
  button: ['type', 'background', 'float', 'fontWeight', 'width'],
  searchInput: ['autoFocus', 'align', 'backgroundColor', 'borderRadius', 'placeholderColor', 'disabled'],
  tabBar: ['blurEffect', 'fontSize', 'iconWidth', 'spacing', 'height'],
  midButton: ['width', 'height', 'iconWidth'],
  pullToRefresh: ['color', 'offset'],
  subNVueStyle: ['position', 'dock', 'mask', 'width', 'top', 'background'],
} satisfies Partial<Record<TableId, readonly string[]>>

const bars = ['pageStyle', 'titleNView', 'backButton', 'button', 'searchInput', 'tabBar'] as const

/** Generates a module with one object of defaults per object of pages.json. */
export function drawingDefaults(): string {
  const objects = Object.entries(drawn).map(([table, names]) => {
    const values = names.map((name) => `  ${name}: ${literal(attributesOf(table as TableId).get(name)!.default)},`)
    return `export const ${table}Defaults = {\n${values.join('\n')}\n} as const`
  })
  return `// Defaults of pages.json. Generated from the rule table by npm run generate.\n\n${objects.join('\n\n')}\n`
}

/** Generates a module with the values of attributes of bars, where the rules list them: the default first. */
export function drawingValues(): string {
  const objects = bars.flatMap((table) => {
    const rows = drawn[table].flatMap((name) => {
      const { default: first, shapes } = attributesOf(table).get(name)!
      const values = shapes.flatMap((shape) => (shape.is === 'text' ? (shape.values ?? []) : []))
      const ordered = [first, ...values.filter((value) => value !== first)]
      return values.length > 0 ? [`  ${name}: [${ordered.map(literal).join(', ')}],`] : []
    })
    return rows.length > 0 ? [`export const ${table}Values = {\n${rows.join('\n')}\n} as const`] : []
  })
  return `// Values of pages.json. Generated from the rule table by npm run generate.\n\n${objects.join('\n\n')}\n`
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))
