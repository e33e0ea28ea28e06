import { openReviewStates, reviewStates } from '@souk/contract'
import { expect, test } from 'vitest'
import { nextState, type ReviewEvent } from './machine.ts'

const events: ReviewEvent[] = [
  'start',
  'approve',
  'reject',
  'withdraw',
  'schedule',
  'cancelSchedule',
  'publish',
  'skip',
]
const allowed = (event: ReviewEvent) => reviewStates.filter((state) => nextState(state, event) !== undefined)

test('only approved releases are published or scheduled, unless reviews are not required', () => {
  expect(allowed('publish')).toEqual(['approved', 'scheduled'])
  expect(allowed('schedule')).toEqual(['approved', 'scheduled'])
  expect(allowed('skip')).toEqual(['submitted', 'inReview'])
  expect(allowed('approve')).toEqual(['submitted', 'inReview'])
})

test('every open review can be rejected and withdrawn; a published release can be withdrawn', () => {
  expect(allowed('reject')).toEqual(openReviewStates)
  expect(allowed('withdraw')).toEqual([...openReviewStates, 'published'])
})

test('a rejected or withdrawn review never changes', () => {
  for (const event of events) {
    expect([nextState('rejected', event), nextState('withdrawn', event)]).toEqual([undefined, undefined])
  }
})
