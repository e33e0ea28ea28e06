import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import generate from '../generate.ts'
import { type ErrorCode, errors } from './errors.ts'
import { errorsOf, openapi, operations } from './openapi.ts'

test('the OpenAPI document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  expect(await validator.validate(JSON.parse(JSON.stringify(openapi())))).toMatchObject({ valid: true })
  expect(validator.version).toBe('3.1')
})

test('the committed files match the output of `npm run generate`', async () => {
  for (const [path, text] of Object.entries(generate())) {
    expect(await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8'), path).toBe(text)
  }
})

test('every error is returned by some operation, and ids and routes are unique', () => {
  const reachable = new Set(operations.flatMap(errorsOf))
  // Not specific to an operation: unknown paths.
  reachable.add('route_unknown')
  // Not returned by operations: uploaded images have their own URLs.
  reachable.add('file_not_found')
  // Not returned by operations: the registry of packages has its own URLs.
  reachable.add('package_not_found')
  // Not returned by operations: webhooks of providers have their own URLs.
  reachable.add('webhook_refused')
  // Not returned by operations: the commands that run on the machine of the installation.
  const ofCommands = /^(backup|restore|move|database|copy|installation|archive|partition|recover|storage)_/
  for (const code of Object.keys(errors) as ErrorCode[]) if (ofCommands.test(code)) reachable.add(code)
  // Not specific to an operation: requests that cannot be read.
  for (const code of ['headers_too_large', 'request_malformed', 'request_timeout'] as const) reachable.add(code)
  expect([...reachable].sort()).toEqual(Object.keys(errors).sort())
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length)
})

/** Returns the names of the fields in a schema, at any depth. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : []
  return [...own, ...Object.values(schema).flatMap(fieldsOf)]
}

test('redacts only existing parameters and result fields', () => {
  for (const operation of operations) {
    const names = [...fieldsOf(operation.parameters), ...fieldsOf(operation.result)]
    for (const name of operation.redact) expect(names, operation.id).toContain(name)
  }
})

test('error statuses are 4xx or 5xx', () => {
  for (const code of Object.keys(errors) as ErrorCode[]) expect(errors[code].status).toBeGreaterThanOrEqual(400)
})
