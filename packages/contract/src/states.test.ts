import { expect, test } from 'vitest'
import { consoleOperations } from './console/index.ts'
import type { Operation } from './operation.ts'
import { appealRight, blockStates, mayLift, sides, stateNames, states } from './states.ts'

const operations: Operation[] = Object.values(consoleOperations)

/**
 * Operations that members and operators can call and that set no state which another one lifts: they create, delete for
 * good, act once, or choose values of which none takes anything away.
 */
const without = [
  // Create, or act once.
  ...['addServiceAccount', 'createInvitation', 'createApp', 'createAlertRule', 'createProviderAccount', 'addDataset'],
  ...['uploadRelease', 'uploadSourceMaps', 'uploadImage', 'submitRelease', 'createPasswordReset', 'sendPasswordReset'],
  ...['refundTrade', 'reconcileDay', 'testProviderAccount', 'replayCallback', 'replayCallbacks', 'cancelReplay'],
  ...[
    'createFunnel',
    'reportForwarded',
    'sendTestNotification',
    'sendTestActivity',
    'createInspection',
    'sendToInspected',
  ],
  ...['endInspection', 'importRecords', 'createUser', 'createCode', 'pay', 'resolvePayment', 'appealBlock'],
  // Delete for good.
  ...['removeServiceAccount', 'deleteProject', 'removeMember', 'leaveProject', 'revokeInvitation', 'deleteApp'],
  ...['deleteRelease', 'deleteAlertRule', 'deleteFunnel', 'removeCustomEvent', 'removeDataset', 'removeRecords'],
  // Choose what members see or users get.
  ...['updateProject', 'changeMemberRole', 'rotateSecret', 'updateAlertRule', 'withdrawChange', 'setTesters'],
  ...['publishRelease', 'rollBack', 'startCanary', 'widenCanary', 'rollBackCanary', 'setRouting', 'changeRecord'],
  ...['answerFeedback', 'setFeedbackState', 'setCallbackFault', 'putCustomEvent', 'sandboxSetMessageLevel'],
]

test('every operation that members and operators share is in the table, or sets no state', () => {
  const inTable = new Set(stateNames.flatMap((name) => [...states[name].set, ...states[name].undo] as string[]))
  const shared = operations.filter(({ method, access }) => method !== 'GET' && typeof access === 'object')
  const unknown = shared.map(({ id }) => id).filter((id) => !inTable.has(id) && !without.includes(id))
  expect(unknown).toEqual([])
})

test.each(stateNames)('%s names operations that exist, and says who lifts it for each side that can set it', (name) => {
  const { set, undo, lift } = states[name]
  const ids = operations.map(({ id }) => id)
  expect([...set, ...undo].filter((id) => !ids.includes(id))).toEqual([])
  expect(undo.length).toBeGreaterThan(0)
  const bySet = operations.filter(({ id }) => (set as readonly string[]).includes(id))
  if (bySet.length > 0) expect(Object.keys(lift)).toContain('operator')
  for (const setter of sides) if (setter in lift) expect(mayLift(name, setter, 'operator')).toBe(true)
})

test('what an operator sets is lifted by operators only, except where it takes nothing away', () => {
  const others = stateNames.filter((name) => mayLift(name, 'operator', 'member') || mayLift(name, 'operator', 'system'))
  expect(others).toEqual(['alertRuleMuted'])
})

test('every state that members and operators share records blocks, and can be appealed', () => {
  const shared = stateNames.filter((name) => mayLift(name, 'member', 'member') && !mayLift(name, 'operator', 'member'))
  expect(shared.filter((name) => !(blockStates as readonly string[]).includes(name))).toEqual([])
  expect(shared.filter((name) => !appealRight(name))).toEqual([])
})
