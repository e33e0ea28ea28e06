import { type Schema, Validator } from '@cfworker/json-schema'

/**
 * Checks of functions of the host, which operators declare with JSON Schema: on the server when they are declared, and
 * at both ends of the bridge when they are called. Apart from the rest of the contract, so that pages load the
 * validator with the first call. It interprets schemas, since policies of mini apps and hosts forbid `eval`.
 */

/** A JSON Schema of draft 2020-12, with the keywords in `keywords`. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** What a call of a function takes and returns. */
export interface HostFunctionSchemas {
  readonly input: JsonSchema
  readonly result: JsonSchema
}

/** A declared failure. Mini apps get `reason`. */
export interface HostFunctionFailure {
  readonly reason: string
  readonly description: string
}

/** What an application answers. */
export type HostFunctionAnswer = { readonly result: unknown } | { readonly failure: string }

/** A function as the operator declares it. */
export interface HostFunctionDefinition extends HostFunctionSchemas {
  readonly examples: readonly { readonly input: unknown; readonly result: unknown }[]
  readonly failures: readonly HostFunctionFailure[]
}

/** Keywords by what their value contains: other schemas, or none. */
const keywords: Readonly<Record<string, 'schema' | 'list' | 'map' | 'value'>> = {
  properties: 'map',
  patternProperties: 'map',
  $defs: 'map',
  dependentSchemas: 'map',
  items: 'schema',
  additionalProperties: 'schema',
  propertyNames: 'schema',
  contains: 'schema',
  not: 'schema',
  if: 'schema',
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: 'schema',
  else: 'schema',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  prefixItems: 'list',
  ...Object.fromEntries(
    [
      ...['$schema', '$ref', '$comment', 'title', 'description', 'default', 'examples', 'deprecated', 'type', 'enum'],
      ...['const', 'required', 'dependentRequired', 'minProperties', 'maxProperties', 'minItems', 'maxItems'],
      ...['uniqueItems', 'minContains', 'maxContains', 'minLength', 'maxLength', 'pattern', 'format', 'minimum'],
      ...['maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
    ].map((keyword) => [keyword, 'value'] as const),
  ),
}
const types = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']
const reference = /^#\/\$defs\/([\w-]+)$/
/** Nested more deeply, a schema is a mistake. */
const maxDepth = 20

/** Returns why a value does not match a schema, beginning with `at`; undefined if it matches. */
export function findMismatch(schema: JsonSchema, value: unknown, at: string): string | undefined {
  const { errors } = new Validator(schema as Schema, '2020-12', false).validate(value)
  // The errors of an object come before those of its properties, which say more.
  const deepest = [...errors].sort((a, b) => b.instanceLocation.length - a.instanceLocation.length)[0]
  if (!deepest) return undefined
  const place = deepest.instanceLocation.slice(1).replaceAll('/', '.')
  return `${at}${place}: ${deepest.error}`
}

/** Returns why a declaration is invalid, beginning with the field; undefined if it is valid. */
export function findDeclarationProblem(declared: HostFunctionDefinition): string | undefined {
  const { input, result, examples, failures } = declared
  if (input.type !== 'object') return 'input: type must be object.'
  for (const field of ['input', 'result'] as const) {
    const problem = findSchemaProblem(declared[field], declared[field], field, 0)
    if (problem !== undefined) return problem
  }
  for (const [index, example] of examples.entries()) {
    const problem =
      findMismatch(input, example.input, `examples[${index}].input`) ??
      findMismatch(result, example.result, `examples[${index}].result`)
    if (problem !== undefined) return problem
  }
  const reasons = failures.map(({ reason }) => reason)
  if (new Set(reasons).size < reasons.length) return 'failures must have different reasons.'
  return undefined
}

/** Returns why a value is not a schema that `findMismatch` understands. */
function findSchemaProblem(schema: unknown, root: JsonSchema, at: string, depth: number): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isObject(schema)) return `${at} must be a JSON Schema.`
  if (depth > maxDepth) return `${at} is nested too deeply.`
  for (const [keyword, value] of Object.entries(schema)) {
    const place = `${at}.${keyword}`
    const kind = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined
    if (kind === undefined) return `${place}: there is no such keyword.`
    const problem =
      kind === 'value' ? findValueProblem(keyword, value, root, place) : findNested(kind, value, root, place, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

function findNested(
  kind: 'schema' | 'list' | 'map',
  value: unknown,
  root: JsonSchema,
  at: string,
  depth: number,
): string | undefined {
  if (kind === 'schema') return findSchemaProblem(value, root, at, depth)
  if (kind === 'list' ? !Array.isArray(value) || value.length === 0 : !isObject(value))
    return `${at} must be ${kind === 'list' ? 'a list' : 'an object'} of JSON Schemas.`
  for (const [key, each] of Object.entries(value as object)) {
    if (at.endsWith('.patternProperties') && !isPattern(key)) return `${at}: ${key} is not a regular expression.`
    const problem = findSchemaProblem(each, root, `${at}.${key}`, depth)
    if (problem !== undefined) return problem
  }
  return undefined
}

function findValueProblem(keyword: string, value: unknown, root: JsonSchema, at: string): string | undefined {
  if (keyword === 'type' && ![value].flat().every((each) => types.includes(each as string)))
    return `${at} must be one of ${types.join(', ')}, or a list of them.`
  if (keyword === 'pattern' && !isPattern(value)) return `${at} must be a regular expression.`
  if ((keyword === 'enum' || keyword === 'required') && !Array.isArray(value)) return `${at} must be a list.`
  if (keyword === '$ref') {
    const name = reference.exec(String(value))?.[1]
    if (name === undefined || !isObject(root.$defs) || !Object.hasOwn(root.$defs, name))
      return `${at} must be #/$defs/ and the name of a schema in $defs.`
  }
  return undefined
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isPattern(value: unknown): value is string {
  try {
    // ReDoS: the expression is compiled only, not run.
    new RegExp(value as string, 'u')
    return typeof value === 'string'
  } catch {
    return false
  }
}
