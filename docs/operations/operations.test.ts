import { describe, expect, test } from 'vitest'
import { operationPages } from '../../apps/docs/.vitepress/operations.ts'
import { errorsOf, operations } from '../../packages/contract/src/openapi.ts'
import { errorCodes, operationPage } from '../../packages/contract/src/reference.ts'

const pages = new Map(operationPages().map(({ id, content }) => [id, content]))

/** Returns the names of the fields in a schema, at any depth. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, items, anyOf = [] } = schema as Record<string, unknown> & { properties?: object }
  const inner = [...Object.values(properties), items, ...(anyOf as unknown[])]
  return [...Object.keys(properties), ...inner.flatMap(fieldsOf)]
}

test('the list names every operation', () => {
  for (const { id } of operations) expect(pages.get('index')).toContain(`(/operations/${id}.md)`)
  expect(pages.size).toBe(operations.length + 1)
})

describe.each(operations.map((operation) => [operation.id, operation] as const))('the page of %s', (id, operation) => {
  const page = pages.get(id)!

  test('has every parameter, every field of the response and every error', () => {
    const [parameters = '', response = ''] = page.split('## Response\n')
    for (const name of Object.keys(operation.parameters.properties)) expect(parameters).toContain(`| \`${name}\` |`)
    if (!operation.media) for (const name of fieldsOf(operation.result)) expect(response).toMatch(`${name}\` |`)
    for (const code of errorCodes) {
      expect(response.includes(`(/errors/${code}.md)`), code).toBe(errorsOf(operation).includes(code))
    }
  })

  test('has an example request with curl, and with all clients if they have the operation', () => {
    const titles = [...page.matchAll(/^```\w+ \[(\w+)\]$/gm)].map(([, title]) => title)
    const isOfClients = operation.surface === 'open' || operation.surface === 'platform'
    expect(titles).toEqual(isOfClients ? ['curl', 'TypeScript', 'Python', 'Go', 'Java', 'PHP'] : ['curl'])
  })
})

test('names and values are written as they are', () => {
  const page = operationPage(operations.find(({ id }) => id === 'sendNotify')!, '')
  expect(page).toContain('| openIds from')
  expect(page).not.toMatch(/\b(?:OpenIds|User\.info|Ndjson)\b/)
  expect([...pages.values()].join('')).not.toMatch(/\| (?:OpenIds|User\.|Urn:|Ms\b|MessageId|NotificationId)/)
})
