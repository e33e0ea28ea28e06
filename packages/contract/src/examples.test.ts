import { Validator } from '@cfworker/json-schema'
import { describe, expect, test } from 'vitest'
import { exampleParameters, exampleResponse } from './examples.ts'
import { envelopeOf } from './open/envelope.ts'
import { operations } from './openapi.ts'

/** Returns what a value violates in a schema. */
function violations(schema: unknown, value: unknown): string[] {
  const { errors } = new Validator(JSON.parse(JSON.stringify(schema)), '2020-12', false).validate(value)
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
}

/** Returns the schema with every field required, so that an example shows all of them. */
function whole(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(whole)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, whole(value)]))
  return 'properties' in inner ? { ...inner, required: Object.keys(inner.properties as object) } : inner
}

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  test('has an example request that the contract accepts', () => {
    expect(violations(operation.parameters, exampleParameters(operation))).toEqual([])
  })

  test('has an example response with every field, as the contract describes it', () => {
    const response = exampleResponse(operation)
    if (response === undefined) return
    const schema = operation.surface === 'open' ? envelopeOf(operation) : operation.result
    expect(violations(whole(schema), response)).toEqual([])
  })
})
