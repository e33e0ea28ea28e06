import { expect, test } from 'vitest'
import { findProblem, findRegexps, isLinear } from './regexps.mjs'

const found = (content: string, file = 'a.ts') =>
  findRegexps(file, content).map(({ line, pattern, flags, exempt }) => [line, pattern, flags, exempt])

test('finds literals, constructors and patterns of schemas, in scripts of Vue files too', () => {
  expect(found('const a: RegExp = /x/gi')).toEqual([[1, 'x', 'gi', false]])
  expect(found("new RegExp('x', 'i')\nRegExp(`y`)")).toEqual([
    [1, 'x', 'i', false],
    [2, 'y', '', false],
  ])
  expect(found("Type.String({ pattern: 'x' })\nconst namePattern = 'y'")).toEqual([
    [1, 'x', 'u', false],
    [2, 'y', 'u', false],
  ])
  expect(found("const globPattern = '**/*.ts'")).toEqual([])
  expect(found('<script setup lang="ts">\nconst a = /x/\n</script>', 'a.vue')).toEqual([[2, 'x', '', false]])
})

test('reports expressions that are composed at run time', async () => {
  const [composed] = findRegexps('a.ts', 'new RegExp(name)')
  expect(await findProblem(composed!)).toMatch(/run time/)
})

test('exempts only the expression below a comment with a reason', () => {
  expect(found('// ReDoS: own input.\nconst a = /x/\nconst b = /y/').map(([, , , exempt]) => exempt)).toEqual([
    true,
    false,
  ])
  expect(found('// ReDoS:\nconst a = /x/')).toEqual([[2, 'x', '', false]])
})

test.each([
  [/\s*,\s*/, /2nd degree polynomial/],
  [/(a|a)*$/, /exponential/],
])('reports %s', async ({ source, flags }, complexity) => {
  expect(await findProblem({ pattern: source, flags })).toMatch(complexity)
})

test.each([/^\d+$/, /,/, /^[^ ]+ +$/])('accepts %s', async ({ source, flags }) => {
  expect(await findProblem({ pattern: source, flags })).toBeUndefined()
})

test('a text that only took long once is no attack', () => {
  const attack = { base: 15_000, suffix: '', pumps: [{ prefix: '', pump: 'plock file "d', bias: 0 }] }
  expect(isLinear(/lock file "[^"]*" (already exists|is empty)/, attack)).toBe(true)
  expect(isLinear(/\s*,\s*/, { base: 10_000, suffix: '', pumps: [{ prefix: '', pump: '\t', bias: 0 }] })).toBe(false)
})
