import { selectorNames, type Tag, tags } from '@souk/tags/tags'

export const tagsByName: ReadonlyMap<string, Tag> = new Map(tags.map((tag) => [tag.tag, tag]))

/** Names of type selectors that stand for an element `neu-<name>`. */
export const selectors: ReadonlySet<string> = new Set(selectorNames)

/** How a tag's component is called in compiled templates until it is replaced by an import: nobody else calls one so. */
export const componentPrefix = 'SoukTag'

/** By what a tag is called once it is a component: its attributes that take a length or a text of styles, as `style` does. */
export const lengthsByComponent: ReadonlyMap<string, readonly string[]> = new Map(
  tags.flatMap(({ component, lengths }) => (component && lengths ? [[componentPrefix + component, lengths]] : [])),
)
