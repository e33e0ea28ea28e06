import { expect, test } from 'vitest'
import { consoleOperations } from './console/index.ts'

interface Schema {
  type?: string
  description?: string
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  'x-clock'?: string
}

/** Names of numbers that are times. */
const timeNames =
  /^(time|ctime|mtime|from|to|start|week|day|since|oldest|expires|joined|now)$|(Time|At|Since|Until|Used|SignIn|Sent|Start)$/
/** Numbers with such a name or in ms that are not times. */
const others = ['duration', 'offset', 'forward', 'validityTime', 'p50', 'p95']

/** Yields the numbers of a schema with their names. */
function* numbersIn(schema: Schema, name: string): Generator<[name: string, schema: Schema]> {
  if (schema.type === 'integer') yield [name, schema]
  for (const each of schema.anyOf ?? []) yield* numbersIn(each, name)
  if (schema.items) yield* numbersIn(schema.items, name)
  for (const [key, each] of Object.entries(schema.properties ?? {})) yield* numbersIn(each, key)
}

test('each time of the console is declared to be of the real or the domain clock (ADR 395)', () => {
  const undeclared = Object.values(consoleOperations).flatMap(({ id, parameters, result }) =>
    [parameters, result].flatMap((schema) =>
      [...numbersIn(schema as Schema, id)]
        .filter(([name, { description = '' }]) => timeNames.test(name) || /\bms\b|\bmilliseconds\b/.test(description))
        .filter(([name, each]) => !others.includes(name) && !['real', 'domain'].includes(each['x-clock'] ?? ''))
        .map(([name]) => `${id}: ${name}`),
    ),
  )
  expect(undeclared).toEqual([])
})
