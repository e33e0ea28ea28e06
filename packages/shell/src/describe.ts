import { type InspectedValue, inspectionLimits } from '@souk/contract/inspection'

/** Characters of a string inside a value. */
const innerText = 2000

/** Describes a value of the mini app as text, within the limits of a message. Never throws. */
export function describe(value: unknown): InspectedValue {
  const budget = { nodes: inspectionLimits.nodes, characters: inspectionLimits.text }
  return node(value, { budget, depth: 0, parents: [] })
}

/** Cuts a text to the limit of a message. */
export function cut(text: string, length: number = inspectionLimits.text): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}

interface Place {
  budget: { nodes: number; characters: number }
  depth: number
  parents: readonly object[]
}

function node(value: unknown, place: Place): InspectedValue {
  place.budget.nodes--
  try {
    if (typeof value === 'object' && value !== null) return objectNode(value, place)
    if (typeof value === 'function') return { type: 'function', text: `${value.name || '(anonymous)'}()` }
    if (typeof value === 'string') return textNode(value, place)
    const type = value === null ? 'null' : typeof value
    return { type: type === 'bigint' || type === 'symbol' ? 'number' : (type as 'number'), text: String(value) }
  } catch (error) {
    // A getter or a proxy of the mini app has thrown.
    return { type: 'error', text: cut(String(error), innerText) }
  }
}

function textNode(value: string, { budget, depth }: Place): InspectedValue {
  const length = Math.min(depth === 0 ? inspectionLimits.text : innerText, Math.max(0, budget.characters))
  const text = value.slice(0, length)
  budget.characters -= text.length
  return { type: 'string', text, ...(text.length < value.length && { omitted: value.length - text.length }) }
}

function objectNode(value: object, { budget, depth, parents }: Place): InspectedValue {
  if (value instanceof Error) return { type: 'error', text: cut(value.stack ?? String(value), innerText) }
  if (value instanceof Date || value instanceof RegExp || value instanceof URL)
    return { type: 'object', text: cut(String(value), innerText) }
  if (value instanceof Element)
    return { type: 'object', text: `<${value.localName}${value.id && ` id="${cut(value.id, 100)}"`}>` }
  const type = Array.isArray(value) ? 'array' : 'object'
  const text = nameOf(value)
  // Components refer to each other and to the whole app.
  if (parents.includes(value) || depth >= inspectionLimits.depth || '__v_skip' in value) return { type, text }
  const all = entriesOf(value)
  const entries: [string, InspectedValue][] = []
  for (const [name, inner] of all) {
    if (entries.length >= inspectionLimits.properties || budget.nodes <= 0) break
    entries.push([
      cut(name, inspectionLimits.name),
      node(inner(), { budget, depth: depth + 1, parents: [...parents, value] }),
    ])
  }
  return { type, text, entries, ...(all.length > entries.length && { omitted: all.length - entries.length }) }
}

function nameOf(value: object): string {
  if (Array.isArray(value)) return `Array(${value.length})`
  if (value instanceof Map || value instanceof Set) return `${value.constructor.name}(${value.size})`
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `${value.constructor.name}(${value.byteLength})`
  const type: unknown = value.constructor
  return cut(typeof type === 'function' && type.name ? type.name : 'Object', 100)
}

/** Properties are read one by one, because a getter may throw. */
function entriesOf(value: object): [name: string, read: () => unknown][] {
  if (value instanceof Map) return [...value].map(([key, inner]) => [String(key), () => inner])
  if (value instanceof Set) return [...value].map((inner, index) => [String(index), () => inner])
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return []
  return Object.keys(value).map((key) => [key, () => readProperty(value, key)])
}

function readProperty(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key]
  } catch (error) {
    return error
  }
}
