import { attributesOf } from './attributes.ts'
import type { TableId } from './rule.ts'

/**
 * Defaults that the runtime fills in: for attributes of `app-plus` that H5 objects lack (pages-json §2.11), for values
 * that an app sets while it runs, and for styles that the build keeps small.
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
    'subtitleOverflow',
    'backgroundRepeat',
    'blurEffect',
    'coverage',
  ],
  splitLine: ['color', 'height'],
  backButton: ['fontWeight', 'titleWeight'],
  button: ['type', 'background', 'float', 'fontWeight', 'width'],
  searchInput: ['align', 'backgroundColor', 'borderRadius', 'placeholderColor'],
  tabBar: ['blurEffect', 'fontSize', 'iconWidth', 'spacing', 'height'],
  midButton: ['width', 'height', 'iconWidth'],
  pullToRefresh: ['color', 'offset'],
  subNVueStyle: ['position', 'dock', 'mask', 'width', 'top', 'background'],
} satisfies Partial<Record<TableId, readonly string[]>>

/** Generates a module with one object of defaults per object of pages.json. */
export function drawingDefaults(): string {
  const objects = Object.entries(drawn).map(([table, names]) => {
    const values = names.map((name) => `  ${name}: ${literal(attributesOf(table as TableId).get(name)!.default)},`)
    return `export const ${table}Defaults = {\n${values.join('\n')}\n} as const`
  })
  return `// Defaults of pages.json. Generated from the rule table by npm run generate.\n\n${objects.join('\n\n')}\n`
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))
