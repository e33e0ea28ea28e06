import Squire from 'squire-rte'
import { parseHtml, type SanitizedNode, sanitize } from './richNodes.ts'

/** Options of a method of the editor's context, besides its callbacks. */
export type EditorOptions = Record<string, unknown>

export interface RichEditor {
  /** The methods of the editor's context. They throw if an option is missing. */
  methods: Record<string, (options: EditorOptions) => object | undefined>
  contents(): { html: string; text: string; delta: object }
  destroy(): void
}

const inlineTags: Readonly<Record<string, string>> = { bold: 'B', italic: 'I', underline: 'U', strike: 'S', ins: 'INS' }
const inlineStyles = new Set(
  (
    'color backgroundColor font fontFamily fontSize fontStyle fontVariant fontWeight letterSpacing textDecoration ' +
    'wordSpacing'
  ).split(' '),
)
const blockStyles = new Set(
  (
    'lineHeight textIndent margin marginTop marginBottom marginLeft marginRight padding paddingTop paddingBottom ' +
    'paddingLeft paddingRight'
  ).split(' '),
)
/** Width of one level of indentation. */
const indentation = 3

const hyphenate = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Turns an element into a rich text editor. `changed` and `selected` are called after the user's input too. */
export function createRichEditor(
  content: HTMLElement,
  options: { changed(): void; selected(formats: EditorOptions): void; urlOf(path: string): string },
): RichEditor {
  const squire = new Squire(content, { blockTag: 'P', sanitizeToDOMFragment: fragmentOf })
  let formats: EditorOptions = {}

  const html = () => squire.getHTML().replaceAll('\u200B', '')
  const text = () =>
    `${linesOf(content)
      .map(({ textContent }) => plainText(textContent))
      .join('\n')}\n`

  function select(): void {
    const current = currentFormats(squire, content)
    if (JSON.stringify(current) === JSON.stringify(formats)) return
    formats = current
    options.selected(current)
  }
  squire.addEventListener('input', options.changed)
  for (const type of ['pathChange', 'select', 'cursor', 'input']) squire.addEventListener(type, select)

  const methods: RichEditor['methods'] = {
    format({ name, value }) {
      const hadEmptyEnd = isEmptyDiv(content.lastElementChild)
      format(squire, content, String(name), formatValue(String(name), String(value ?? '')))
      // Squire leaves a line where it has replaced all blocks.
      if (!hadEmptyEnd && isEmptyDiv(content.lastElementChild)) content.lastElementChild?.remove()
      select()
      return undefined
    },
    insertDivider: () => void squire.insertHTML('<hr>'),
    insertImage({ src, alt, width, height, extClass, data }) {
      if (typeof src !== 'string' || src === '') throw new Error('src is required')
      const custom = Object.entries((data ?? {}) as object).map(([key, each]) => `${key}=${each}`)
      const attributes = { alt, width, height, class: extClass, 'data-custom': custom.join('&') }
      const presentAttributes = Object.entries(attributes).flatMap(([key, each]) => (each ? [[key, String(each)]] : []))
      squire.insertImage(options.urlOf(src), Object.fromEntries(presentAttributes) as Record<string, string>)
      return undefined
    },
    insertText: ({ text = '' }) => void squire.insertPlainText(String(text), false),
    setContents({ html, delta }) {
      if (typeof html !== 'string' && typeof delta !== 'object') throw new Error('contents is missing')
      squire.setHTML(typeof html === 'string' ? html : htmlOfDelta(delta as Delta))
      options.changed()
      return undefined
    },
    getContents: contents,
    clear() {
      squire.setHTML('')
      options.changed()
      return undefined
    },
    removeFormat: () => void squire.removeAllFormatting(),
    undo: () => void squire.undo(),
    redo: () => void squire.redo(),
    blur: () => void content.blur(),
    getSelectionText: () => ({ text: plainText(squire.getSelectedText()) }),
    scrollIntoView() {
      const { startContainer } = squire.getSelection()
      const element = startContainer instanceof Element ? startContainer : startContainer.parentElement
      element?.scrollIntoView({ block: 'nearest' })
      return undefined
    },
  }

  function contents() {
    return { html: html(), text: text(), delta: { ops: [{ insert: text() }] } }
  }
  return { methods, contents, destroy: () => squire.destroy() }
}

/** Removes the zero-width spaces that Squire inserts where nothing has been typed yet. */
const plainText = (text: string) => text.replaceAll('\u200B', '').replaceAll('\u00A0', ' ')

const isEmptyDiv = (element: Element | null) => element?.outerHTML === '<div><br></div>'

const linesOf = (element: Element): Element[] =>
  [...element.children].flatMap((each) => (each.matches('ol, ul, blockquote') ? linesOf(each) : [each]))

/** Pages may write `H2` for the heading 2. Check lists are bullets. */
function formatValue(name: string, value: string): string {
  if (name === 'header') return value.replace(/^h/i, '')
  return name === 'list' && value === 'check' ? 'bullet' : value
}

/** Applies a format to the selection, or removes it if the selection has it. */
function format(squire: Squire, content: HTMLElement, name: string, value: string): void {
  const tag = name === 'script' ? { sub: 'SUB', super: 'SUP' }[value] : inlineTags[name]
  const current = String(currentFormats(squire, content)[name] ?? '')
  const next = current === value ? '' : value
  if (tag) {
    const has = squire.hasFormat(tag)
    squire.changeFormat(has ? null : { tag }, has ? { tag } : null)
  } else if (inlineStyles.has(name)) {
    // The class tells which format the element is for.
    const add = { tag: 'SPAN', attributes: { class: name, style: `${hyphenate(name)}: ${next}` } }
    squire.changeFormat(next ? add : null, { tag: 'SPAN', attributes: { class: name } })
  } else if (blockStyles.has(name)) {
    squire.forEachBlock((block) => block.style.setProperty(hyphenate(name), next), true)
  } else if (name === 'align') squire.forEachBlock((block) => block.style.setProperty('text-align', next), true)
  else if (name === 'direction') squire.setTextDirection(next || null)
  else if (name === 'header') setHeader(squire, next)
  else if (name === 'indent') indent(squire, value === '+1' ? 1 : -1)
  else if (name === 'list') {
    if (next === '') squire.removeList()
    else if (next === 'ordered') squire.makeOrderedList()
    else squire.makeUnorderedList()
  } else throw new Error(`the format "${name}" is not supported`)
}

/** Makes the selected paragraphs and headings headings of a level, or paragraphs. */
function setHeader(squire: Squire, level: string): void {
  squire.modifyBlocks((blocks) => {
    for (const block of blocks.querySelectorAll<HTMLElement>('p, div, h1, h2, h3, h4, h5, h6')) {
      const other = document.createElement(/^[1-6]$/.test(level) ? `h${level}` : 'p')
      if (block.hasAttribute('style')) other.style.cssText = block.style.cssText
      other.append(...block.childNodes)
      block.replaceWith(other)
    }
    return blocks
  })
}

function indent(squire: Squire, step: 1 | -1): void {
  if (/(?:^|>)[OU]L/.test(squire.getPath())) {
    if (step === 1) squire.increaseListLevel()
    else squire.decreaseListLevel()
    return
  }
  squire.forEachBlock((block) => {
    const width = (Number.parseFloat(block.style.paddingInlineStart) || 0) + step * indentation
    block.style.paddingInlineStart = width > 0 ? `${width}em` : ''
  }, true)
}

/** Returns the formats at the cursor, as `format` takes them. */
function currentFormats(squire: Squire, content: HTMLElement): EditorOptions {
  const formats: EditorOptions = {}
  const { startContainer } = squire.getSelection()
  let element = startContainer instanceof HTMLElement ? startContainer : startContainer.parentElement
  for (; element && element !== content && content.contains(element); element = element.parentElement) {
    const { localName, style, dir } = element
    for (const [name, tag] of Object.entries(inlineTags)) if (tag.toLowerCase() === localName) formats[name] = true
    if (localName === 'sub') formats.script ??= 'sub'
    if (localName === 'sup') formats.script ??= 'super'
    if (localName === 'ol') formats.list ??= 'ordered'
    if (localName === 'ul') formats.list ??= 'bullet'
    if (/^h[1-6]$/.test(localName)) formats.header = Number(localName[1])
    if (style.textAlign) formats.align ??= style.textAlign
    if (dir) formats.direction ??= dir
    for (const name of [...inlineStyles, ...blockStyles]) {
      const value = style.getPropertyValue(hyphenate(name))
      if (value) formats[name] ??= value
    }
  }
  return formats
}

interface Delta {
  ops?: { insert?: string | { image?: string; divider?: boolean }; attributes?: Record<string, unknown> }[]
}

/** Returns the HTML of a delta: texts, images and dividers, with bold, italic, underline and strike. */
function htmlOfDelta({ ops = [] }: Delta): string {
  const parts = ops.map(({ insert = '', attributes = {} }) => {
    if (typeof insert !== 'string') return insert.image ? `<img src="${escapeHtml(insert.image)}">` : '<hr>'
    const tags = Object.entries(inlineTags).flatMap(([name, tag]) => (attributes[name] ? [tag] : []))
    const before = tags.map((tag) => `<${tag}>`).join('')
    const after = tags.toReversed().map((tag) => `</${tag}>`)
    return insert
      .split('\n')
      .map((line) => (line ? before + escapeHtml(line) + after.join('') : ''))
      .join('</p><p>')
  })
  return `<p>${parts.join('')}</p>`.replace(/<p><\/p>$/, '')
}

const escapeHtml = (value: string) => value.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)

/** Keeps only tags and attributes that `rich-text` draws. */
function fragmentOf(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment()
  fragment.append(...sanitize(parseHtml(html)).map(nodeOf))
  return fragment
}

function nodeOf(node: SanitizedNode): Node {
  if (typeof node === 'string') return document.createTextNode(node)
  const element = document.createElement(node.name)
  for (const [name, value] of Object.entries(node.attrs)) element.setAttribute(name, value)
  element.append(...node.children.map(nodeOf))
  return element
}
