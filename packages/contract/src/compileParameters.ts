import { Compile, type Validator } from 'typebox/compile'
import { SoukError } from './errors.ts'
import { withLineFeeds } from './open/parameters.ts'
import { aliasesOf, type Operation, type ParametersOf } from './operation.ts'

/** The part of a parameter's schema that is used here. */
interface ParameterSchema {
  type?: string
  enum?: readonly unknown[]
  items?: ParameterSchema
  anyOf?: readonly ParameterSchema[]
  default?: unknown
  'x-allowed'?: string
}

/** Converts received values to the typed parameters of an operation, or throws. */
export type ReadParameters<O extends Operation> = (received: ReadonlyMap<string, unknown>) => ParametersOf<O>

/**
 * Compiles a parser and validator for an operation's parameters. Strings are converted to the type in the schema
 * (numbers from decimal digits, lists from comma-separated items). An empty parameter counts as absent, since null is
 * sent as an empty string (open-api §4.1); so does null in JSON unless it is an allowed value. Absent parameters get
 * their defaults. Line breaks become line feeds.
 *
 * The returned function throws `parameter_unknown`, `parameter_missing`, `parameter_repeated` (a name and its alias
 * with different values) or `parameter_invalid`, naming all parameters concerned and what is allowed.
 */
export function compileParameters<O extends Operation>(operation: O): ReadParameters<O> {
  const properties = new Map(Object.entries(operation.parameters.properties as Record<string, ParameterSchema>))
  const required: readonly string[] = operation.parameters.required ?? []
  const aliases = aliasesOf(operation)
  const ignored = new Set(Object.keys(operation.ignored ?? {}))
  // At the first request, since most servers get requests of few operations, and a validator takes 10 KB.
  let validator: Validator | undefined

  return (received) => {
    const values: Record<string, unknown> = {}
    const unknown: string[] = []
    for (const [given, value] of received) {
      if (ignored.has(given)) continue
      const name = aliases.get(given) ?? given
      const schema = properties.get(name)
      if (!schema) unknown.push(given)
      else if (name !== given && conflicts(received.get(name), value)) {
        throw new SoukError(
          'parameter_repeated',
          `${given} is an alias of ${name}, and their values differ: send one of them.`,
          { data: { parameters: [name, given] } },
        )
      } else if (isPresent(schema, value))
        values[name] = fromText(schema, typeof value === 'string' ? withLineFeeds(name, value) : value)
    }
    if (unknown.length > 0) {
      throw new SoukError('parameter_unknown', unknownReason(unknown, properties.keys()), {
        data: { parameters: unknown.slice(0, 20) },
      })
    }

    const missing: string[] = []
    for (const [name, schema] of properties) {
      if (values[name] !== undefined) continue
      if (schema.default !== undefined) values[name] = schema.default
      else if (required.includes(name)) missing.push(name)
    }
    if (missing.length > 0) {
      throw new SoukError('parameter_missing', `Send ${missing.join(', ')}.`, { data: { parameters: missing } })
    }

    validator ??= Compile(operation.parameters)
    if (!validator.Check(values)) {
      const wrong = new Set(validator.Errors(values).map((error) => error.instancePath.split('/')[1] ?? ''))
      const reasons = [...wrong].map(
        (name) => `${name} ${properties.get(name)?.['x-allowed'] ?? 'does not have the documented type'}.`,
      )
      throw new SoukError('parameter_invalid', reasons.join(' '), { data: { parameters: [...wrong] } })
    }
    return values as ParametersOf<O>
  }
}

function isPresent(schema: ParameterSchema, value: unknown): boolean {
  if (value === null) return schema.anyOf?.some(({ type }) => type === 'null') ?? false
  return value !== ''
}

/** Returns whether a parameter and its alias have different values, neither of them empty. */
function conflicts(one: unknown, other: unknown): boolean {
  return one !== undefined && one !== '' && other !== '' && one !== other
}

/** An integer without leading zeros or negative zero. */
const decimal = /^(0|-?[1-9]\d{0,15})$/

/**
 * Converts a string to the type of its schema. Returns it unchanged if that is not possible; validation rejects it
 * then.
 */
function fromText(schema: ParameterSchema, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (schema.type === 'integer') return decimal.test(value) ? Number(value) : value
  if (schema.type === 'array') return value.split(',').map((item) => fromText(schema.items ?? {}, item))
  if (schema.enum?.every((one) => typeof one === 'number')) return decimal.test(value) ? Number(value) : value
  if (schema.type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  return value
}

function unknownReason(unknown: readonly string[], known: Iterable<string>): string {
  const shown = unknown.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 64)))
  return `${shown.join(', ')}${unknown.length > 5 ? ' and more' : ''}: this operation has ${[...known].join(', ')}.`
}
