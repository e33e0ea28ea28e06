import { expect, test } from 'vitest'
import { findLongSubjects } from './commitSubjects.mjs'

test('reports subjects of more than 72 characters', () => {
  const longest = 'é'.repeat(72)
  expect(findLongSubjects([longest, `${longest}.`, ''])).toEqual([`${longest}.`])
})
