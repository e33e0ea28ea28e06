import type { Action } from './roles.ts'

/**
 * Who sets or lifts a state: a member of the project (also its service accounts), an operator (an administrator, even
 * one who is also a member, or the admin token), or Souk itself, such as a job.
 */
export const sides = ['member', 'operator', 'system'] as const
export type Side = (typeof sides)[number]

/** A state in which something cannot be used. */
interface State {
  /** What is in this state. */
  readonly subject:
    | 'app'
    | 'project'
    | 'release'
    | 'account'
    | 'providerAccount'
    | 'user'
    | 'endpoint'
    | 'receiver'
    | 'alertRule'
    | 'issuer'
  /** Operations of the console that set it; empty if only a job does. */
  readonly set: readonly string[]
  /** Operations that end it, or that give back in another way what it takes. */
  readonly undo: readonly string[]
  /** Who may end it, by who set it. A side that is absent cannot set it. */
  readonly lift: Partial<Record<Side, readonly Side[]>>
  /** The right that lets a member appeal, once per block. Absent if members cannot. */
  readonly appeal?: Action
}

const members: readonly Side[] = ['member', 'operator']
const operators: readonly Side[] = ['operator']
/** What members set can be lifted by members and operators, what operators set by operators only. */
const byBoth = { member: members, operator: operators }

/**
 * The states that operators, members and jobs set, who may lift each, and by which operations: the only such table. A
 * test compares it with all operations.
 */
export const states = {
  appDisabled: { subject: 'app', set: ['updateApp'], undo: ['updateApp'], lift: byBoth, appeal: 'app.archive' },
  appArchived: {
    subject: 'app',
    set: ['archiveApp'],
    undo: ['restoreApp', 'restoreProject', 'deleteApp'],
    lift: byBoth,
    appeal: 'app.archive',
  },
  capabilityRemoved: {
    subject: 'app',
    set: ['updateApp'],
    undo: ['updateApp', 'approveChange'],
    lift: byBoth,
    appeal: 'app.archive',
  },
  hostsRemoved: {
    subject: 'app',
    set: ['updateApp'],
    undo: ['updateApp', 'approveChange'],
    lift: byBoth,
    appeal: 'app.archive',
  },
  projectArchived: {
    subject: 'project',
    set: ['archiveProject'],
    undo: ['restoreProject', 'restoreApp', 'deleteProject'],
    lift: byBoth,
    appeal: 'project.archive',
  },
  analyticsOff: {
    subject: 'project',
    set: ['switchAnalytics'],
    undo: ['switchAnalytics'],
    lift: byBoth,
    appeal: 'project.manage',
  },
  releaseWithdrawn: {
    subject: 'release',
    set: ['withdrawRelease', 'setReleaseStage'],
    undo: [
      'publishRelease',
      'rollBack',
      'startCanary',
      'resumeCanary',
      'approveRelease',
      'approveChange',
      'deleteRelease',
    ],
    lift: byBoth,
    appeal: 'release.publish',
  },
  /** Developers answer a rejection with another submission. */
  releaseRejected: {
    subject: 'release',
    set: ['rejectRelease'],
    undo: ['publishRelease', 'rollBack', 'startCanary', 'resumeCanary', 'approveRelease', 'approveChange'],
    lift: { operator: operators },
  },
  canaryPaused: {
    subject: 'release',
    set: ['pauseCanary'],
    undo: [
      'publishRelease',
      'rollBack',
      'startCanary',
      'resumeCanary',
      'approveRelease',
      'approveChange',
      'deleteRelease',
    ],
    lift: byBoth,
    appeal: 'release.publish',
  },
  /** Owners judge the figures that have halted it. */
  canaryHalted: { subject: 'release', set: [], undo: ['resumeCanary', 'publishRelease'], lift: { system: members } },
  accountDisabled: {
    subject: 'account',
    set: ['updateAccount'],
    undo: ['updateAccount'],
    lift: byBoth,
    appeal: 'project.manage',
  },
  providerAccountDisabled: {
    subject: 'providerAccount',
    set: ['updateProviderAccount'],
    undo: ['updateProviderAccount', 'createProviderAccount'],
    lift: byBoth,
    appeal: 'provider.manage',
  },
  /** A new payment ends it too, as does an update of its keys. */
  providerAccountSuspended: {
    subject: 'providerAccount',
    set: [],
    undo: ['updateProviderAccount'],
    lift: { system: [...members, 'system'] },
  },
  userDisabled: { subject: 'user', set: ['disableHostUser'], undo: ['enableHostUser'], lift: { operator: operators } },
  endpointDisabled: {
    subject: 'endpoint',
    set: ['updateEventEndpoint'],
    undo: ['updateEventEndpoint'],
    lift: { operator: operators, system: operators },
  },
  /** Editors know when the backend that they operate works again. */
  receiverDisabled: { subject: 'receiver', set: [], undo: ['enableCallbackReceiver'], lift: { system: members } },
  /** Takes nothing from anyone but mails from members, and ends by itself. */
  alertRuleMuted: {
    subject: 'alertRule',
    set: ['muteAlertRule'],
    undo: ['muteAlertRule'],
    lift: { member: members, operator: members },
  },
  signInDisabled: {
    subject: 'issuer',
    set: ['disableSignIn'],
    undo: ['enableSignIn'],
    lift: { operator: operators },
  },
} as const satisfies Record<string, State>

export type StateName = keyof typeof states
export const stateNames = Object.keys(states) as StateName[]

/** States that record a block when an operator sets them. */
export const blockStates = [
  'appDisabled',
  'appArchived',
  'capabilityRemoved',
  'hostsRemoved',
  'projectArchived',
  'analyticsOff',
  'releaseWithdrawn',
  'releaseRejected',
  'canaryPaused',
  'accountDisabled',
  'providerAccountDisabled',
  'userDisabled',
] as const satisfies readonly StateName[]
export type BlockState = (typeof blockStates)[number]

/** States in which a release must not reach users. */
export const releaseStates = ['releaseWithdrawn', 'releaseRejected', 'canaryPaused'] as const satisfies BlockState[]

/** Returns whether a side may lift a state that `setter` has set. */
export function mayLift(state: StateName, setter: Side, side: Side): boolean {
  const { lift }: State = states[state]
  return lift[setter]?.includes(side) ?? false
}

/** Returns the right that lets members appeal against a state that an operator has set; undefined if none does. */
export function appealRight(state: StateName): Action | undefined {
  return (states[state] as State).appeal
}
