import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hostFunctionTypes, readHostFunctions, schemasModule } from './hostFunctions.ts'

function projectOf(text?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'souk-host-functions-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  if (text !== undefined) writeFileSync(join(folder, 'host-functions.json'), text)
  return folder
}

test('reads declarations by name; a project without the file has none', () => {
  const declared = { input: { type: 'object' }, result: {}, examples: [], failures: [], question: null }
  const folder = projectOf(JSON.stringify({ storeLocator: declared, loyaltyCard: declared }))
  const functions = readHostFunctions(folder)
  expect(functions.map(({ name }) => name)).toEqual(['loyaltyCard', 'storeLocator'])
  expect(schemasModule(functions)).not.toContain('examples')
  expect(readHostFunctions(projectOf())).toEqual([])
})

test.each([
  ['{', 'is not JSON'],
  ['[]', 'must be an object with a declaration for each name'],
  ['{"loyaltyCard":{}}', 'loyaltyCard is not a declaration. Write it with: souk functions add loyaltyCard'],
  ['{"a-b":{"input":{},"result":{}}}', 'a-b is not a declaration'],
])('refuses %s', (text, problem) => {
  expect(() => readHostFunctions(projectOf(text))).toThrow(problem)
})

test.each<[object, string]>([
  [{ type: 'string' }, 'string'],
  [{ type: ['integer', 'null'] }, '(number | null)'],
  [{ enum: ['a', 1] }, '("a" | 1)'],
  [{ const: true }, 'true'],
  [{ type: 'array', items: { type: 'boolean' } }, 'boolean[]'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
  [
    { type: 'object', properties: { a: { type: 'string' }, 'b-c': {} }, required: ['a'] },
    '{ a: string; "b-c"?: unknown }',
  ],
  [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, '(string | number)'],
  [{ $ref: '#/$defs/id', $defs: { id: { type: 'string' } } }, 'string'],
  [{ type: 'object' }, 'object'],
  [{}, 'unknown'],
])('the type of %j is %s', (result, type) => {
  const input = { type: 'object', description: 'Ends */ here.' }
  expect(hostFunctionTypes([{ name: 'call', input, result: result as never }])).toContain(
    `  /** Ends *\\/ here. */\n  call(input?: object): Promise<${type}>\n`,
  )
})

test('the type of a schema that refers to itself ends', () => {
  const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } }
  const types = hostFunctionTypes([
    { name: 'walk', input: { type: 'object' }, result: { $ref: '#/$defs/node', $defs: { node } } },
  ])
  expect(types).toContain('unknown')
  expect(types.length).toBeLessThan(1000)
})
