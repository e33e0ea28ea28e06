import { expect, test } from 'vitest'
import type { InboxItem } from './inboxItems.ts'
import { withNewest } from './inboxItems.ts'

const items = (...ids: string[]) => ids.map((notificationId) => ({ notificationId }) as InboxItem)

test('what is new comes first, and older ones that were read before stay below', () => {
  expect(withNewest(items('c', 'b', 'a'), items('d', 'c', 'b'))).toEqual(items('d', 'c', 'b', 'a'))
  expect(withNewest(items('b', 'a'), items('c', 'b', 'a'))).toEqual(items('c', 'b', 'a'))
})

test('where so much is new that there may be a gap, older ones are left to be read again', () => {
  expect(withNewest(items('b', 'a'), items('f', 'e', 'd'))).toEqual(items('f', 'e', 'd'))
})

test('an empty inbox stays empty, and fills', () => {
  expect(withNewest([], [])).toEqual([])
  expect(withNewest([], items('a'))).toEqual(items('a'))
})
