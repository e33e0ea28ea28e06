import { expect, test } from 'vitest'
import { findDeclarationProblem, findMismatch } from './hostFunctions.ts'

const card = {
  input: { type: 'object', properties: { program: { enum: ['miles', 'tea'] } }, required: ['program'] },
  result: { $ref: '#/$defs/card', $defs: { card: { type: 'object', properties: { number: { type: 'string' } } } } },
  examples: [{ input: { program: 'tea' }, result: { number: '17' } }],
  failures: [{ reason: 'noCard', description: 'The user has none.' }],
}

test('a declaration is valid if its schemas and examples are', () => {
  expect(findDeclarationProblem(card)).toBeUndefined()
})

test.each([
  ['input: type must be object.', { input: { type: 'string' } }],
  ['input.requird: there is no such keyword.', { input: { type: 'object', requird: ['a'] } }],
  ['input.constructor: there is no such keyword.', { input: { type: 'object', constructor: {} } }],
  ['input.properties must be an object of JSON Schemas.', { input: { type: 'object', properties: [] } }],
  ['input.properties.a must be a JSON Schema.', { input: { type: 'object', properties: { a: 1 } } }],
  ['input.properties.a.type must be one of', { input: { type: 'object', properties: { a: { type: 'text' } } } }],
  ['input.properties.a.pattern must be a', { input: { type: 'object', properties: { a: { pattern: '(' } } } }],
  ['input.patternProperties: ( is not', { input: { type: 'object', patternProperties: { '(': {} } } }],
  ['result.anyOf must be a list of JSON Schemas.', { result: { anyOf: [] } }],
  ['result.$ref must be #/$defs/', { result: { $ref: 'https://schemas.example/card' } }],
  ['result.$ref must be #/$defs/', { result: { $ref: '#/$defs/toString', $defs: {} } }],
  ['examples[0].input.program: ', { examples: [{ input: { program: 'coffee' }, result: {} }] }],
  ['examples[0].result.number: ', { examples: [{ input: { program: 'tea' }, result: { number: 17 } }] }],
  ['failures must have different reasons.', { failures: [...card.failures, ...card.failures] }],
])('it is refused: %s', (problem, change) => {
  expect(findDeclarationProblem({ ...card, ...change })).toContain(problem)
})

test('a schema that is nested endlessly is refused', () => {
  let schema: object = {}
  for (let depth = 0; depth < 30; depth++) schema = { not: schema }
  expect(findDeclarationProblem({ ...card, result: { ...schema } })).toMatch(/^result\.not.* is nested too deeply\.$/)
})

test('a mismatch names the innermost value', () => {
  expect(findMismatch(card.input, { program: 'tea' }, 'input')).toBeUndefined()
  expect(findMismatch(card.input, {}, 'input')).toMatch(/^input: .*program/)
  expect(findMismatch(card.result, { number: 17 }, 'result')).toMatch(/^result\.number: /)
})
