import type { consoleOperations } from '@souk/contract'

type Operations = typeof consoleOperations

/** Operations that can require a confirmation of identity. */
export type ConfirmedOperation = {
  [Id in keyof Operations]: Operations[Id] extends { stepUp: string } ? Id : never
}[keyof Operations]
/** Those of them whose input does not name what they change. */
export type NamedOperation = Extract<
  ConfirmedOperation,
  | 'createPasswordReset'
  | 'disableSignIn'
  | 'enableSignIn'
  | 'refundTrade'
  | 'removeEventEndpoint'
  | 'removeIssuer'
  | 'removePasskey'
  | 'removeSignOnProvider'
  | 'resetFactors'
  | 'restoreAccount'
  | 'rotateEventSecret'
  | 'rotateSecret'
  | 'updateEventEndpoint'
  | 'updateProviderAccount'
>
