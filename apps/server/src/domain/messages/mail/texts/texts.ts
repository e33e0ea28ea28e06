import type { AlertMetric, BlockState, ChangeKind, MailKind, ReportReason, Role } from '@souk/contract'
import type { Credential } from '../values.ts'

/** The text of a mail, with `{value}` for its values. `action` is the text of its link, if it has one. */
interface MailText {
  subject: string
  lines: readonly string[]
  action?: string
}

/** The texts of all mails in one language. */
export interface Texts {
  mails: Record<MailKind, MailText>
  /** Shown under each mail, with `{url}`. */
  footer: string
  /** Shown under mails about the security of an account. */
  notYou: string
  unknown: string
  /** Texts for values that are one of a list. */
  role: Record<Role, string>
  credential: Record<Credential, string>
  change: Record<ChangeKind, string>
  reportReason: Record<ReportReason, string>
  alertMetric: Record<AlertMetric, string>
  blockedState: Record<BlockState, string>
  failures: Record<'failedLaunches' | 'errors', string>
}
