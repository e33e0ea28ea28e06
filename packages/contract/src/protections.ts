/**
 * What a fresh confirmation of identity protects; each operation that requires one names it as `stepUp` (ADR 394). A
 * sandbox has no real money and no data of real users, so nothing of the last two.
 */
export const protections = {
  /** Who can sign in and what they may do: accounts, factors, tokens, roles, issuers, and rules about them. */
  access: { inSandbox: true },
  /** What cannot be restored: mini apps, projects, and backups whose master key is gone. */
  content: { inSandbox: true },
  /** Who is paid, and the secrets that sign payments. */
  money: { inSandbox: false },
  /** Who gets data of users. */
  data: { inSandbox: false },
} as const

export type Protection = keyof typeof protections

/** Returns whether operations with this `stepUp` require a confirmation in an installation. */
export function isProtected(stepUp: Protection | undefined, sandbox: boolean): boolean {
  return stepUp !== undefined && (!sandbox || protections[stepUp].inSandbox)
}

/** Returns the sentence of the documentation about `stepUp`; empty for operations without one. */
export function protectionText(stepUp: Protection | undefined): string {
  if (stepUp === undefined) return ''
  return `Requires a fresh confirmation of identity${protections[stepUp].inSandbox ? '' : ', except in a sandbox'}.`
}
