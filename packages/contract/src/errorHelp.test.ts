import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@cfworker/json-schema'
import { describe, expect, test } from 'vitest'
import { errorHelp } from './errorHelp.ts'
import { type ErrorCode, errors } from './errors.ts'
import { errorsOf, operations } from './openapi.ts'
import type { Operation } from './operation.ts'
import { requestsOf } from './reference.ts'

const docs = join(import.meta.dirname, '../../../docs')
const operationOf = (id: string) => operations.find((operation) => operation.id === id)

const isAccepted = ({ parameters }: Operation, values: unknown) =>
  new Validator(JSON.parse(JSON.stringify(parameters)), '2020-12').validate(JSON.parse(JSON.stringify(values))).valid

/** Returns the anchors of a page, as GitHub and the site make them. */
const anchorsOf = (page: string) =>
  Array.from(readFileSync(join(docs, page), 'utf8').matchAll(/^#+ (.+)$/gm), ([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

describe.each(Object.keys(errors) as ErrorCode[])('%s', (code) => {
  const { cause, fix, guide, example } = errorHelp[code]

  test('has a cause and a fix that say more than its message, and a guide that exists', () => {
    expect(cause.split(' ').length).toBeGreaterThan(5)
    expect(fix.split(' ').length).toBeGreaterThan(5)
    expect([cause, fix]).not.toContain(errors[code].msg)
    const [page = '', anchor] = guide.split('#')
    expect(existsSync(join(docs, page)), page).toBe(true)
    if (anchor) expect(anchorsOf(page)).toContain(anchor)
  })

  test('has an example of what causes it, and of what is right', () => {
    if (example.kind !== 'operation') {
      expect(example.wrong).not.toBe(example.right)
      return
    }
    const operation = operationOf(example.operation)!
    expect(errorsOf(operation)).toContain(code)
    if (example.first) expect(operationOf(example.first)).toBeDefined()
    const { wrong, right } = requestsOf(operation, example)
    expect(isAccepted(operation, right)).toBe(true)
    // Without a state, the schema refuses the request.
    expect(isAccepted(operation, wrong)).toBe(example.when !== undefined)
  })
})

test('examples of HTTP requests are of operations of the contract', () => {
  const known = new Set(operations.map(({ method, path }) => `${method} ${path}`))
  // Surfaces without operations.
  const others = /^(?:POST \/webhooks|GET \/npm)\//
  const unknown = Object.values(errorHelp).flatMap(({ example }) => {
    if (example.kind !== 'http') return []
    const [method, address = ''] = example.right.split(/\s/)
    const line = `${method} ${address.split('?')[0]}`
    return known.has(line) || others.test(line) ? [] : [line]
  })
  expect(unknown).toEqual([])
})
