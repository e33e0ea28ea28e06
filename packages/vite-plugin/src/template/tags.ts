import { selectorNames, type Tag, tags } from '@souk/tags/tags'

export const tagsByName: ReadonlyMap<string, Tag> = new Map(tags.map((tag) => [tag.tag, tag]))

/** Names of type selectors that are replaced by `neu-<name>`. */
export const selectors: ReadonlySet<string> = new Set(selectorNames)

/** Prefix of a tag's component in compiled templates, until it is replaced by an import. */
export const componentPrefix = 'SoukTag'

/** Attributes that take a length or styles, by component name. */
export const lengthsByComponent: ReadonlyMap<string, readonly string[]> = new Map(
  tags.flatMap(({ component, lengths }) => (component && lengths ? [[componentPrefix + component, lengths]] : [])),
)
