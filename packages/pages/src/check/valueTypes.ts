import type { Node } from '../parse/nodes.ts'
import type { Shape } from '../rules/rule.ts'
import { at, type Context } from './context.ts'
import { checkFormat, describeFormat } from './textFormats.ts'

const typeNames: Readonly<Record<Exclude<Shape['is'], 'text'>, string>> = {
  number: 'a number',
  boolean: 'true or false',
  false: 'false',
  null: 'null',
  object: 'an object { … }',
  list: 'an array [ … ]',
  map: 'an object { … }',
}

const kindNames: Readonly<Record<Node['kind'], string>> = {
  object: 'an object',
  list: 'an array',
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
  missing: 'nothing',
}

/**
 * An attribute or list item that a value of a wrong type was given for. `runs`: the mini app runs without the value.
 */
export type Typed = {
  readonly name: string
  readonly shapes: readonly Shape[]
  readonly section: string
  readonly runs?: boolean
}

/** Reports a value of a wrong type, with a fix if the intended value is obvious. */
export function reportType(context: Context, value: Node, { name, shapes, section, runs = false }: Typed): void {
  const expected = [...new Set(shapes.map(describeType))].join(', or ')
  if (value.kind === 'boolean' && shapes.some(({ is }) => is === 'false')) {
    const message = `${name} takes ${expected} (pages-json §${section}). True changes nothing, because it is enabled by default: leave it out.`
    context.report({ code: 'value-undocumented', ...at(value), message })
    return
  }
  const found = value.kind === 'boolean' ? String(value.value) : kindNames[value.kind]
  const better = shapes.map((shape) => convert(shape, value)).find((text) => text !== undefined)
  const message = `${name} takes ${expected} (pages-json §${section}), not ${found}: write ${better ?? expected}.`
  const fix = better && { title: `Write ${better}`, edits: [{ ...at(value), text: better }] }
  context.report({ code: 'type-wrong', ...at(value), message, runs, ...(fix && { fix }) })
}

/** Describes the allowed values of a shape as precisely as pages-json does. */
function describeType(shape: Shape): string {
  if (shape.is !== 'text') return typeNames[shape.is]
  const { values, format, open } = shape
  if (values && !open && format === undefined) return quotedChoice(values)
  const description = format && describeFormat(format)
  return description ? `${description}, in double quotes` : 'a string in double quotes'
}

/** Formats words as `"a", "b" or "c"`. */
export function quotedChoice(words: readonly string[]): string {
  const quoted = words.map((word) => `"${word}"`)
  return quoted.length < 2 ? (quoted[0] ?? '') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}

/** Converts obvious mistakes: "50" to 50, 10 to "10px", "true" to true. */
function convert(shape: Shape, value: Node): string | undefined {
  if (shape.is === 'number' && value.kind === 'string') {
    const digits = /^\s*(-?\d{1,15}(?:\.\d{1,15})?)(?:px)?\s*$/.exec(value.value)?.[1]
    return digits === undefined ? undefined : String(Number(digits))
  }
  if (shape.is === 'boolean' && value.kind === 'string' && /^(true|false)$/i.test(value.value))
    return value.value.toLowerCase()
  if (shape.is === 'false' && value.kind === 'string' && value.value === 'false') return 'false'
  if (shape.is === 'text' && value.kind === 'number') return numberAsText(shape, value.value)
  if (shape.is === 'text' && value.kind === 'boolean') {
    const words = value.value ? ['true', 'YES'] : ['false', 'NO', 'none']
    const word = shape.values?.find((allowed) => words.includes(allowed))
    return word === undefined ? undefined : JSON.stringify(word)
  }
  return undefined
}

function numberAsText({ format, values, open }: Shape & { is: 'text' }, number: number): string | undefined {
  const isSize = format === 'length' || format?.startsWith('px')
  const written = isSize ? `${number}px` : String(number)
  if (values && !open && !values.includes(written)) return undefined
  const problem = format && checkFormat(format, written, '')
  return problem ? problem.better && JSON.stringify(problem.better) : JSON.stringify(written)
}
