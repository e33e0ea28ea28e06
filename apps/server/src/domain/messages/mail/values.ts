import type { AlertMetric, BlockState, ChangeKind, MailKind, ReportReason, Role } from '@souk/contract'

/** Factor or key of an account that security notices are about. */
export type Credential = 'passkey' | 'totp' | 'apiKey' | 'signingKey'

/** Place and time of an event. `time` is real time in ms. */
interface Occasion {
  username: string
  address: string | null
  time: number
}

/** A change of a mini app that operators decide. */
interface DecidedChange {
  app: string
  project: string
  change: ChangeKind
}

/** An alert of a mini app. Values have their unit. */
interface WatchedMetric {
  app: string
  appid: string
  projectId: string
  alertMetric: AlertMetric
  value: string | null
  threshold: string
}

/** A release that administrators review. */
interface ReviewedRelease {
  app: string
  version: string
  project: string
}

/** Something that an operator has blocked. `time` is when, real time in ms. */
interface Blocked {
  blockedState: BlockState
  subject: string
  reason: string | null
  blockedBy: string
  answer: string | null
  answeredBy: string | null
  time: number
}

/**
 * Values in the texts of a mail, by its kind. Tokens become links to the console. Values are stored encrypted until
 * the mail is sent.
 */
export interface MailValues extends Record<MailKind, object> {
  test: object
  invitation: { project: string; role: Role; invitedBy: string; validUntil: number; token: string }
  passwordReset: { username: string; validUntil: number; token: string }
  emailConfirmation: { username: string; validUntil: number; token: string }
  emailChanged: Occasion
  newDevice: Occasion & { browser: string | null; system: string | null }
  passwordChanged: Occasion
  credentialAdded: Occasion & { credential: Credential }
  credentialRemoved: Occasion & { credential: Credential }
  recoveryCodesCreated: Occasion
  recoveryCodeUsed: Occasion
  changeRequested: DecidedChange & { requestedBy: string }
  changeApproved: DecidedChange & { decidedBy: string }
  changeRejected: DecidedChange & { decidedBy: string; reason: string }
  releaseSubmitted: ReviewedRelease & { submittedBy: string }
  releaseApproved: ReviewedRelease & { decidedBy: string }
  releaseRejected: ReviewedRelease & { decidedBy: string; reason: string }
  canaryHalted: {
    app: string
    version: string
    appid: string
    projectId: string
    failures: 'failedLaunches' | 'errors'
  }
  alertRaised: WatchedMetric
  alertResolved: WatchedMetric
  miniAppReported: { app: string; project: string; reportReason: ReportReason }
  callbacksDisabled: { app: string; projectId: string; host: string; failingSince: number }
  endpointDisabled: { url: string; failingSince: number }
  blocked: Blocked
  blockLifted: Blocked
  blockKept: Blocked
  blockAppealed: { blockedState: BlockState; subject: string; appealedBy: string; appeal: string }
}

/** Mails about the security of an account. */
export const notices = [
  'emailChanged',
  'newDevice',
  'passwordChanged',
  'credentialAdded',
  'credentialRemoved',
  'recoveryCodesCreated',
  'recoveryCodeUsed',
] as const satisfies readonly MailKind[]
type NoticeKind = (typeof notices)[number]

/** A notice about the security of an account: what happened, besides the account, the time and the address. */
export type Notice = { [K in NoticeKind]: { kind: K } & Omit<MailValues[K], keyof Occasion> }[NoticeKind]
