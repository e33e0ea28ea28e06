import { decodeEntities } from './characters.ts'

/** A node as pages write it in `nodes`. */
export interface RichNode {
  type?: 'node' | 'text'
  name?: string
  attrs?: Record<string, unknown>
  children?: RichNode[]
  text?: string
}

/** A node that is safe to render. */
export type SanitizedNode = string | { name: string; attrs: Record<string, string>; children: SanitizedNode[] }

const globalAttrs = ['class', 'style', 'dir', 'lang', 'title']
const cellAttrs = ['colspan', 'rowspan', 'height', 'width', 'align', 'valign']

/** Allowed tags with their attributes besides `globalAttrs`. Other elements are dropped with their content. */
const allowed: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    (
      'abbr address article aside b bdi bdo big blockquote br caption center cite code dd del div dl dt em fieldset figcaption ' +
      'figure footer h1 h2 h3 h4 h5 h6 header hr i ins kbd label legend li main mark nav p pre q rt ruby s samp section small span ' +
      'strike strong sub summary sup tbody tfoot thead tr tt u ul var'
    )
      .split(' ')
      .map((name) => [name, []]),
  ),
  a: ['href'],
  col: ['span', 'width'],
  colgroup: ['span', 'width'],
  font: ['color', 'face', 'size'],
  img: ['src', 'alt', 'width', 'height'],
  ol: ['start', 'type'],
  table: ['width', 'border', 'align', 'cellpadding', 'cellspacing'],
  td: cellAttrs,
  th: cellAttrs,
}

/**
 * Sanitizes nodes: allows listed tags and attributes only, no listeners, and no URLs that run scripts. Decodes entities
 * in texts.
 */
export function sanitize(nodes: readonly RichNode[]): SanitizedNode[] {
  return nodes.flatMap((node): SanitizedNode[] => {
    if (node?.type === 'text') return [decodeAllEntities(String(node.text ?? ''))]
    const name = String(node?.name ?? '').toLowerCase()
    const own = Object.hasOwn(allowed, name) ? allowed[name] : undefined
    if (!own) return []
    const attrs: Record<string, string> = {}
    for (const [written, value] of Object.entries(node.attrs ?? {})) {
      const attr = written.toLowerCase()
      const text = attr === 'style' && typeof value === 'object' ? '' : String(value)
      if (!globalAttrs.includes(attr) && !own.includes(attr)) continue
      if ((attr === 'href' || attr === 'src') && !isSafeUrl(text, attr)) continue
      attrs[attr] = text
    }
    return [{ name, attrs, children: sanitize(Array.isArray(node.children) ? node.children : []) }]
  })
}

/** Decodes all entities of HTML, each once. The parser knows those that texts do not support. */
function decodeAllEntities(text: string): string {
  return text.replace(/&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);/gi, (entity) => {
    const decoded = decodeEntities(entity)
    if (decoded !== entity) return decoded
    return new DOMParser().parseFromString(`<p>${entity}</p>`, 'text/html').body.textContent
  })
}

/** Checks the scheme of a URL. Browsers ignore control characters and blanks in it, so this does too. */
function isSafeUrl(address: string, attr: 'href' | 'src'): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address.replace(/[\p{Cc}\s]/gu, ''))?.[1]?.toLowerCase()
  if (scheme === undefined || scheme === 'http' || scheme === 'https') return true
  if (attr === 'href') return scheme === 'mailto' || scheme === 'tel'
  return scheme === 'blob' || (scheme === 'data' && /^\s*data:image\//i.test(address))
}

/** Parses HTML to nodes. The document is inert: it runs no scripts and loads no resources. */
export function parseHtml(html: string): RichNode[] {
  return nodesOf(new DOMParser().parseFromString(html, 'text/html').body)
}

function nodesOf(parent: Node): RichNode[] {
  return [...parent.childNodes].flatMap((node): RichNode[] => {
    // The parser has decoded entities; escape them, because `sanitize` decodes again.
    if (node.nodeType === Node.TEXT_NODE)
      return [{ type: 'text', text: (node.nodeValue ?? '').replaceAll('&', '&amp;') }]
    if (!(node instanceof Element)) return []
    const attrs = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]))
    return [{ name: node.localName, attrs, children: nodesOf(node) }]
  })
}
