import { expect, test } from 'vitest'
import { type Audience, isInAudience, isWiderThan, percentileOf } from './audience.ts'

const everyone: Audience = { share: 100, uids: [], languages: [], systems: [] }

test('of 1,000,000 users, each percentage selects its share within 0.2 points', () => {
  const users = 1_000_000
  const percentiles = Float64Array.from({ length: users }, (_, uid) =>
    percentileOf('0198a2b4', uid + 10_000_000),
  ).sort()
  for (const share of [0.5, 1, 5, 20, 50, 80, 99, 100]) {
    const above = percentiles.findIndex((percentile) => percentile >= share)
    const selected = above === -1 ? users : above
    expect(Math.abs((selected / users) * 100 - share), `${share} %`).toBeLessThan(0.2)
  }
})

test('another canary selects other users', () => {
  const uids = Array.from({ length: 20_000 }, (_, uid) => uid)
  const inBoth = uids.filter((uid) => ['0198a2b4', '0198a2b5'].every((canaryId) => percentileOf(canaryId, uid) < 50))
  expect(Math.abs(inBoth.length / uids.length - 0.25)).toBeLessThan(0.02)
})

test('no user leaves a canary when it is widened', () => {
  const steps: Audience[] = [
    { share: 0, uids: [3, 7], languages: ['ar_SA'], systems: ['iOS'] },
    { share: 5, uids: [3, 7], languages: ['ar_SA'], systems: ['iOS'] },
    { share: 20, uids: [3, 7, 8], languages: ['ar', 'en'], systems: ['iOS'] },
    { share: 20, uids: [3, 7, 8], languages: [], systems: ['iOS', 'Android'] },
    { share: 50, uids: [3, 7, 8], languages: [], systems: [] },
    { ...everyone, uids: [3, 7, 8] },
  ]
  const openers = Array.from({ length: 5_000 }, (_, uid) => ({
    uid,
    language: (['ar-SA', 'en', 'zh-CN', 'ar'] as const)[uid % 4],
    system: (['iOS', 'Android', undefined] as const)[uid % 3],
  }))
  const members = steps.map((step) => openers.filter((opener) => isInAudience('0198a2b4', step, opener)))
  for (const [index, step] of steps.entries()) {
    const earlier = steps.slice(0, index)
    expect(earlier.every((each) => isWiderThan(step, each))).toBe(true)
    expect(earlier.some((each) => isWiderThan(each, step))).toBe(false)
    const selected = new Set(members[index])
    expect(
      members
        .slice(0, index)
        .flat()
        .every((opener) => selected.has(opener)),
    ).toBe(true)
  }
  expect(members[0]!.map(({ uid }) => uid)).toEqual([3, 7])
  expect(members.at(-1)).toHaveLength(openers.length)
})

test('languages and systems limit the percentage, and not the list of users', () => {
  const audience: Audience = { share: 100, uids: [1], languages: ['zh_CN', 'ar'], systems: ['iOS'] }
  const isIn = (language?: string, system?: 'Android' | 'iOS', uid = 2) =>
    isInAudience('0198a2b4', audience, { uid, language, system })
  expect(isIn('zh-CN', 'iOS')).toBe(true)
  expect(isIn('ar-EG', 'iOS')).toBe(true)
  expect(isIn('zh-TW', 'iOS')).toBe(false)
  expect(isIn('zh-CN', 'Android')).toBe(false)
  expect(isIn('zh-CN')).toBe(false)
  expect(isIn(undefined, 'iOS')).toBe(false)
  expect(isIn('en', 'Android', 1)).toBe(true)
})
