import { check, readPages } from '@souk/pages'
import { expect, test } from 'vitest'
import { starter } from './starter.ts'

test('the example has nothing wrong', () => {
  expect(check(readPages(starter))).toEqual([])
})
