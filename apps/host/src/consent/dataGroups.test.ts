import { expect, test } from 'vitest'
import { groupsOf, groupsWithoutConsent, knownScopes, type OwnScope } from './dataGroups.ts'

const titles = { en: 'QID number', 'zh-Hans': 'QID 号码', ar: 'رقم البطاقة الشخصية' }
const defined: OwnScope[] = [
  { scope: 'user.qid', titles, requiresConsent: true, values: ['28463400123'] },
  { scope: 'user.tier', titles, requiresConsent: false, values: [] },
]

test('scopes reveal the built-in groups first, and each group once', () => {
  expect(groupsOf(['user.qid', 'user.email', 'user.info', 'user.phone'])).toEqual(['email', 'phone', 'user.qid'])
  expect(groupsOf([])).toEqual([])
})

test('scopes without a question are among what every mini app gets', () => {
  expect(groupsWithoutConsent(defined)).toEqual(['info', 'user.tier'])
})

test('scopes that this installation does not have are not asked for', () => {
  expect(knownScopes(['user.info', 'user.other', 'user.qid', 'constructor'], defined)).toEqual([
    'user.info',
    'user.qid',
  ])
})
