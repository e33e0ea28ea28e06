import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { MarkdownOptions } from 'vitepress'
import { drawDiagram, readDiagram } from './diagrams.ts'
import { listOn } from './reference/index.ts'
import { fileOf, siteLink } from './repository.ts'
import { sources } from './sidebar.ts'

type Configure = NonNullable<MarkdownOptions['config']>
type State = { src: string; tokens: Token[]; env: { relativePath?: string; isForSearch?: true } }
type Token = {
  type: string
  children: Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

/**
 * Reads the Markdown as the pages are written for a repository: angle brackets are text, comments and `<br>` excepted,
 * and links to files outside of `docs` lead to their pages.
 */
export const repositoryMarkdown: Configure = (md) => {
  md.core.ruler.before('block', 'leading comment', (state: State) => {
    if (state.src.startsWith('<!--')) state.src = state.src.slice(state.src.indexOf('-->') + 3)
  })
  md.block.ruler.before(
    'paragraph',
    'comment',
    (state, line, _end, silent) => {
      const text = state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line])
      if (!/^<!--.*-->\s*$/.test(text)) return false
      if (!silent) state.line = line + 1
      return true
    },
    // It ends a table, too.
    { alt: ['paragraph', 'blockquote'] },
  )
  md.inline.ruler.push('line break', (state, silent) => {
    if (!state.src.startsWith('<br>', state.pos)) return false
    if (!silent) state.push('hardbreak', 'br', 0)
    state.pos += '<br>'.length
    return true
  })
  // Vue would read two braces as an expression.
  for (const type of ['text', 'code_inline']) {
    const draw = md.renderer.rules[type]!
    md.renderer.rules[type] = (...all) => draw(...all).replaceAll('{{', '&#123;&#123;')
  }
  const drawCode = md.renderer.rules.code_inline!
  md.renderer.rules.code_inline = (...all) => unbroken(drawCode(...all))
  md.core.ruler.push('links of the repository', ({ tokens, env }: State) => {
    const file = fileOf(env.relativePath ?? '')
    for (const link of tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open')) {
      const address = siteLink(link.attrGet('href') ?? '', file)
      if (address) link.attrSet('href', address)
    }
  })
}

/** Marks short words in code that a browser would break, such as the option `--platform` after its hyphens. */
const unbroken = (code: string) =>
  code.replace(/(?<=[\s>])(?=[^\s<>]*[-/?])[^\s<>]{2,32}(?=[\s<])/g, '<span class="word">$&</span>')

/** Draws blocks of Mermaid. They scroll sideways on phones, with the keyboard too. */
export const diagrams: Configure = (md) => {
  const drawCode = md.renderer.rules.fence!
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index]!
    if (info.trim() !== 'mermaid') return drawCode(tokens, index, ...rest)
    return `<figure v-pre class="diagram" tabindex="0">${drawDiagram(content, `diagram-${index}`)}</figure>`
  }
}

/** Writes code and diagrams as text for the index of the search. Colors and drawings take half of its time. */
export const searchedCode: Configure = (md) => {
  const drawCode = md.renderer.rules.fence!
  md.renderer.rules.fence = (tokens, index, options, env, renderer) => {
    if (!env.isForSearch) return drawCode(tokens, index, options, env, renderer)
    const { info, content } = tokens[index]!
    if (info.trim() !== 'mermaid') return `<pre>${md.utils.escapeHtml(content)}</pre>\n`
    const { title, description } = readDiagram(content)
    return `<p>${md.utils.escapeHtml(`${title}: ${description}`)}</p>\n`
  }
}

/**
 * Shows the pictures of the product, which the Markdown has as `<picture>` with a source for dark schemes, by the
 * scheme of the site. Their sizes reserve their place.
 */
export const pictures: Configure = (md) => {
  md.block.ruler.before('paragraph', 'picture', (state, line, _end, silent) => {
    const text = state.src.slice(state.bMarks[line]! + state.tShift[line]!)
    const found = /^<picture>\n.*srcset="([^"]+)">\n.*alt="([^"]+)" src="([^"]+)" width="(\d+)">\n<\/picture>/.exec(
      text,
    )
    if (!found) return false
    if (silent) return true
    const [all, dark, alt, light, shown] = found as unknown as [string, string, string, string, string]
    const image = (path: string, scheme: string) => {
      const file = basename(path)
      const [width, height] = sizeOf(readFileSync(join(sources, 'pictures', file)))
      // Bound, so that it is an address of the site and not a module.
      return `<img class="only-${scheme}" :src="'/docs/pictures/${file}'" alt="${alt}" width="${shown}" height="${Math.round((Number(shown) * height) / width)}" loading="lazy">`
    }
    state.push('html_block', '', 0).content = `<p class="picture">${image(light, 'light')}${image(dark, 'dark')}</p>\n`
    state.line = line + all.split('\n').length
    return true
  })
}

/** Returns the width and the height of a WebP picture, px. */
function sizeOf(picture: Buffer): [width: number, height: number] {
  if (picture.toString('latin1', 12, 16) === 'VP8X')
    return [picture.readUIntLE(24, 3) + 1, picture.readUIntLE(27, 3) + 1]
  return [picture.readUInt16LE(26) & 0x3fff, picture.readUInt16LE(28) & 0x3fff]
}

/** Adds the playground to its page. */
export const playground: Configure = (md) => {
  md.core.ruler.push('playground', (state) => {
    if (state.env.relativePath !== 'playground.md') return
    const element = new state.Token('html_block', '', 0)
    element.content = '<ClientOnly><ApiPlayground /></ClientOnly>'
    state.tokens.push(element)
  })
}

/** Adds the list of what has a page of its own to the start of the reference. The search finds the pages themselves. */
export const lists: Configure = (md) => {
  md.core.ruler.before('block', 'lists', (state: State) => {
    const list = state.env.isForSearch ? undefined : listOn(state.env.relativePath ?? '')
    if (list) state.src += `\n${list}`
  })
}

/** Adds a phone below the source of an example that it can run. */
export const phones: Configure = (md) => {
  const drawCode = md.renderer.rules.fence!
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index]!
    const [, language, page] = /^(\w+) phone (\S+)$/.exec(token.info.trim()) ?? []
    if (page === undefined) return drawCode(tokens, index, ...rest)
    token.info = language!
    return `${drawCode(tokens, index, ...rest)}<ExamplePhone page="${md.utils.escapeHtml(page)}" />\n`
  }
}

/** Returns the anchor of a heading as repositories form it, so that links in the Markdown hold in both. */
export function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
