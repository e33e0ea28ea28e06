import type { Operation } from '@souk/contract'
import { type CalledOperation, SoukResponseError } from './errors.ts'

/** The part of JSON Schema that results use. */
interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** A value, and where it was found. */
interface Found {
  readonly operation: CalledOperation
  readonly path: string
  readonly value: unknown
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

const checks: Readonly<Record<string, { expected: string; accepts: (value: unknown) => boolean }>> = {
  string: { expected: 'a text', accepts: (value) => typeof value === 'string' },
  integer: { expected: 'an integer', accepts: Number.isSafeInteger },
  number: { expected: 'a number', accepts: Number.isFinite },
  boolean: { expected: 'a boolean', accepts: (value) => typeof value === 'boolean' },
  array: { expected: 'a list', accepts: Array.isArray },
  object: { expected: 'an object', accepts: isObject },
}

/**
 * Returns a result with the fields of the contract. All clients follow the same rule (ADR 327): integers are exact,
 * only what may be null can be missing, unknown fields are dropped, and unknown values of enumerations are kept.
 *
 * @throws SoukResponseError
 */
export function decodeResult(operation: Operation, value: unknown): unknown {
  return decode(operation.result as Schema, { operation: operation.id as CalledOperation, path: '', value })
}

function decode(schema: Schema, found: Found): unknown {
  const { operation, path, value } = found
  if (schema.anyOf) return value === null || value === undefined ? null : decode(schema.anyOf[0]!, found)
  const check = checks[typeNameOf(schema)]
  if (!check) return value
  if (!check.accepts(value)) {
    const reason = `must be ${check.expected}, but is ${describe(value, check.expected)}`
    throw new SoukResponseError(operation, path || 'the result', reason)
  }
  const { items, properties, required = [] } = schema
  if (items) {
    return (value as unknown[]).map((item, index) =>
      decode(items, { operation, path: `${path}[${index}]`, value: item }),
    )
  }
  if (!properties) return value
  const fields = value as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => name in fields || required.includes(name))
      .map(([name, field]) => {
        const inner = { operation, path: path ? `${path}.${name}` : name, value: fields[name] }
        return [name, decode(field, inner)]
      }),
  )
}

function typeNameOf({ type, enum: values, const: only }: Schema): string {
  if (type) return type
  const value = only ?? values?.[0]
  return typeof value === 'number' ? 'integer' : typeof value
}

/** Describes a value without showing it: it can be personal data. */
function describe(value: unknown, expected: string): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number' && expected === 'an integer') {
    return Math.abs(value) > Number.MAX_SAFE_INTEGER ? 'too large' : 'fractional'
  }
  return { string: 'a text', number: 'a number', boolean: 'a boolean' }[typeof value as string] ?? 'an object'
}
