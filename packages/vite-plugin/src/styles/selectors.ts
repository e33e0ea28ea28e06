const nameStart = /[a-z_]/i
const name = /[\w-]*/y
/** Pseudo-classes whose arguments are selectors. */
const ofSelectors =
  /^(?:not|is|where|has|matches|any|deep|slotted|global|host|host-context|v-deep|v-slotted|v-global)$/i

/** Classes of the elements inside of uni-app's tags, with the selector of the same part in Souk's. */
const partSelectors: ReadonlyMap<string, string> = new Map([
  ['uni-checkbox-input', '.neu-check:where(:not(.neu-check-round))'],
  ['uni-checkbox-input-checked', '.neu-check:checked'],
  ['uni-checkbox-input-disabled', '.neu-check:disabled'],
  ['uni-input-input', '.neu-input-control'],
  ['uni-input-placeholder', '.neu-input-placeholder'],
  ['uni-page-head', '.neu-navbar'],
  ['uni-page-head__title', '.neu-navbar-title'],
  ['uni-progress-bar', '.neu-progress-bar'],
  ['uni-progress-info', '.neu-progress-info'],
  ['uni-progress-inner-bar', '.neu-progress-done'],
  ['uni-radio-input', '.neu-check-round'],
  ['uni-radio-input-checked', '.neu-check:checked'],
  ['uni-radio-input-disabled', '.neu-check:disabled'],
  ['uni-slider-handle-wrapper', '.neu-slider-track'],
  ['uni-slider-track', '.neu-slider-done'],
  ['uni-slider-value', '.neu-slider-value'],
  ['uni-swiper-dot', '.neu-swiper-dot'],
  ['uni-swiper-dot-active', '.neu-swiper-dot-active'],
  ['uni-swiper-wrapper', '.neu-swiper-wrapper'],
  ['uni-swiper-dots', '.neu-swiper-dots'],
  ['uni-switch-input', '.neu-switch-control'],
  ['uni-switch-input-checked', '.neu-switch-control:checked'],
  ['uni-textarea-placeholder', '.neu-input-placeholder'],
  ['uni-textarea-textarea', '.neu-textarea-control'],
])

/** Elements of uni-app around its pages, with the selector of the same part in Souk's runtime. */
const elementSelectors: ReadonlyMap<string, string> = new Map([
  ['uni-app', 'neu-app'],
  ['uni-page-head', '.neu-navbar'],
  ['uni-tabbar', '.uni-tabbar-bottom'],
])

/** Returns the name of a tag from the name of uni-app's element for it: pages for H5 are styled with `uni-view`. */
const tagOf = (type: string): string => (type === 'uni-page-body' ? 'page' : type.replace(/^uni-/, ''))

/**
 * Replaces mini app tags in a selector by their elements: `view` and `uni-view` become `neu-view`. So are classes of
 * the parts of uni-app's tags. Other classes, ids, attributes, strings and anything after an `svg` stay unchanged.
 *
 * @param page path of the page that the style belongs to: its `page` selector matches this page only
 */
export function replaceTagSelectors(selector: string, tags: ReadonlySet<string>, page?: string): string {
  let result = ''
  let isInSvg = false
  /** Open parentheses; true for those that contain selectors. */
  const open: boolean[] = []
  let pos = 0
  const copyName = (): string => {
    name.lastIndex = pos
    const found = name.exec(selector)![0]
    pos += found.length
    result += found
    return found
  }
  while (pos < selector.length) {
    const sign = selector[pos]!
    if (sign === '[' || sign === '"' || sign === "'") {
      const end = sign === '[' ? attributeEnd(selector, pos) : quoteEnd(selector, pos)
      result += selector.slice(pos, end)
      pos = end
    } else if (sign === '\\') {
      result += selector.slice(pos, pos + 2)
      pos += 2
      copyName()
    } else if (sign === '.' || sign === '#') {
      const before = result
      result += sign
      pos += 1
      const part = sign === '.' ? partSelectors.get(copyName()) : void copyName()
      if (part !== undefined) result = before + part
    } else if (sign === ':') {
      const colons = selector[pos + 1] === ':' ? '::' : ':'
      result += colons
      pos += colons.length
      const pseudo = copyName()
      if (selector[pos] === '(') {
        open.push(ofSelectors.test(pseudo))
        result += '('
        pos += 1
      }
    } else if (nameStart.test(sign) && !open.includes(false)) {
      const start = pos
      name.lastIndex = pos
      pos += name.exec(selector)![0].length
      const type = selector.slice(start, pos)
      if (type === 'svg') isInSvg = true
      const tag = tagOf(type)
      result += tags.has(tag) && !isInSvg ? `neu-${tag}` : (elementSelectors.get(type) ?? type)
      if (tag === 'page' && !isInSvg && page !== undefined) result += attributeOf(page)
    } else {
      if (sign === '(') open.push(!open.includes(false))
      else if (sign === ')') open.pop()
      else if (sign === ',' && open.length === 0) isInSvg = false
      result += sign
      pos += 1
      // No tag name starts with a hyphen or a digit: skip the whole name.
      if (/[\w-]/.test(sign)) copyName()
    }
  }
  return result
}

/** Replaces `/deep/` and `>>>`, which preprocessors reject, by the combinator `::v-deep`. */
export function withDeepSelectors(style: string): string {
  return style.replace(/(?:\/deep\/|>>>)/g, '::v-deep')
}

/** Replaces the combinator `::v-deep` in a selector of compiled CSS by `:deep()`, which Vue expects. */
export function withDeepFunction(selector: string): string {
  const [before, ...after] = selector.split(/::v-deep(?![\w(-])/)
  return after.length === 0 ? selector : `${before}:deep(${after.join(' ').trim().replace(/\s+/g, ' ')})`
}

/** Matches a pseudo-element and what follows it. Colons in names of classes, as in `hover\:before\:a`, are escaped. */
const pseudoElement = /(?<!\\)(?:::|:(?:before|after|first-line|first-letter)(?![\w-])).*$/s

/**
 * Excludes other pages from a selector without raising its specificity. Elements outside of pages, such as side
 * windows, still match.
 */
export function limitToPage(selector: string, page: string): string {
  const at = pseudoElement.exec(selector)?.index ?? selector.length
  return `${selector.slice(0, at)}:where(:not(neu-page:not(${attributeOf(page)}) *))${selector.slice(at)}`
}

/** Selects a page by the attribute that the runtime sets, with special characters escaped. */
export const attributeOf = (page: string): string => `[data-page="${inQuotes(page)}"]`
const inQuotes = (text: string) => text.replace(/[^\w./-]/gu, (sign) => `\\${sign.codePointAt(0)!.toString(16)} `)

function quoteEnd(text: string, start: number): number {
  for (let pos = start + 1; pos < text.length; pos += 1) {
    if (text[pos] === '\\') pos += 1
    else if (text[pos] === text[start]) return pos + 1
  }
  return text.length
}

function attributeEnd(text: string, start: number): number {
  let pos = start + 1
  while (pos < text.length) {
    if (text[pos] === ']') return pos + 1
    pos = text[pos] === '"' || text[pos] === "'" ? quoteEnd(text, pos) : pos + 1
  }
  return text.length
}
