import { currencies, type Operation, openOperations, platformOperations } from '@souk/contract'
import { marker } from './hostileServer.ts'

/** A secret number, which no client may print. */
export const markedNumber = 7_391_846_205

/** The part of JSON Schema that the operations use. */
interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly 'x-enum'?: string
}

const text = { type: 'string' }
const objectOf = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []) => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required } as Schema as Operation['parameters']
}
const part = objectOf({ label: text })

/** A secret field of each type that the contract can have. */
const types = {
  Text: text,
  Integer: { type: 'integer' },
  Number: { type: 'number' },
  Flag: { type: 'boolean' },
  Texts: { type: 'array', items: text },
  Record: { type: 'object' },
  Value: {},
  Currency: { enum: currencies, 'x-enum': 'Currency' },
  Status: { type: 'integer', 'x-enum': 'TransactionStatus' },
  Part: part,
  Parts: { type: 'array', items: part },
}
const named = (schemas: Readonly<Record<string, Schema>>, suffix = '') =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`hidden${name}${suffix}`, schema]))
const nullableTypes = Object.fromEntries(
  Object.entries(types).map(([name, schema]) => [name, { anyOf: [schema, { type: 'null' }] }]),
)
const required = named(types)
const nullable = named(nullableTypes, 'OrNull')
const { Text, Integer, Texts, Currency, Status } = types
const inForm = named({ Text, Integer, Texts, Currency, Status })

const redact = ['hiddenNote', ...Object.keys(required), ...Object.keys(nullable)]

/** Operations with secrets that nothing in the clients knows by name, as a new version of the contract could have. */
export const secretOperations = {
  open: {
    ...openOperations.tradeclose,
    id: 'hide',
    summary: 'Hide',
    clientTypes: {
      result: { name: 'Hidden', description: 'Secrets of all types.' },
      'result.hiddenPart': { name: 'HiddenPart', description: 'A part of a secret.' },
      'result.shown': { name: 'Shown', description: 'Has a secret, but is none.' },
    },
    parameters: objectOf(inForm),
    result: objectOf({ title: text, ...required, ...nullable, shown: objectOf({ title: text, hiddenText: text }) }),
    redact,
  },
  platform: {
    ...platformOperations.createDataset,
    id: 'hideRecord',
    summary: 'Hide record',
    clientTypes: { 'parameters.hidden': { name: 'NewHidden', description: 'Secrets of a record.' } },
    parameters: objectOf({
      name: text,
      hidden: objectOf({ title: text, hiddenNote: text, ...required }, ['title', 'hiddenNote']),
    }),
    result: { type: 'boolean' },
    redact,
  },
} satisfies Record<string, Operation>

/** Returns a result of `secretOperations.open` whose secrets are marked. */
export function secretResult(): unknown {
  return filled(secretOperations.open.result as Schema, false)
}

function filled({ type, enum: values, anyOf, items, properties }: Schema, isSecret: boolean): unknown {
  if (anyOf) return filled(anyOf[0]!, isSecret)
  if (items) return [filled(items, isSecret)]
  if (properties) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, filled(schema, isSecret || redact.includes(name))]),
    )
  }
  if (type === 'object') return { name: marker }
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return isSecret ? markedNumber : 1
  return isSecret && !values ? `${marker}text` : 'text'
}
