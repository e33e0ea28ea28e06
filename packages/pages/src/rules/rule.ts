import type { Platform } from '../diagnostic.ts'
import type { Json } from '../parse/nodes.ts'

/**
 * The format of a string. `hexColor`: #RRGGBB; `pageColor`: also transparent; `color`: also rgba(); `backdrop`: both;
 * `borderColor`: black, white or any color; `length`: a number with px or rpx; `px`, `pxOrAuto`, `pxOrPercent`:
 * without rpx; `pxOffset`: as `pxOrPercent`, may be negative; `pxOrFunction`: also vw and functions of CSS; `image` and
 * `font`: files of the project; `tabIcon`: an image within the limits for tabs; `fontIcon`: a string that may contain
 * font icons.
 */
export type TextFormat =
  | 'hexColor'
  | 'pageColor'
  | 'color'
  | 'backdrop'
  | 'borderColor'
  | 'length'
  | 'px'
  | 'pxOrAuto'
  | 'pxOrPercent'
  | 'pxOffset'
  | 'pxOrFunction'
  | 'gradientOrImage'
  | 'image'
  | 'font'
  | 'tabIcon'
  | 'fontIcon'

/** The objects of a pages.json. */
export type TableId =
  | 'top'
  | 'page'
  | 'subPackage'
  | 'globalStyle'
  | 'pageStyle'
  | 'appPlus'
  | 'titleNView'
  | 'button'
  | 'backButton'
  | 'searchInput'
  | 'splitLine'
  | 'tabBar'
  | 'tab'
  | 'iconfont'
  | 'midButton'
  | 'subNVue'
  | 'subNVueStyle'
  | 'pullToRefresh'
  | 'caption'
  | 'h5'
  | 'h5PullToRefresh'
  | 'h5TitleNView'
  | 'h5Button'
  | 'shadow'
  | 'sideWindow'
  | 'topWindow'
  | 'sideWindowStyle'
  | 'topWindowStyle'
  | 'matchMedia'
  | 'easycom'
  | 'condition'
  | 'startMode'

/** An allowed type of value. If there are several shapes, a value must match one of them. */
export type Shape =
  | { readonly is: 'text'; readonly format?: TextFormat; readonly values?: readonly string[]; readonly open?: true }
  | { readonly is: 'number'; readonly integer?: true; readonly min?: number }
  | { readonly is: 'boolean' }
  | { readonly is: 'false' }
  | { readonly is: 'null' }
  | { readonly is: 'object'; readonly of: TableId }
  | { readonly is: 'list'; readonly of: Shape; readonly min?: number; readonly max?: number }
  | { readonly is: 'map'; readonly of: Shape }

/** A condition: the attribute only applies if `key` of the same object, or of its parent, has one of `values`. */
export type OnlyIf = {
  readonly of: 'self' | 'parent'
  readonly key: string
  readonly values: readonly Json[]
  /** Value of `key` if it is not set; undefined if it depends on the operating system. */
  readonly unset: Json | undefined
}

/** A default that depends on other values. */
type Computed =
  | 'barTitle'
  | 'barTitleColor'
  | 'barBackground'
  | 'pageValue'
  | 'titleColor'
  | 'pressedColor'
  | 'refreshStyle'
  | 'backFontSize'
  | 'subWindowPlace'

/**
 * An attribute of pages-json. `type`, `default`, `platform` and `since` are the literal cells of its table; the other
 * properties are what the engine works with.
 */
export type Row = {
  readonly attribute: string
  readonly type: string
  readonly shape: Shape | readonly Shape[]
  readonly required?: true
  readonly default?: string
  /** The default, if it is not the string in the cell, or if another attribute may set it (`computed`). */
  readonly value?: Json
  readonly computed?: Computed
  /** An object whose defaults apply even if the file does not contain it. */
  readonly namespace?: true
  readonly platform?: string
  /** Platforms on which the attribute works, if they differ from `platform`. */
  readonly worksOn?: readonly Platform[]
  readonly since?: string
  /** Minimum versions, if pages-json states them in prose. */
  readonly minVersions?: Readonly<Partial<Record<Platform, string>>>
  readonly onlyIf?: OnlyIf
  /**
   * Set for attributes without a table row: pages-json describes them in prose, or leaves them open and Souk defines
   * them.
   */
  readonly source?: 'prose' | 'souk'
  /** Markdown. */
  readonly description: string
}

export type Table = {
  /** Section of pages-json. */
  readonly section: string
  readonly title: string
  /** Tables whose rows also apply, unless this table has a row of the same name. */
  readonly inherits?: readonly TableId[]
  /** Inherited rows that do not apply. */
  readonly except?: readonly string[]
  /** Attributes that only `app-plus` sets for this object (pages-json §2.10). */
  readonly fallsBackTo?: { readonly table: TableId; readonly keys?: readonly string[] }
  readonly rows: readonly Row[]
}
