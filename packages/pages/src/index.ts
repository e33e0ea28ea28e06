export { type CheckOptions, check } from './check/check.ts'
export { type Code, codes, type Severity } from './check/codes.ts'
export type { Targets } from './check/context.ts'
export { closest } from './closest.ts'
export type { Build, Os } from './conditional/builds.ts'
export { type DroppedBlock, droppedBlocks, droppedMessage } from './conditional/dropped.ts'
export { sourceFor } from './conditional/source.ts'
export { type PagesConfig, type ReadOptions, readPages, type Variant, variantFor } from './config.ts'
export {
  type Diagnostic,
  defaultPlatform,
  type Edit,
  type Fix,
  isUnnecessary,
  messageOf,
  type Platform,
  platforms,
  type Related,
} from './diagnostic.ts'
export type {
  BackButton,
  Button,
  H5Button,
  Iconfont,
  MidButton,
  PageStyle,
  PagesJson,
  PullToRefresh,
  SearchInput,
  SideWindowStyle,
  SplitLine,
  StartMode,
  SubNVue,
  SubNVueStyle,
  Tab,
  TabBar,
  TitleNView,
  TopWindowStyle,
} from './document.generated.ts'
export {
  applyEdits,
  fixAll,
  minimalEdit,
  type PageUse,
  pageUses,
  removeValue,
  renamePage,
  setValue,
  type ValuePath,
} from './edit.ts'
export { type ExplainError, type Explanation, explain } from './explain.ts'
export { customTabBar, type Files, pageExtensions, pageFile, projectPath, schemeOf } from './files.ts'
export { type FixResult, fixText, isSafe } from './fix.ts'
export {
  attributeAt,
  type Completion,
  type CursorContext,
  complete,
  hover,
  locate,
  pageAt,
  type Span,
} from './language.ts'
export type { NetworkTimeout, Theme } from './manifest.ts'
export { type Model, type PageEntry, platformObjects, trimPath } from './model.ts'
export { definesNames, followsDevice } from './names.ts'
export { Lines, type Position } from './parse/lines.ts'
export { asObject, type Json, type JsonObject, type Node, toJson } from './parse/nodes.ts'
export { parse } from './parse/parse.ts'
export type { Candidate, Provenance } from './resolve/provenance.ts'
export {
  type Resolved,
  type ResolvedPage,
  type ResolvedWindow,
  type ResolveOptions,
  resolve,
} from './resolve/resolve.ts'
export { titleFollowers, writtenSubWindows } from './resolve/written.ts'
export { pagesTypes, type Route, routes } from './routes.ts'
export { type Attribute, attributesOf } from './rules/attributes.ts'
export { hoverText } from './rules/describe.ts'
export type { Row, Shape, Table, TableId } from './rules/rule.ts'
export { schema } from './rules/schema.ts'
export { tables } from './rules/tables.ts'
