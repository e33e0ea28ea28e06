import { expect, test } from 'vitest'
import type { InboxItem } from './inboxItems.ts'
import { mergeNewest } from './inboxItems.ts'

const items = (...ids: string[]) => ids.map((notificationId) => ({ notificationId }) as InboxItem)

test('puts new items first and keeps the older ones', () => {
  expect(mergeNewest(items('c', 'b', 'a'), items('d', 'c', 'b'))).toEqual(items('d', 'c', 'b', 'a'))
  expect(mergeNewest(items('b', 'a'), items('c', 'b', 'a'))).toEqual(items('c', 'b', 'a'))
})

test('drops older items if there may be a gap', () => {
  expect(mergeNewest(items('b', 'a'), items('f', 'e', 'd'))).toEqual(items('f', 'e', 'd'))
})

test('handles an empty inbox', () => {
  expect(mergeNewest([], [])).toEqual([])
  expect(mergeNewest([], items('a'))).toEqual(items('a'))
})
