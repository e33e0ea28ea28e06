import type { MarkdownOptions } from 'vitepress'

type Configure = NonNullable<MarkdownOptions['config']>
type Token = { type: string; tag: string; info: string; content: string }
type State = {
  tokens: Token[]
  env: { relativePath?: string }
  Token: new (type: string, tag: string, nesting: 0) => Token
}

/** The generated page whose examples are drawn. */
export const galleryFile = 'generated/pages-gallery.md'

/** Replaces the gallery's examples by editors with a preview, and makes its sections filterable. */
export const gallery: Configure = (md) => {
  md.core.ruler.push('gallery', (state: State) => {
    if (state.env.relativePath !== galleryFile) return
    const element = (content: string): Token => Object.assign(new state.Token('html_block', '', 0), { content })
    const text = (value: string) => md.utils.escapeHtml(value)
    const sections = sectionsOf(state.tokens)
    state.tokens = [
      ...sections[0]!.tokens,
      element('<GalleryFilter />'),
      ...sections.slice(1).flatMap(({ name, tokens, names }) => [
        element(`<GallerySection names="${text(names.join(' '))}">`),
        ...tokens.map((token) => {
          const platform = /^json drawing (.+)$/.exec(token.info)?.[1]
          if (platform === undefined) return token
          return element(
            `<AttributeExample name="${text(name)}" platform="${text(platform)}" source="${text(token.content)}" />`,
          )
        }),
        element('</GallerySection>'),
      ]),
    ]
  })
}

type Section = { tag: string; name: string; tokens: Token[]; names: string[] }

/** Splits a page at its headings. The section of an object contains the names of its attributes. */
function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: Section[] = [{ tag: '', name: '', tokens: [], names: [] }]
  let objectSection = sections[0]!
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open' && token.tag !== 'h1') {
      const name = tokens[index + 1]!.content.replaceAll('`', '')
      const section = { tag: token.tag, name, tokens: [], names: token.tag === 'h2' ? [] : [name] }
      sections.push(section)
      if (token.tag === 'h2') objectSection = section
      else objectSection.names.push(name)
    }
    sections.at(-1)!.tokens.push(token)
  }
  return sections
}
