import { expect, test } from 'vitest'
import { findMisplaced } from './executionOrder.ts'

/** Modules with their imports, chunks with their modules; a chunk imports the chunks of what its modules import. */
function check(
  imports: Record<string, string[]>,
  chunks: Record<string, string[]>,
  { start = ['main'], others = [] as string[], inert = [] as string[] } = {},
): string | undefined {
  const chunkOf = (id: string) => Object.keys(chunks).find((name) => chunks[name]!.includes(id))!
  const importsOf = (id: string) => imports[id] ?? []
  const importsOfChunk = (name: string) =>
    [...new Set(chunks[name]!.flatMap(importsOf).map(chunkOf))].filter((each) => each !== name)
  return findMisplaced(
    Object.entries(chunks).map(([fileName, moduleIds]) => ({
      fileName,
      moduleIds,
      imports: importsOfChunk(fileName),
    })),
    { importsOf, isSensitive: (id) => !inert.includes(id) },
    start,
    others,
  )
}

test('finds a module that a shared chunk runs before the modules that the entry imports first', () => {
  const imports = { main: ['ui', 'App'], App: ['router'], page: ['router'] }
  const apart = { main: ['ui', 'App', 'main'], router: ['router'], page: ['page'] }
  expect(check(imports, apart, { others: ['page'] })).toBe('router')
  expect(check(imports, apart, { others: ['page'], inert: ['router'] })).toBeUndefined()
  const together = { main: ['ui', 'router', 'App', 'main'], page: ['page'] }
  expect(check(imports, together, { others: ['page'] })).toBeUndefined()
})

test('checks each entry as the first one after the start, and without what has run at the start', () => {
  const imports = { main: ['ui'], a: ['ui', 'own', 'shared'], b: ['shared'] }
  const chunks = { main: ['ui', 'main'], shared: ['shared'], a: ['own', 'a'], b: ['b'] }
  expect(check(imports, chunks, { others: ['b', 'a'] })).toBe('shared')
  expect(check({ ...imports, a: ['ui', 'shared', 'own'] }, chunks, { others: ['b', 'a'] })).toBeUndefined()
})

test('finds a module that runs although the entry does not import it', () => {
  expect(check({ main: ['a'] }, { vendor: ['other', 'a'], main: ['main'] })).toBe('other')
  expect(check({ main: ['a'] }, { main: ['a', 'main'], vendor: ['other'] })).toBeUndefined()
})

test('finds a module that runs before its imports, even if it is inert, unless they import each other', () => {
  const chunks = { main: ['uses', 'used', 'main'] }
  expect(check({ main: ['uses'], uses: ['used'] }, chunks, { inert: ['uses', 'used'] })).toBe('uses')
  const circle = { main: ['uses'], uses: ['used'], used: ['uses'] }
  expect(check(circle, chunks, { inert: ['uses', 'used'] })).toBeUndefined()
})
