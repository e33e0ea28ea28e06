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

test('what is committed is what `npm run generate` writes', async () => {
  for (const [path, text] of Object.entries(generate())) {
    expect(await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8'), path).toBe(text)
  }
})

test('every registered error can be answered by an operation, and no two operations share an id or a route', () => {
  const reachable = new Set(operations.flatMap(errorsOf))
  // A path that no operation has cannot be in an operation's list.
  reachable.add('route_unknown')
  // Images are read at addresses that an upload gave, not through an operation.
  reachable.add('file_not_found')
  // Providers send webhooks to addresses of their own.
  reachable.add('webhook_refused')
  expect([...reachable].sort()).toEqual(Object.keys(errors).sort())
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length)
})

test('whatever is redacted exists among the parameters or the result', () => {
  for (const operation of operations) {
    const names = [
      ...Object.keys(operation.parameters.properties),
      ...Object.keys((operation.result as { properties?: object }).properties ?? {}),
    ]
    for (const name of operation.redact) expect(names, operation.id).toContain(name)
  }
})

test('statuses of errors are client or server errors', () => {
  for (const code of Object.keys(errors) as ErrorCode[]) expect(errors[code].status).toBeGreaterThanOrEqual(400)
})
