import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ClientType,
  type ErrorCode,
  errors,
  errorsOf,
  type Operation,
  openOperations,
  PaymentCallback,
  platformOperations,
  RefundCallback,
  type RetryRule,
  resultField,
  retriedConflicts,
  retryRule,
} from '@souk/contract'
import { type Enumeration, type EnumerationValue, enumerations } from '../../packages/contract/src/enumerations.ts'
import { errorHelp } from '../../packages/contract/src/errorHelp.ts'
import { pascalCase, sentence } from './text.ts'

const root = join(import.meta.dirname, '../..')

/**
 * A type that every language can express. `enumeration` is the name of that whose values a text or integer has,
 * `without` are those that it cannot have.
 */
export type Type = { readonly nullable: boolean; readonly enumeration?: string; readonly without?: number[] } & (
  | { readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'any' | 'map' | 'stream' }
  | { readonly kind: 'list' | 'page'; readonly of: Type }
  | { readonly kind: 'model'; readonly name: string }
)

/** A parameter of an operation, or a field of a model. `name` is the one on the wire. */
export interface Field {
  readonly name: string
  readonly type: Type
  readonly required: boolean
  /** Sentences: what it is, and its format, such as its unit and length. */
  readonly description: string
  /** The only value that the contract allows. */
  readonly only: string | number | undefined
  /** Whether the contract says that it is never logged; its model hides it when it is printed. */
  readonly secret: boolean
}

/** An object that operations take or return. */
export interface Model {
  readonly name: string
  readonly description: string
  readonly fields: readonly Field[]
}

/** An operation as the clients call it. */
export interface Call {
  readonly name: string
  /** Sentences: the summary, the section of docs/spec/open-api.md if there is one, and notes. */
  readonly summary: string
  readonly method: string
  readonly path: string
  /** Location of its parameters, except those in the path. */
  readonly place: 'query' | 'form' | 'multipart' | 'json'
  readonly retry: RetryRule
  readonly signed: boolean
  /** Parameters except appid, timestamp and sign, which the client adds, and except those in `fixed`. */
  readonly parameters: readonly Field[]
  /** The type of the parameters in TypeScript. */
  readonly parametersType: ClientType
  /** Names of all parameters whose values an error may not show. */
  readonly secrets: readonly string[]
  /** Parameters with one possible value. */
  readonly fixed: Readonly<Record<string, string | number>>
  /** Values of parameters that callers may omit, and that the specification requires in each request. */
  readonly defaults: Readonly<Record<string, string>>
  readonly result: Type
  /** A field that every result has, by which clients recognize it; empty if the result is not an object. */
  readonly resultField: string
}

/** Everything that is generated in each language. */
export interface Description {
  readonly open: readonly Call[]
  readonly platform: readonly Call[]
  readonly models: readonly Model[]
  /** The enumerations of their fields. */
  readonly enumerations: readonly (Enumeration & { readonly name: string })[]
  /** Errors that the operations can have, with sentences about what they mean and what to do. */
  readonly errorCodes: readonly EnumerationValue[]
  /** Version of the clients. */
  readonly version: string
  /** Codes of conflicts after which an operation is repeated. */
  readonly retriedConflicts: readonly string[]
}

/** The part of JSON Schema that the contract uses. */
interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly 'x-allowed'?: string
  readonly 'x-clock'?: string
  readonly 'x-enum'?: string
}

/** The models found so far, by name. Objects with the same signature are the same model. */
type Models = Map<string, Model & { signature: string }>

/** The models found so far, an operation whose objects are looked at, and what its declaration lacks. */
interface Scope {
  readonly models: Models
  readonly operation: Pick<Operation, 'id' | 'surface' | 'clientTypes' | 'redact'>
  readonly faults: string[]
}

/**
 * Describes the operations that programs call: the open API and the platform data API.
 *
 * @throws AggregateError with a sentence for each type that has no name in the contract, or the name of another one
 */
export function describe(
  operations: Readonly<Record<'open' | 'platform', readonly Operation[]>> = {
    open: Object.values(openOperations),
    platform: Object.values(platformOperations),
  },
): Description {
  const models: Models = new Map()
  const faults: string[] = []
  const describeAll = (all: readonly Operation[]) =>
    all.map((operation) => callOf(operation, { models, operation, faults }))
  const open = describeAll(operations.open)
  const platform = describeAll(operations.platform)
  const addEvent = (name: string, result: string, type: Schema) => {
    const properties = Object.fromEntries(Object.entries(type.properties ?? {}).filter(([field]) => field !== 'sign'))
    models.set(name, {
      name,
      description: `${result}. Times are in milliseconds, amounts in cents. Each result is delivered at least once: process each notifyId once.`,
      fields: fieldsOf({ properties, required: Object.keys(properties) }, String, {
        models,
        operation: { id: 'callback', surface: 'open', redact: [] },
        faults,
      }),
      signature: name,
    })
  }
  addEvent('PaymentEvent', 'A payment result (open-api §6)', PaymentCallback as Schema)
  addEvent(
    'RefundEvent',
    'The result of a refund, which can fail days after it succeeded, with another notifyId',
    RefundCallback as Schema,
  )
  if (faults.length > 0) throw new AggregateError(faults.map((sentence) => new Error(sentence)))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    open,
    platform,
    models: [...models.values()],
    enumerations: enumerationsOf([...open, ...platform], [...models.values()]),
    errorCodes: errorCodesOf([...operations.open, ...operations.platform]),
    version,
    retriedConflicts,
  }
}

/** Returns the enumerations of parameters and models, in the order of the contract. */
function enumerationsOf(calls: readonly Call[], models: readonly Model[]): Description['enumerations'] {
  const fields = [...calls.map(({ parameters }) => parameters), ...models.map(({ fields }) => fields)].flat()
  const used = new Set(fields.map(({ type }) => type.enumeration))
  return Object.entries(enumerations)
    .filter(([name]) => used.has(name))
    .map(([name, enumeration]) => ({ name, ...enumeration }))
}

/** Errors of requests that reach no operation. */
const withoutOperation: readonly ErrorCode[] = [
  'request_malformed',
  'request_timeout',
  'headers_too_large',
  'route_unknown',
  'method_not_allowed',
]

function errorCodesOf(operations: readonly Operation[]): EnumerationValue[] {
  const possible = new Set([...withoutOperation, ...operations.flatMap(errorsOf)])
  return (Object.keys(errors) as ErrorCode[])
    .filter((code) => possible.has(code))
    .map((code) => {
      const { cause, fix } = errorHelp[code]
      return { name: code, value: code, description: [errors[code].msg, cause, fix].map(sentence).join(' ') }
    })
}

function typeOf(schema: Schema, place: string, scope: Scope): Type {
  const [choice, none] = schema.anyOf ?? []
  if (choice && none?.type === 'null') return { ...typeOf(choice, place, scope), nullable: true }
  const nullable = false
  const values = valuesOf(schema)
  if (values || schema['x-enum']) {
    const kind = schema.type === 'integer' || typeof values?.[0] === 'number' ? 'integer' : 'string'
    return { kind, nullable, ...enumerationOf(schema, place, scope) }
  }
  switch (schema.type) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return { kind: schema.type, nullable }
    case 'array':
      return { kind: 'list', of: typeOf(schema.items ?? {}, place, scope), nullable }
    case 'object':
      return objectType(schema, place, scope)
  }
  return { kind: 'any', nullable }
}

const valuesOf = (schema: Schema) => schema.enum ?? (schema.const === undefined ? undefined : [schema.const])

/** Returns the name of the enumeration of a schema, in which all its values have names. */
function enumerationOf(
  schema: Schema,
  place: string,
  { operation, faults }: Scope,
): Pick<Type, 'enumeration' | 'without'> {
  const values = valuesOf(schema) ?? []
  const enumeration = schema['x-enum']
  if (enumeration === undefined) {
    if (values.length > 1) faults.push(`${fileOf(operation)}: add 'x-enum' to ${place} of ${operation.id}`)
    return {}
  }
  const named = enumerations[enumeration]?.values.map(({ value }) => value) ?? []
  const missing = values.filter((value) => !named.includes(value as string))
  if (named.length === 0 || missing.length > 0) {
    const what = missing.length > 0 ? `${missing.join(', ')} of ${enumeration}` : enumeration
    faults.push(`packages/contract/src/enumerations.ts: add ${what}, which ${place} of ${operation.id} has`)
  }
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  const without = named.filter((value) => typeof value === 'number' && (value < minimum || value > maximum)) as number[]
  return { enumeration, ...(without.length > 0 && { without }) }
}

function objectType(schema: Schema, place: string, scope: Scope): Type {
  const { properties } = schema
  if (!properties) return { kind: 'map', nullable: false }
  if (properties.items && properties.next) {
    return { kind: 'page', of: typeOf(properties.items.items ?? {}, place, scope), nullable: false }
  }
  return { kind: 'model', name: addModel(schema, place, scope), nullable: false }
}

/** Returns the name of a model; objects with the same fields are the same model. */
function addModel(schema: Schema, place: string, scope: Scope): string {
  const { models, operation, faults } = scope
  const fields = fieldsOf(schema, (name) => `${place}.${name}`, scope)
  const signature = JSON.stringify(fields.map(({ name, type, required, secret }) => [name, type, required, secret]))
  for (const model of models.values()) if (model.signature === signature) return model.name
  const type = operation.clientTypes?.[place]
  if (!type || models.has(type.name)) {
    const advice = type ? `${type.name} has other fields: rename '${place}' in` : `add '${place}' to`
    faults.push(`${fileOf(operation)}: ${advice} clientTypes of ${operation.id}`)
    return ''
  }
  models.set(type.name, { ...type, fields, signature })
  return type.name
}

function fieldsOf(
  { properties = {}, required = [] }: Schema,
  placeOf: (name: string) => string,
  scope: Scope,
): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema, placeOf(name), scope),
    // Clients repeat an append, which is stored once by the id of its batch.
    required: name === 'batchId' || (required.includes(name) && schema.default === undefined),
    description: describeField(schema.anyOf?.[0] ?? schema, schema),
    only: valuesOf(schema)?.length === 1 ? (valuesOf(schema)![0] as string | number) : undefined,
    secret: scope.operation.redact.includes(name),
  }))
}

/** Returns what a field is and its format. `outer` is the schema with `null`, if it can be null. */
function describeField(schema: Schema, outer: Schema): string {
  const given = outer.description ?? schema.description ?? ''
  const isTime = schema['x-clock'] !== undefined
  // The format of times has their unit.
  const described = sentence(
    isTime ? given.replace(/^ms( of real time)?$|,? (in )?milliseconds(?=[.:,;]|$)/, '') : given,
  )
  const format = formatOf(schema)
  // Some descriptions have all words of the format.
  const adds = [...format.matchAll(/[\w#]{4,}|\d+/g)].some(
    ([word]) => !described.toLowerCase().includes(word.toLowerCase()),
  )
  return [described, adds ? format : '', defaultOf(schema, described)].filter(Boolean).join(' ')
}

/** Returns a sentence about the format of a field, without the values of an enumeration. */
function formatOf(schema: Schema): string {
  if (schema['x-clock']) return 'Unix time in milliseconds, UTC.'
  if (schema['x-enum']) return ''
  const allowed = schema['x-allowed']
  // Clients join the items of lists.
  if (allowed && (schema.type !== 'array' || allowed.startsWith('must be a list'))) {
    return sentence(pascalCase(allowed.replace(/^must (be|have) /, '')))
  }
  return schema.maxLength === undefined ? '' : `At most ${schema.maxLength} characters.`
}

function defaultOf({ default: value }: Schema, described: string): string {
  return value === undefined || /default/i.test(described) ? '' : `Default: ${value}.`
}

/** Returns the path of the file that declares an operation, or of the folder if none does. */
function fileOf({ id, surface }: Pick<Operation, 'id' | 'surface'>): string {
  const folder = `packages/contract/src/${surface}`
  const declares = (name: string) => readFileSync(join(root, folder, name), 'utf8').includes(`id: '${id}'`)
  return [folder, ...readdirSync(join(root, folder)).filter(declares)].join('/')
}

function callOf(operation: Operation, scope: Scope): Call {
  const { id, summary, section, notes, method, path, redact } = operation
  const { properties, required = [] } = operation.parameters as Schema
  const own = Object.entries(properties ?? {}).filter(([name]) => !['appid', 'timestamp', 'sign'].includes(name))
  const isFixed = ([, schema]: [string, Schema]) => onlyValue(schema) !== undefined
  return {
    name: id,
    summary: [sentence(summary), section ? `See open-api §${section}.` : '', notes ?? ''].filter(Boolean).join(' '),
    method,
    path,
    place: parametersIn(operation),
    retry: retryRule(operation),
    signed: operation.auth === 'sign',
    parameters: fieldsOf(
      { properties: Object.fromEntries(own.filter((entry) => !isFixed(entry))), required },
      (name) => `parameters.${name}`,
      scope,
    ),
    parametersType: operation.clientTypes?.parameters ?? {
      name: `${pascalCase(id)}Parameters`,
      description: `Parameters of \`${id}\`.`,
    },
    secrets: redact.filter((name) => properties && name in properties),
    fixed: Object.fromEntries(own.filter(isFixed).map(([name, schema]) => [name, onlyValue(schema)!])),
    defaults: Object.fromEntries(
      own
        .filter(([name, schema]) => operation.surface === 'open' && required.includes(name) && schema.default)
        .map(([name, schema]) => [name, schema.default as string]),
    ),
    result: operation.media ? { kind: 'stream', nullable: false } : typeOf(operation.result as Schema, 'result', scope),
    resultField: resultField(operation) ?? '',
  }
}

/** Returns the value of a parameter that has only one. */
function onlyValue({ enum: values, type, minimum, maximum }: Schema): string | number | undefined {
  if (values?.length === 1) return values[0] as string
  return type === 'integer' && minimum === maximum ? minimum : undefined
}

function parametersIn({ id, method, file, body }: Operation): Call['place'] {
  if (file) return 'multipart'
  if (body?.includes('json')) return 'json'
  // Specified with its parameters in the query string, although it is a POST (open-api §4.1).
  return method === 'GET' || method === 'DELETE' || id === 'tradeclose' ? 'query' : 'form'
}
