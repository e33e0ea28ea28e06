import { renderMermaidSVG } from 'beautiful-mermaid'

/** A diagram as it is written: its source in Mermaid without the title and the description. */
interface Diagram {
  title: string
  description: string
  source: string
}

/**
 * Reads a block of Mermaid.
 * @throws Error if it has no title or description, which readers who do not see it get
 */
export function readDiagram(block: string): Diagram {
  const read = (name: string) => new RegExp(`^\\s*${name}:\\s*(.+)$`, 'm').exec(block)?.[1]
  const [title, description] = [read('accTitle'), read('accDescr')]
  if (!title || !description) throw new Error(`The diagram needs accTitle and accDescr:\n${block}`)
  return { title, description, source: block.replace(/^\s*acc(?:Title|Descr):.*\n/gm, '') }
}

/** How far a diagram shrinks before it scrolls: its labels are 11 px and larger. */
const smallest = 0.75

/**
 * Draws a block of Mermaid as SVG in the colors of the site, which diagram.css defines. `id` is unique in its page.
 * @throws Error if Mermaid cannot be read
 */
export function drawDiagram(block: string, id: string): string {
  const { title, description, source } = readDiagram(block)
  const svg = renderMermaidSVG(source, { transparent: true, padding: 16, layerSpacing: 28 })
    // Pages must not load fonts from elsewhere, and Vue allows no styles in a template.
    .replace(/<style>[\s\S]*?<\/style>\s*/, '')
    .replace(/(\sid="|url\(#)/g, `$1${id}-`)
    // The head at the start of an arrow is drawn from its tip backwards, and would be turned below the node.
    .replace('orient="auto-start-reverse"', 'orient="auto"')
  const width = Number(/\swidth="([\d.]+)"/.exec(svg)![1])
  const names = `role="img" aria-labelledby="${id}-title" aria-describedby="${id}-description"`
  // Its own style has the colors of the library.
  return svg.replace(
    /<svg ([^>]*?)\sstyle="[^"]*">/,
    (_, attributes) =>
      `<svg ${attributes} ${names} style="min-width:${Math.ceil(width * smallest)}px">` +
      `<title id="${id}-title">${escaped(title)}</title><desc id="${id}-description">${escaped(description)}</desc>`,
  )
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
