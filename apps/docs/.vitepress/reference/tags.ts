import { tags } from '../../../../packages/tags/src/tags.ts'
import { ignoredAttributes, tagDifference } from '../../../../packages/vite-plugin/src/uniCompat/migrate/tagSupport.ts'
import type { TypesOfMiniApps } from '../../../../setup/typesOfMiniApps.mjs'
import { exampleOfTag, exampleText } from './examples.ts'
import { code, fieldTable, folders, page, table } from './markdown.ts'

/** The tags, in the order of their names. */
export const tagNames = tags.map(({ tag }) => tag).sort()

/** Returns the Markdown of the list of tags, and of what all of them have. */
export function tagList(types: TypesOfMiniApps): string {
  const attributes = types.common.filter(({ name }) => !name.startsWith('on-'))
  return page(
    table(
      ['tag', 'purpose'],
      tagNames.map((tag) => [`[${tag}](/${folders.tags}/${tag}.md)`, types.tags[tag]!.description]),
    ),
    '## What all tags have\n',
    fieldTable('attribute', attributes),
    'The event of `@tap` is the `click` of browsers. Other events of browsers, such as `touchstart` and `keydown`, can be used as well; `longpress` and `longtap` never occur: use `contextmenu`. `aria-*` and `data-*` can be set on all tags.\n',
  )
}

/** Returns the Markdown of the page of a tag. */
export function tagPage(tag: string, types: TypesOfMiniApps): string {
  const { description, attributes, events, slots } = types.tags[tag]!
  const entry = tags.find((each) => each.tag === tag)!
  const example = exampleOfTag(tag)
  const difference = tagDifference(tag)
  const ignored = ignoredAttributes(tag) ?? []
  const details = events.filter(({ detail }) => detail.length > 0)
  return page(
    `# ${tag}\n`,
    `A tag of pages: \`<${tag === 'list-header' ? 'header' : tag}>\`. ${description}\n`,
    page(
      '- **Platforms:** H5, App, Mini App.',
      ...(entry.isReplaceable ? ['- A component of your project with this name is used instead.'] : []),
      '',
    ),
    '## Attributes\n',
    attributes.length > 0 && fieldTable('attribute', attributes, { defaults: true }),
    `${attributes.length > 0 ? 'And' : 'Only'} those of [all tags](/${folders.tags}/index.md#what-all-tags-have).\n`,
    events.length > 0 && '## Events\n',
    events.length > 0 &&
      table(
        ['event', 'when'],
        events.map(({ name, description: when }) => [`\`${name}\``, when]),
      ),
    details.length > 0 && 'Their `event.detail` has:\n',
    details.length > 0 &&
      fieldTable(
        'field',
        details.flatMap(({ name, detail }) => detail.map((field) => ({ ...field, name: `${name}: ${field.name}` }))),
      ),
    slots.length > 0 && `## Slots\n\nBesides the default one: ${code(slots)}.\n`,
    (difference || ignored.length > 0) &&
      page(
        '## Differences from uni-app\n',
        difference && `- In Souk: ${difference}.`,
        ignored.length > 0 && `- Accepted without effect: ${code(ignored)}.`,
        '',
      ),
    example && '## Example\n',
    example && exampleText(example, true),
  )
}
