import type { Platform } from '../diagnostic.ts'
import type { Json } from '../parse/nodes.ts'

/**
 * How a text has to look. `hexColor`: #RRGGBB; `color`: also rgba(); `backdrop`: also transparent; `borderColor`: black, white or
 * any colour; `length`: a number with px or rpx; `px`, `pxOrAuto`, `pxOrPercent`: rpx are excluded; `image` and `font`: files of the
 * project; `tabIcon`: an image within the limits of tabs; `fontIcon`: text in which an icon may stand.
 */
export type TextFormat =
  | 'hexColor'
  | 'color'
  | 'backdrop'
  | 'borderColor'
  | 'length'
  | 'px'
  | 'pxOrAuto'
  | 'pxOrPercent'
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

/** What a value may be. Several shapes mean any one of them. */
export type Shape =
  | { readonly is: 'text'; readonly format?: TextFormat; readonly values?: readonly string[]; readonly open?: true }
  | { readonly is: 'number'; readonly integer?: true; readonly min?: number }
  | { readonly is: 'boolean' }
  | { readonly is: 'false' }
  | { readonly is: 'null' }
  | { readonly is: 'object'; readonly of: TableId }
  | { readonly is: 'list'; readonly of: Shape; readonly min?: number; readonly max?: number }
  | { readonly is: 'map'; readonly of: Shape }

/** The attribute counts only where its neighbour `key` (of the same object, or of the bar around it) has one of `values`. */
export type OnlyIf = {
  readonly of: 'self' | 'parent'
  readonly key: string
  readonly values: readonly Json[]
  /** What the neighbour is where nobody sets it; undefined where that depends on the system. */
  readonly unset: Json | undefined
}

/** A default that follows from something else. */
type Computed = 'titleColor' | 'pressedColor' | 'refreshStyle' | 'backFontSize'

/**
 * One attribute of the document. `type`, `default`, `platform` and `since` repeat the table's cells word for word; what the engine
 * works with stands beside them.
 */
export type Row = {
  readonly attribute: string
  readonly type: string
  readonly shape: Shape | readonly Shape[]
  readonly required?: true
  /** The cell, where the table has one that is not empty. */
  readonly default?: string
  /** The default as a value; without it the cell's text serves for texts. */
  readonly value?: Json
  readonly computed?: Computed
  /** An object whose defaults hold even where nobody writes it. */
  readonly namespace?: true
  readonly platform?: string
  /** Where the attribute works, if that is not what `platform` says. */
  readonly worksOn?: readonly Platform[]
  readonly since?: string
  /** The version, where the document gives it in a sentence. */
  readonly minVersions?: Readonly<Partial<Record<Platform, string>>>
  readonly onlyIf?: OnlyIf
  /** `table`: a row of the document; `prose`: the document says it in a sentence; `souk`: the document leaves it open. */
  readonly source?: 'prose' | 'souk'
  /** Own words; Markdown. */
  readonly description: string
}

export type Table = {
  /** Of the document. */
  readonly section: string
  readonly title: string
  /** Tables whose rows count here too, unless a row of this one has the same name. */
  readonly inherits?: readonly TableId[]
  /** Names of those tables that do not count here. */
  readonly except?: readonly string[]
  /** The attributes of `app-plus` that count here where it sets them and this object does not, without their defaults (§2.10). */
  readonly fallsBackTo?: { readonly table: TableId; readonly keys?: readonly string[] }
  readonly rows: readonly Row[]
}
