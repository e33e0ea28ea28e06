/** Parses the Markdown subset of the rule descriptions: paragraphs, lists, bold, code. */
export function drawMarkdown(markdown: string): HTMLElement {
  const drawn = document.createElement('div')
  for (const block of markdown.split(/\n{2,}/)) {
    const lines = block.split('\n').filter((line) => line !== '')
    const isList = lines.every((line) => line.startsWith('- '))
    const parent = document.createElement(isList ? 'ul' : 'p')
    if (isList) {
      for (const line of lines) {
        const item = document.createElement('li')
        item.append(...inline(line.slice(2)))
        parent.append(item)
      }
    } else {
      parent.append(...inline(lines.join(' ')))
    }
    drawn.append(parent)
  }
  return drawn
}

function inline(text: string): (string | HTMLElement)[] {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part) => {
    const isBold = part.startsWith('**') && part.length > 4
    if (!isBold && !(part.startsWith('`') && part.length > 2)) return part
    const element = document.createElement(isBold ? 'strong' : 'code')
    element.textContent = isBold ? part.slice(2, -2) : part.slice(1, -1)
    return element
  })
}
