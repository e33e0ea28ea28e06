import type { DeclineReason, ExternalProvider } from '@souk/contract'
import type { Outcome } from '@souk/fake-providers'
import type { AdapterFixture, Alteration, RemoteAdapterFixture } from './adapterSuite.ts'

type Apply = (attemptId: string) => Promise<void>

/** Facts about one provider that the tests of all providers rely on. */
export interface Expected
  extends Pick<RemoteAdapterFixture, 'behavior' | 'rejectedOrder' | 'alterations' | 'refundAlterations'> {
  declined(pay: (outcome: Outcome) => Apply, expire: (before: Apply) => Apply): AdapterFixture['declines']
  /** Time after which an unpaid page has expired, ms. */
  lifetime: number
  /** Method and path of a query without a payNo. */
  queryRequest: string
  /** Answers of `unknownAnswers.test.ts` by which it says that a payment does not exist. */
  absences: readonly string[]
  /** True if its webhooks report refunds that the payer's bank has returned. */
  reportsFailedRefunds: boolean
  /** The failReasonType of a trade whose payer's card was declined; null if the page lets the payer try again. */
  declineReason: DeclineReason | null
  /** The transactionStatus of a trade whose payer has left the page. */
  statusAfterLeaving: number
}

/** Imports what the tests expect of a provider. */
export async function expectedOf(name: ExternalProvider): Promise<Expected> {
  return (await import(`./${name}/expected.ts`)).expected
}

/** A text that is longer than any that a provider sends. */
export const longText = 'x'.repeat(100_000)

/** Replaces the values of properties with this name. */
export const replace =
  (name: string, value: unknown): Alteration =>
  (key, found) =>
    key === name ? value : found

/** Replaces properties of objects of this kind. */
export const within =
  (property: string, kind: string, changes: object): Alteration =>
  (_, value) =>
    (value as Record<string, unknown> | null)?.[property] === kind ? { ...(value as object), ...changes } : value
