const nameStart = /[a-z_]/i
const name = /[\w-]*/y
/** Functions whose arguments are selectors. */
const ofSelectors =
  /^(?:not|is|where|has|matches|any|deep|slotted|global|host|host-context|v-deep|v-slotted|v-global)$/i

/**
 * A selector in which the tags of mini apps are the elements that draw them: `view` is `neu-view`. Classes, ids, attributes, texts, and what
 * stands behind an `svg` stay as they are.
 */
export function withTagElements(selector: string, tags: ReadonlySet<string>): string {
  let result = ''
  let isInSvg = false
  /** For each open parenthesis whether selectors stand in it. */
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
      result += sign
      pos += 1
      copyName()
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
      result += tags.has(type) && !isInSvg ? `neu-${type}` : type
    } else {
      if (sign === '(') open.push(!open.includes(false))
      else if (sign === ')') open.pop()
      else if (sign === ',' && open.length === 0) isInSvg = false
      result += sign
      pos += 1
      // A hyphen or a digit begins no name of ours, and neither does what follows it.
      if (/[\w-]/.test(sign)) copyName()
    }
  }
  return result
}

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
