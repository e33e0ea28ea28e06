import { check, readPages } from '@souk/pages'
import { expect, test } from 'vitest'
import { starter } from './starter.ts'

test('the example has no problems', () => {
  expect(check(readPages(starter))).toEqual([])
})
