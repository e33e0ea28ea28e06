import { expect, test } from 'vitest'
import { findUnclearSubjects } from './commitSubjects.mjs'

test('reports subjects of more than 72 characters, and single words', () => {
  const longest = `Add ${'é'.repeat(68)}`
  expect(findUnclearSubjects([longest, `${longest}.`, 'Fix', 'Fix it'])).toEqual([`${longest}.`, 'Fix'])
})
